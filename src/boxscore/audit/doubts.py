"""Whether an evaluation gives cause to measure other readings: cheap, from notes and figures that are there anyway."""

from __future__ import annotations

from boxscore.model.measure import Measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.pipeline.run import Run

_TELLING = {
    "labels-by-number": 0.0,
    "corner-suspect": 0.0,
    "unit-boxes": 0.0,
    "answers-other-reading": 0.0,
    "degenerate": 0.1,
    "outside-image": 0.2,
}
"""Codes of notes, with the share of all rows from which on they give cause."""

_LOW = 0.2
"""AP@0.5 below which an evaluation is doubted: a detector worth evaluating finds something."""
_LOW_OF_LABEL = 0.05
_LEAST_ROWS = 5
"""Objects, and detections, from which on a label's AP says something."""
_LEAST_SHARE = 0.1
"""Share of labels that must be next to zero; two at least."""


def are_doubts(run: Run) -> bool:
    """Whether boxes or labels may have been meant otherwise than they were read."""
    if run.dataset is None or run.predictions is None or not run.predictions.num_rows or not run.dataset.num_objects:
        return False
    return _by_notes(run) or _by_figures(run)


def _by_notes(run: Run) -> bool:
    rows = run.dataset.num_objects + run.predictions.num_rows if run.dataset and run.predictions else 0
    return any(note.count >= _TELLING[note.code] * rows for note in run.notes if note.code in _TELLING)


def _by_figures(run: Run) -> bool:
    half = Measure("AP", iou=0.5)
    measure = half if run.protocol.gives(half) else Measure("AP")
    if not run.protocol.gives(measure):
        return False
    value = run.value(measure)
    if value is None:
        return False
    return value < _LOW or (not run.label_agnostic and _labels_near_zero(run, measure))


def _labels_near_zero(run: Run, measure: Measure) -> bool:
    """Whether labels that are in both files often never meet: their numbers may mean other names."""
    figures, detections = run.figures(), run.detections_by_label()
    frequent = [
        label
        for label in range(len(run.labels))
        if figures.objects(label) >= _LEAST_ROWS and detections[label] >= _LEAST_ROWS
    ]
    low = sum((figures.figure(measure, [label])[0] or 0.0) < _LOW_OF_LABEL for label in frequent)
    return low >= max(2, _LEAST_SHARE * len(frequent))
