"""Greedy non-maximum suppression as its definition reads, box by box."""

from collections.abc import Sequence

Box = Sequence[float]


def iou(one: Box, other: Box) -> float:
    """Intersection over union of two boxes x1, y1, x2, y2; 0 where neither has an area."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    areas = (one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1])
    return shared / (areas - shared)


def suppressed(
    boxes: Sequence[Box], scores: Sequence[float], labels: Sequence[int] | None, threshold: float
) -> list[int]:
    """Indices of the boxes that stay, best first, the first given among equal scores."""
    stays: list[int] = []
    for row in sorted(range(len(boxes)), key=lambda row: -scores[row]):
        rivals = [one for one in stays if labels is None or labels[one] == labels[row]]
        if all(iou(boxes[one], boxes[row]) <= threshold for one in rivals):
            stays.append(row)
    return stays
