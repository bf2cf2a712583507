"""Views of a run folder that reports read: curves, sweeps, confusion; each a dict that is ready for JSON."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.measure import Measure
from boxscore.pipeline import operating
from boxscore.pipeline.confidence_grid import ladder
from boxscore.pipeline.saved_confusion import confusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.pipeline.run import Run
    from boxscore.runs import SavedRun

    Content = dict[str, Any]
    Counts = NDArray[np.int64]

_IOU = 0.5
"""Where a protocol has several thresholds, curves and sweeps are at this one if it is among them."""
_PLACES = 6


def curves(run: Run, saved: SavedRun) -> Content:
    """Precision at each recall point by label, at one IoU threshold and as the mean over all of them.

    `labels`: `label`, `reason` (None, or why there is no curve), `precision` (at `iou`), `mean` (over thresholds; None
    where there is but one) and `score` (from which the precision at `iou` holds; None where the recall is never
    reached). Precisions and scores are rounded to six places: a curve is looked at.
    """
    import numpy as np

    del saved
    protocol, iou = run.protocol, reference_iou(run)
    found = run.curves(scores=True)
    shape = (
        len(run.labels),
        len(protocol.area_ranges),
        -1,
        len(protocol.iou_thresholds),
        len(protocol.recall_points),
    )
    if found.scores is None:
        raise ValueError("curves were accumulated without scores")
    precision = np.asarray(found.precision).reshape(shape)[:, 0, -1]
    scores = np.asarray(found.scores).reshape(shape)[:, 0, -1]
    place = protocol.iou_index(iou)
    several = len(protocol.iou_thresholds) > 1
    rows: list[Content] = []
    for position, label in enumerate(run.labels):
        at = precision[position]
        if at[0, 0] < 0:
            empty: Content = {"precision": [], "mean": None, "score": []}
            rows.append({"label": label, "reason": "no ground truth"} | empty)
            continue
        reached = zip(scores[position, place].tolist(), at[place].tolist(), strict=True)
        rows.append(
            {
                "label": label,
                "reason": None,
                "precision": _rounded(at[place]),
                "mean": _rounded(at.mean(axis=0)) if several else None,
                "score": [round(score, _PLACES) if value > 0 else None for score, value in reached],
            }
        )
    return {
        "iou": iou,
        "iou_thresholds": list(protocol.iou_thresholds),
        "recall": protocol.recall_points,
        "interpolation": protocol.interpolation,
        "labels": rows,
    }


def sweeps(run: Run, saved: SavedRun) -> Content:
    """Counts by label at each of about 1,000 confidences (`confidences`, ascending, inclusive), exact at each.

    `labels`: `label`, `objects`, `true_positives` and `false_positives` (a count for each confidence), at the threshold
    `iou` and the protocol's largest detection limit. `best` is the one confidence for all labels with the largest F1
    of their joint counts (the highest among equals; None without objects); `images` how many there are.
    """
    import numpy as np

    from boxscore.measures.operating_point import OperatingPoint

    iou = reference_iou(run)
    scores = saved.table("detections")["score"]
    ends = [] if scores.is_empty() else [float(end) for end in (scores.min(), scores.max()) if isinstance(end, float)]
    confidences = ladder(ends)
    grid = np.array(confidences)
    joint: Counts = np.zeros((2, len(grid)), dtype=np.int64)
    rows: list[Content] = []
    point, measure = OperatingPoint(run.matches, run.labels.names), Measure("recall", iou=iou)
    objects = [counts.objects for counts in point.counts(measure)]
    for position, (label, to_find) in enumerate(zip(run.labels, objects, strict=True)):
        counts = _counted(run, position, point.place(measure), grid)
        joint += counts
        rows.append(
            {
                "label": label,
                "objects": to_find,
                "true_positives": counts[0].tolist(),
                "false_positives": counts[1].tolist(),
            }
        )
    return {
        "iou": iou,
        "max_detections": run.protocol.max_detections[-1],
        "images": run.num_images,
        "confidences": confidences,
        "best": _best(joint, sum(objects), confidences),
        "labels": rows,
    }


def matrix(run: Run, saved: SavedRun) -> Content:
    """The confusion matrix at the floors of the run; where it has none, at the confidence with the largest joint F1.

    `confidence` is the one floor of all labels, None where labels have floors of their own (then `floors` names them).
    """
    floors = reference_floors(run, saved)
    one = floors[0] if len(set(floors)) == 1 else None
    found = confusion(saved, floors)
    counts = [
        [row, column, count] for row, line in enumerate(found.counts) for column, count in enumerate(line) if count
    ]
    return {
        "iou": found.iou,
        "confidence": one,
        "chosen": "the largest F1 over all labels" if run.floors is None else "the floor of the run",
        "floors": None if one is not None else dict(zip(run.labels, floors, strict=True)),
        "labels": found.labels,
        "cells": counts,
    }


VIEWS: dict[str, Callable[[Run, SavedRun], Content]] = {"curves": curves, "sweeps": sweeps, "confusion": matrix}
"""By the name under which a run folder keeps them."""


def make_views(saved: SavedRun, run: Run) -> dict[str, str]:
    """Write the views that the run folder lacks, or has of a run that was replaced.

    Returns, by name, why those that can't be made can't. Raises InputError where the folder can't be written.
    """
    from boxscore.runs.derived import read_derived, write_derived

    reasons: dict[str, str] = {}
    for name, view in VIEWS.items():
        try:
            kept = read_derived(saved.folder, name)
        except InputError:  # stale or damaged: made anew
            kept = None
        if kept is not None:
            continue
        try:
            content = view(run, saved)
        except InputError as error:
            reasons[name] = str(error)
            continue
        write_derived(saved.folder, name, content)
    return reasons


def reference_floors(run: Run, saved: SavedRun) -> list[float]:
    """A floor for each label: the run's; where it has none, the one confidence with the largest joint F1.

    Without objects there is no such confidence, and every detection counts.
    """
    floors = operating.floors_of(run)
    if floors is not None:
        return floors
    found = sweeps(run, saved)
    best = found["confidences"][0] if found["best"] is None else found["best"]
    return [best] * len(run.labels)


def reference_iou(run: Run) -> float:
    """0.5 where the protocol has it, else its first threshold."""
    thresholds = run.protocol.iou_thresholds
    return _IOU if _IOU in thresholds else thresholds[0]


def _counted(run: Run, position: int, place: tuple[int, int], grid: NDArray[np.float64]) -> Counts:
    """True and false positives [2, confidences] of one label; `place` is a cell and a detection limit."""
    import numpy as np

    from boxscore import _kernel

    table = _kernel.sweep_scores(run.matches.kernel, label=position, cell=place[0], limit=place[1])
    # Scores descend: so many of them are at or above each confidence.
    reached = np.searchsorted(-np.asarray(table.column("score")), -grid, side="right")
    columns = [np.asarray(table.column(name)).astype(np.int64) for name in ("true_positives", "false_positives")]
    return np.stack([np.concatenate([[0], column])[reached] for column in columns])


def _best(counts: Counts, objects: int, confidences: Sequence[float]) -> float | None:
    import numpy as np

    if not objects:
        return None
    f1 = 2 * counts[0] / (counts.sum(axis=0) + objects)
    return confidences[len(f1) - 1 - int(np.argmax(f1[::-1]))]


def _rounded(values: NDArray[np.float64]) -> list[float]:
    return [round(value, _PLACES) for value in values.tolist()]
