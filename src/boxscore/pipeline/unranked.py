"""Detections that all have one score, as those of vision-language models that state none: they have no ranking.

AP is the area under a curve that such detections have one point of; what is drawn beyond it comes of the order in which
images and rows stand. What can be told of them is told at that one point: precision, recall and F1.
"""

from __future__ import annotations

from boxscore.model.measure import SHARES, TALLIES, Measure, threshold_text
from boxscore.model.notes import Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.pipeline.run import Run

KINDS = (*SHARES, "F1", *TALLIES)


def one_score(run: Run) -> float | None:
    """The score that all detections have, where there are two or more and the run is not at an operating point."""
    return None if run.floors is not None else run.matches.one_score


def measures(run: Run) -> list[Measure]:
    """What is told of such detections, at IoU 0.5, else at the protocol's first threshold."""
    iou = 0.5 if run.protocol.gives(Measure("AP", iou=0.5)) else run.protocol.iou_thresholds[0]
    return [Measure(kind, iou=iou) for kind in KINDS]


def note(run: Run) -> Note | None:
    """That AP is degenerate; None where scores differ."""
    score = one_score(run)
    if score is None:
        return None
    count = sum(run.detections_by_label())
    told = [(measure, run.explain(measure)[0]) for measure in measures(run) if measure.kind not in TALLIES]
    figures = ", ".join(f"{measure.kind} {'n/a' if value is None else format(value, '.3f')}" for measure, value in told)
    at = threshold_text(told[0][0].iou or 0.0)
    message = (
        f"all {count} detections have the score {score:.9g}, so that AP is degenerate: it comes of the order of images "
        f"and rows, not of a ranking; go by the operating point at IoU {at}: {figures}"
    )
    return Note("ap-degenerate", message, count)


def rows(run: Run) -> Iterator[dict[str, Any]]:
    """Rows of the tidy table at that point, of all labels (micro) and of each; none where scores differ."""
    if one_score(run) is None:
        return
    from boxscore.measures.table import row_of

    figures = run.figures()
    labels: list[str | None] = [None, *([] if run.label_agnostic else run.labels)]
    for label in labels:
        positions = range(len(run.labels)) if label is None else [run.labels.index(label)]
        objects = sum(figures.objects(position) for position in positions)
        for measure in measures(run):
            average = None if label is not None else "sum" if measure.kind in TALLIES else "micro"
            value, reason = run.explain(measure, label)
            yield row_of(str(measure), label, average, value, reason, run.num_images, objects)
