"""The arrays of `eval`: precision, recall and scores, on the grid of whatever parameters `accumulate` is given."""

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from boxscore import _kernel
from boxscore.compat.evaluation import Part
from boxscore.compat.params import Settings
from boxscore.errors import InputError
from boxscore.io.arrays import column
from boxscore.pipeline.evaluate import thread_count

Floats = npt.NDArray[np.float64]

ABSENT = -1.0
"""Undefined, in pycocotools' arrays."""


def accumulate(parts: Sequence[Part], evaluated: Settings, wanted: Settings) -> dict[str, Floats]:
    """`precision` and `scores` [T, R, K, A, M] and `recall` [T, K, A, M] of the wanted parameters.

    Thresholds, categories, area ranges and images are found among those evaluated by their value; a limit may be any
    up to the largest one evaluated. What was not evaluated, or has no ground truth, is -1.
    Raises InputError where categories were regarded in the one and not in the other.
    """
    if wanted.use_categories != evaluated.use_categories:
        raise InputError(
            f"params.useCats is {int(wanted.use_categories)}, but evaluate() ran with {int(evaluated.use_categories)}; "
            "set it before evaluate()"
        )
    limits = sorted({limit for limit in wanted.limits if limit <= max(evaluated.limits)})
    found = _on_evaluated_grid(parts, evaluated, wanted, limits)
    axes = [
        _positions(evaluated.labels, wanted.labels),
        _positions(evaluated.area_ranges, wanted.area_ranges),
        _positions(limits, wanted.limits),
    ]
    thresholds = _positions(evaluated.thresholds, wanted.thresholds)
    for name, values in found.items():
        placed = _placed(values, 0, thresholds)
        for axis, positions in enumerate(axes, start=values.ndim - 3):
            placed = _placed(placed, axis, positions)
        found[name] = np.ascontiguousarray(placed)
    return found


def _on_evaluated_grid(
    parts: Sequence[Part], evaluated: Settings, wanted: Settings, limits: list[int]
) -> dict[str, Floats]:
    """The arrays with evaluated thresholds, labels and areas, but the wanted recall points and limits."""
    points = np.array(wanted.recall_points)
    order = np.argsort(points, kind="stable")
    thresholds, labels, areas = len(evaluated.thresholds), len(evaluated.labels), len(evaluated.area_ranges)
    precision = np.full((thresholds, len(points), labels, areas, len(limits)), ABSENT)
    recall = np.full((thresholds, labels, areas, len(limits)), ABSENT)
    scores = precision.copy()
    for part in parts if limits and labels else ():
        curves = _curves(part, evaluated, wanted, limits, points[order].tolist())
        # The kernel's order is label, area, limit, threshold (, point); precision is kept at every limit.
        sizes = (curves.num_labels, curves.num_areas, curves.num_limits, curves.num_thresholds)
        of_recall = np.asarray(curves.recall).reshape(sizes)
        recall[part.thresholds, :, part.areas] = of_recall.transpose(3, 0, 1, 2)
        for target, kept in ((precision, curves.precision), (scores, curves.scores)):
            values = np.asarray(kept).reshape(*sizes, len(points)).transpose(3, 4, 0, 1, 2)
            # The kernel takes points that ascend; each figure goes back to where its point stands.
            target[part.thresholds, :, :, part.areas] = values[:, np.argsort(order)]
    return {"precision": precision, "recall": recall, "scores": scores}


def _curves(
    part: Part, evaluated: Settings, wanted: Settings, limits: list[int], points: list[float]
) -> _kernel.Curves:
    kept = set(wanted.image_ids)
    weights = np.array([image in kept for image in evaluated.image_ids], dtype=np.uint32)
    chosen = None if weights.all() else column(weights, "uint32")
    return _kernel.accumulate(
        part.matches,
        num_labels=len(evaluated.labels),
        num_areas=part.areas.stop - part.areas.start,
        limits=limits,
        recall_points=points,
        detection_weights=chosen,
        object_weights=chosen,
        every_limit=True,
        scores=True,
        threads=thread_count(None),
    )


def _positions(evaluated: Sequence[Hashable], wanted: Sequence[Hashable]) -> list[int]:
    """Where each wanted value stands among the evaluated; -1 where it does not."""
    place = {value: position for position, value in reversed(list(enumerate(evaluated)))}
    return [place.get(value, -1) for value in wanted]


def _placed(values: Floats, axis: int, positions: list[int]) -> Floats:
    """`values` at these positions of an axis; what stands nowhere is -1."""
    if positions == list(range(values.shape[axis])):
        return values
    one = list(values.shape)
    one[axis] = 1
    # Position -1 is the last, which is the padding.
    return np.concatenate([values, np.full(one, ABSENT)], axis).take(positions, axis)
