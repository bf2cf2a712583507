"""Tables of a run at an operating point: all labels, kinds of images, each label; sweeps; confusion."""

from __future__ import annotations

from boxscore.cli.tables import aligned, figure
from boxscore.measures.operating_table import WITH_OBJECTS, WITHOUT_OBJECTS
from boxscore.model.measure import Measure, threshold_text
from boxscore.model.notes import counted
from boxscore.pipeline.operating_notes import is_unstable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from boxscore.measures.confusion import Confusion
    from boxscore.measures.sweeps import Sweep
    from boxscore.pipeline.run import Run

    Cells = dict[tuple[str, str | None, str | None], float | None]

_TALLIES = ("TP", "FP", "FN")
_SWEEP_ROWS = 12
"""Rows of a sweep that are printed for a label; --json has all."""

_MATRIX_LABELS = 12
"""Up to so many labels the whole matrix is printed, else its largest cells."""

_PAIRS = 30


def asked_for(run: Run, options: argparse.Namespace) -> list[str]:
    """The summary of a run at an operating point, then the sweep and the confusion that were asked for."""
    lines = [] if run.floors is None else summary(run)
    if options.sweep:
        lines += ["", *sweeps(run, options.beta or 1.0)]
    if options.confusion:
        lines += ["", *confusion(run.confusion())]
    return lines


def summary(run: Run) -> list[str]:
    """All tables of a run, by IoU threshold."""
    cells = {(row["measure"], row["label"], row["slice"]): row["value"] for row in run.metrics}
    lines = [_heading(run)]
    several = len(run.protocol.iou_thresholds) > 1
    for iou in run.protocol.iou_thresholds:
        at = f"@{threshold_text(iou)}" if several else ""
        rates = ["precision", "recall", *betas(run)]
        lines += ["", *([f"at IoU {threshold_text(iou)}"] if several else [])]
        lines += [*_overall(run, cells, rates, at), "", *_images(cells, rates, at)]
        if not run.label_agnostic:
            lines += ["", *_labels(run, cells, rates, at)]
    return lines


def betas(run: Run) -> list[str]:
    """The kinds of F that are given: `F1`."""
    kinds = [measure.kind for measure in run.protocol.headline if measure.beta is not None]
    return list(dict.fromkeys(kinds)) or ["F1"]


def _heading(run: Run) -> str:
    floors = run.floors
    thresholds = ", ".join(map(threshold_text, run.protocol.iou_thresholds))
    words = [f"rule {run.protocol.rule}, IoU {thresholds}"]
    if floors is not None:
        words.append(f"confidence at least {floors.default:g}")
        if floors.by_label:
            words.append(f"{counted(len(floors.by_label), 'label')} by {floors.source or 'floors of their own'}")
    steps = [f"NMS at IoU {step['iou']:g}" for step in run.steps if step["step"] == "nms"]
    return f"Operating point: {', '.join([*words, *steps])}"


def _overall(run: Run, cells: Cells, rates: Sequence[str], at: str) -> list[str]:
    tallies = [*_TALLIES, "ignored"]
    micro = [figure(cells[kind + at, None, None]) for kind in rates]
    body = [["all, micro", *micro, *(_whole(cells[kind + at, None, None]) for kind in tallies)]]
    if not run.label_agnostic:
        macro = [figure(run.value(f"{kind}[average=macro]{at}")) for kind in rates]
        body.append(["labels, macro", *macro, *("" for _ in tallies)])
    return aligned(["", *rates, *tallies], body)


def _images(cells: Cells, rates: Sequence[str], at: str) -> list[str]:
    names = {None: "all images", WITH_OBJECTS: WITH_OBJECTS, WITHOUT_OBJECTS: WITHOUT_OBJECTS}
    body = []
    for part, name in names.items():
        found = [_whole(cells["images", None, part]), _whole(cells["FP" + at, None, part])]
        shares = [figure(cells[kind + at, None, part]) for kind in ("FPPI", *rates)]
        body.append([name, *found, *shares])
    return aligned(["", "images", "FP", "FP/image", *rates], body)


def _labels(run: Run, cells: Cells, rates: Sequence[str], at: str) -> list[str]:
    floors = [None] * len(run.labels) if run.floors is None else run.floors.of(run.labels)
    body = []
    bare = few = 0
    for label, floor in zip(run.labels, floors, strict=True):
        objects = int(cells["objects", label, None] or 0)
        tallies = [_whole(cells[kind + at, label, None]) for kind in _TALLIES]
        if objects == 0 and tallies == ["0"] * len(tallies):
            bare += 1
            continue
        unstable = is_unstable(objects, run.protocol.least_support)
        few += unstable
        shown = "" if floor is None else f"{floor:.4g}"
        shares = [figure(cells[kind + at, label, None]) for kind in rates]
        body.append([label + (" *" if unstable else ""), shown, str(objects), *tallies, *shares])
    lines = aligned(["label", "floor", "objects", *_TALLIES, *rates], body)
    if few:
        lines.append(f"* unstable: fewer than {run.protocol.least_support} objects")
    if bare:
        lines.append(f"{counted(bare, 'label')} with neither objects nor detections at or above the floor not shown")
    return lines


def sweeps(run: Run, beta: float) -> list[str]:
    """A few rows of each label's sweep: spread over its scores, with the one that is best by F-beta."""
    lines = []
    for iou in run.protocol.iou_thresholds:
        body = [row for label in run.labels for row in _sweep_rows(run.sweep(label, iou), beta)]
        name = Measure(f"F{beta:.9g}").kind
        head = ["label", f"confidence@{threshold_text(iou)}", "TP", "FP", "precision", "recall", name]
        lines += [*aligned(head, body), f"* best {name} of the label"]
    return lines


def _sweep_rows(sweep: Sweep, beta: float) -> Iterator[list[str]]:
    best, weighed = sweep.best(beta), sweep.f_beta(beta)
    for place in _spread(len(sweep), best):
        marked = "*" if place == best else ""
        counts = [str(sweep.true_positives[place]), str(sweep.false_positives[place])]
        shares = [figure(value[place]) for value in (sweep.precision, sweep.recall, weighed)]
        yield [f"{sweep.label} {marked}".rstrip(), f"{sweep.score[place]:.6g}", *counts, *shares]


def _spread(count: int, best: int | None) -> list[int]:
    """At most so many places, evenly spread, the first, the last and the best among them."""
    if count <= _SWEEP_ROWS:
        return list(range(count))
    places = {round(step * (count - 1) / (_SWEEP_ROWS - 1)) for step in range(_SWEEP_ROWS)}
    return sorted(places | ({best} if best is not None else set()))


def confusion(matrix: Confusion) -> list[str]:
    """The matrix, or its largest cells where there are many labels."""
    head = f"Confusion at IoU {threshold_text(matrix.iou)}, objects by row, detections by column"
    if len(matrix.labels) <= _MATRIX_LABELS:
        rows = [[name, *map(str, row)] for name, row in zip(matrix.names, matrix.counts, strict=True)]
        return [head, *aligned(["", *matrix.names], rows)]
    pairs = matrix.pairs()
    right = sum(matrix.counts[position][position] for position in range(len(matrix.labels)))
    body = [[found, detected, str(count)] for found, detected, count in pairs[:_PAIRS]]
    rest = sum(count for _, _, count in pairs[_PAIRS:])
    lines = [f"{head}: {right} right, the largest of the others", *aligned(["object", "detected as", "count"], body)]
    return [*lines, f"{rest} more in {counted(len(pairs) - _PAIRS, 'cell')}"] if rest else lines


def _whole(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.0f}"
