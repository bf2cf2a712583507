"""Tables for people: the summary in the shape that pycocotools made familiar, labels, curves."""

from __future__ import annotations

from boxscore.model.measure import Measure
from boxscore.model.notes import listed
from boxscore.model.protocol_checks import NO_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.run import Run

_TITLES = {"AP": "Average Precision  (AP)", "AR": "Average Recall     (AR)"}
_UNDEFINED = "n/a"


def summary(run: Run) -> list[str]:
    """One line a headline figure, then, where some do not exist, the reasons."""
    lines = []
    reasons: dict[str, list[str]] = {}
    for measure in run.protocol.headline:
        value, reason = run.explain(measure)
        lines.append(f" {_TITLES[measure.kind]} {_at(measure, run.protocol)} = {figure(value)}")
        if reason is not None:
            reasons.setdefault(reason, []).append(str(measure))
    return [*lines, *(f" {_UNDEFINED}: {reason} ({listed(names, 12)})" for reason, names in reasons.items())]


def per_label(run: Run) -> list[str]:
    """A row a label: AP, AP@0.5 where the protocol has it, AR, counts."""
    wanted = ["AP", *(["AP@0.5"] if run.protocol.gives(Measure("AP", iou=0.5)) else []), "AR"]
    objects = "objects"
    counts = [objects, "detections"]
    found: dict[str | None, dict[str, float | None]] = {}
    for row in run.metrics:
        found.setdefault(row["label"], {})[row["measure"]] = row["value"]
    labels = [None] if run.label_agnostic else list(run.labels)
    body = [
        [
            "any label" if label is None else label,
            *(figure(found[label][name]) for name in wanted),
            *(f"{found[label][name]:.0f}" for name in counts),
        ]
        for label in labels
    ]
    lines = aligned(["label", *wanted, *counts], body)
    absent = sum(found[label][objects] == 0 for label in labels)
    return [*lines, f"{_UNDEFINED}: no ground truth"] if absent else lines


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
