"""Resizing by its definition, one output pixel after the other: float arithmetic, no library's shortcuts."""

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def triangle_weights(old: int, new: int, *, widened: bool) -> Array:
    """Weights [new, old] of linear interpolation between centres of pixels along one side.

    `widened`: the triangle is as wide as the picture shrinks (antialiasing); without it, always two pixels.
    Weights outside the picture fall to its edge pixel without widening, and are left out with it.
    """
    scale = old / new
    weights = np.zeros((new, old))
    for i in range(new):
        centre = (i + 0.5) * scale
        if widened:
            support = max(scale, 1.0)
            for j in range(max(0, math.floor(centre - support)), min(old, math.ceil(centre + support) + 1)):
                weights[i, j] = max(0.0, 1.0 - abs((j + 0.5 - centre) / support))
            weights[i] /= weights[i].sum()
        else:
            first = math.floor(centre - 0.5)
            share = centre - 0.5 - first
            weights[i, min(max(first, 0), old - 1)] += 1.0 - share
            weights[i, min(max(first + 1, 0), old - 1)] += share
    return weights


def area_weights(old: int, new: int) -> Array:
    """Weights [new, old]: how much of each old pixel lies under each new one (shrinking)."""
    scale = old / new
    weights = np.zeros((new, old))
    for i in range(new):
        start, end = i * scale, (i + 1) * scale
        for j in range(math.floor(start), min(old, math.ceil(end))):
            weights[i, j] = max(0.0, min(end, j + 1) - max(start, j))
        weights[i] /= weights[i].sum()
    return weights


def resized(picture: Array, size: tuple[int, int], how: str) -> Array:
    """A picture [h, w, 3] as floats, resized to (width, height): `linear`, `antialiased` or `area`."""
    height, width = picture.shape[:2]
    if how == "area" and (size[0] > width or size[1] > height):
        raise ValueError("growing by area is another filter")
    if how == "area":
        across, down = area_weights(width, size[0]), area_weights(height, size[1])
    else:
        across, down = (
            triangle_weights(old, new, widened=how == "antialiased")
            for old, new in ((width, size[0]), (height, size[1]))
        )
    found: Array = np.einsum("yh,hwc,xw->yxc", down, picture.astype(np.float64), across, optimize=True)
    return found
