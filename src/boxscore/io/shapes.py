"""Boxes around other shapes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Point = tuple[float, float]


def box_around(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """x, y, w, h of the box around points; at least one."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return left, top, max(x for x, _ in points) - left, max(y for _, y in points) - top


def box_of_circle(centre: Point, on_edge: Point) -> tuple[float, float, float, float]:
    """x, y, w, h of the box around a circle given by its centre and a point on it."""
    radius = ((centre[0] - on_edge[0]) ** 2 + (centre[1] - on_edge[1]) ** 2) ** 0.5
    return centre[0] - radius, centre[1] - radius, 2 * radius, 2 * radius
