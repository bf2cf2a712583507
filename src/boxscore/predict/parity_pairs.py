"""Which detections of two sides are the same object, and how far they lie apart."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.predict.decode import Found

    Floats = NDArray[np.float64]

PAIRED = 0.5
"""Detections of one label that overlap by less are not called the same object."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of one picture: rows of both sides, their overlap, score difference and largest corner difference."""

    one: NDArray[np.intp]
    other: NDArray[np.intp]
    iou: Floats
    score: Floats
    pixels: Floats


def pairs(one: Found, other: Found) -> Pairs:
    """Pair the detections of one picture, each with one of its label: largest overlap first, then nearest score.

    `pixels` is the largest difference of a side of the two boxes, in pixels of the picture.
    """
    import numpy as np

    overlap = overlaps(one.boxes, other.boxes)
    possible = (overlap >= PAIRED) & (one.labels[:, None] == other.labels[None, :])
    rows, columns = np.nonzero(possible)
    apart = np.abs(one.scores[rows] - other.scores[columns])
    free_one, free_other = np.ones(len(one), bool), np.ones(len(other), bool)
    taken: list[int] = []
    for at in np.lexsort((columns, rows, apart, -overlap[rows, columns])):
        if free_one[rows[at]] and free_other[columns[at]]:
            free_one[rows[at]] = free_other[columns[at]] = False
            taken.append(at)
    taken.sort()
    rows, columns = rows[taken], columns[taken]
    pixels = np.abs(one.boxes[rows] - other.boxes[columns]).max(axis=1, initial=0.0)
    return Pairs(rows, columns, overlap[rows, columns], apart[taken], pixels)


def overlaps(one: Floats, other: Floats) -> Floats:
    """IoU [n, m] of boxes [n, 4] and [m, 4]; 1 for equal boxes, even without an area."""
    import numpy as np

    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    shared = np.maximum(high - low, 0).prod(axis=2)
    union = _areas(one)[:, None] + _areas(other)[None, :] - shared
    found: Floats = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    found[(one[:, None] == other[None]).all(axis=2)] = 1.0
    return found


def _areas(boxes: Floats) -> Any:  # noqa: ANN401  an array
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
