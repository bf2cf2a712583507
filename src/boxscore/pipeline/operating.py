"""A run at an operating point: its floors, figures, sweeps, confusion."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.measures.confusion import Confusion
    from boxscore.measures.operating_point import OperatingPoint
    from boxscore.measures.sweeps import Sweep
    from boxscore.model.floors import Floors
    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.run import Run


def default_floors(protocol: Protocol) -> Floors | None:
    """The protocol's floor for all labels; None where it isn't about an operating point."""
    if protocol.confidence is None:
        return None
    from boxscore.model.floors import Floors

    return Floors(protocol.confidence)


def floors_of(run: Run) -> list[float] | None:
    """A floor for each label; None where all detections count."""
    return None if run.floors is None else run.floors.of(run.labels)


def point(run: Run) -> OperatingPoint:
    """Figures at the floors of the run."""
    from boxscore.measures.operating_point import OperatingPoint

    return OperatingPoint(run.matches, run.labels.names, floors=floors_of(run), overlaps=run.overlaps)


def rows(run: Run) -> list[dict[str, Any]]:
    """The tidy table."""
    from boxscore.measures import operating_table

    return operating_table.rows(
        run.matches,
        run.labels.names,
        floors=floors_of(run),
        detections=run.detections_by_label(),
        label_agnostic=run.label_agnostic,
        overlaps=run.overlaps,
    )


def suppressed_at(run: Run) -> float | None:
    """The overlap of the last non-maximum suppression before matching; None where there was none."""
    return next((step["iou"] for step in reversed(run.steps) if step["step"] == "nms"), None)


def sweep(run: Run, label: str, iou: float | None = None) -> Sweep:
    """What is found of a label at every confidence."""
    from boxscore.model.measure import Measure

    return point(run).sweep(Measure("recall", iou=iou), run.labels.index(label))


def confusion(run: Run, confidence: float | None = None) -> Confusion:
    """The confusion matrix at the reference cell's threshold."""
    from boxscore.matching import pixel
    from boxscore.measures.confusion import confusion as measured

    floors = floors_of(run) if confidence is None else [confidence] * len(run.labels)
    if run.dataset is None or run.predictions is None:
        return _saved_confusion(run, floors)
    return measured(
        run.dataset.kernel,
        run.predictions.kernel,
        run.matches.kernel,
        run.labels.names,
        iou=run.protocol.iou_thresholds[0],
        floors=floors,
        pixel=pixel(run.protocol, run.dataset.corner_convention),
        threads=run.threads,
    )


def _saved_confusion(run: Run, floors: list[float] | None) -> Confusion:
    """From the pairs that a run folder keeps."""
    import polars as pl

    from boxscore.pipeline.saved_confusion import of_tables

    pairs = run.pair_columns()
    if pairs is None:
        raise InputError("a confusion matrix needs the boxes, which this run has let go; evaluate the files again")
    return of_tables(
        pairs,
        pl.DataFrame(run.matches.detections),
        pl.DataFrame(run.matches.ground_truth),
        run.labels.names,
        iou=run.protocol.iou_thresholds[0],
        floors=floors,
    )
