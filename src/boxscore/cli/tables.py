"""Tables for people: the summary in the shape that pycocotools made familiar, labels, curves."""

from __future__ import annotations

from boxscore.model.measure import Measure, threshold_text
from boxscore.model.notes import listed
from boxscore.model.protocol_checks import NO_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.run import Run

_TITLES = {"AP": "Average Precision  (AP)", "AR": "Average Recall     (AR)"}
_UNDEFINED = "n/a"
_SHARES = ("precision", "recall", "F1")
_TALLIES = ("TP", "FP", "FN")


def summary(run: Run) -> list[str]:
    """One line a headline figure, then, where some do not exist, the reasons."""
    lines = []
    reasons: dict[str, list[str]] = {}
    for measure in run.protocol.headline:
        value, reason = run.explain(measure)
        lines.append(f" {_TITLES[measure.kind]} {_at(measure, run.protocol)} = {figure(value)}")
        if reason is not None:
            reasons.setdefault(reason, []).append(str(measure))
    lines += [f" {_UNDEFINED}: {reason} ({listed(names, 12)})" for reason, names in reasons.items()]
    return [*lines, *_unranked(run)]


def _unranked(run: Run) -> list[str]:
    """Where all detections have one score: that AP says little, and what can be told in its place."""
    from boxscore.pipeline import unranked

    score = unranked.one_score(run)
    if score is None:
        return []
    found = [(measure, run.explain(measure)[0]) for measure in unranked.measures(run)]
    shares = ", ".join(f"{measure.kind} {figure(value)}" for measure, value in found if measure.kind in _SHARES)
    tallies = ", ".join(f"{measure.kind} {value:.0f}" for measure, value in found if measure.kind in _TALLIES)
    at = threshold_text(found[0][0].iou or 0.0)
    return [f" All detections have the score {score:.9g}: AP is degenerate. At IoU {at}: {shares} ({tallies})"]


def per_label(run: Run) -> list[str]:
    """A row a label: AP, AP@0.5 where the protocol has it, AR (each with its interval where there are any), counts."""
    wanted = ["AP", *(["AP@0.5"] if run.protocol.gives(Measure("AP", iou=0.5)) else []), "AR"]
    objects = "objects"
    counts = [objects, "detections"]
    found: dict[str | None, dict[str, dict[str, Any]]] = {}
    for row in run.metrics:
        if row["slice"] is None:
            found.setdefault(row["label"], {})[row["measure"]] = row
    labels = [None] if run.label_agnostic else list(run.labels)
    body = [
        [
            "any label" if label is None else label,
            *(text for name in wanted for text in _with_bounds(run, found[label][name])),
            *(f"{found[label][name]['value']:.0f}" for name in counts),
        ]
        for label in labels
    ]
    heads = [text for name in wanted for text in ((name,) if run.resampled is None else (name, "interval"))]
    lines = aligned(["label", *heads, *counts], body)
    absent = sum(found[label][objects]["value"] == 0 for label in labels)
    return [*lines, f"{_UNDEFINED}: no ground truth"] if absent else lines


def _with_bounds(run: Run, row: dict[str, Any]) -> list[str]:
    if run.resampled is None:
        return [figure(row["value"])]
    from boxscore.cli.interval_tables import bounds

    return [figure(row["value"]), bounds(row)]


def precision_recall(run: Run, iou: float) -> list[str]:
    """A row a label and recall point: precision, and the score from which it holds."""
    body: list[list[str]] = []
    absent: list[str] = []
    for label in run.labels:
        curve = run.precision_recall(label, iou)
        if curve.reason is not None:
            absent.append(label)
        for recall, precision, score in zip(curve.recall, curve.precision, curve.score, strict=True):
            reached = _UNDEFINED if score is None else f"{score:.6g}"
            body.append([label, f"{recall:.2f}", figure(precision), reached])
    lines = aligned(["label", "recall", f"precision@{iou:.9g}", "score"], body)
    return [*lines, f"no ground truth, no curve: {listed(absent)}"] if absent else lines


def figure(value: float | None) -> str:
    """A figure with three places; n/a where it does not exist."""
    return _UNDEFINED if value is None else f"{value:.3f}"


def aligned(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Columns under their heads, the first to the left, numbers to the right."""
    table = [head, *body]
    widths = [max(_width(row[column]) for row in table) for column in range(len(head))]
    return [_line(row, widths) for row in table]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first = row[0] + " " * (widths[0] - _width(row[0]))
    rest = (f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
    return "  ".join([first, *rest]).rstrip()


def _width(text: str) -> int:
    """Cells on a terminal; East Asian letters take two."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _at(measure: Measure, protocol: Protocol) -> str:
    thresholds = protocol.iou_thresholds
    if measure.iou is not None:
        iou = f"{measure.iou:.2f}"
    elif len(thresholds) == 1:
        iou = f"{thresholds[0]:.2f}"
    else:
        iou = f"{thresholds[0]:.2f}:{thresholds[-1]:.2f}"
    area = measure.area or protocol.area_ranges[0][0]
    limit = measure.max_detections or protocol.max_detections[-1]
    shown = "all" if limit == NO_LIMIT else f"{limit:>3}"
    return f"@[ IoU={iou:<9} | area={area:>6} | maxDets={shown} ]"
