"""Faces turned and scaled so that five points of them lie where an embedder learnt to see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIDE = 112
ARCFACE = (
    (38.2946, 51.6963),
    (73.5318, 51.5014),
    (56.0252, 71.7366),
    (41.5493, 92.3655),
    (70.7299, 92.2041),
)
"""Eyes, nose and corners of the mouth in a square of SIDE pixels, as ArcFace's embedders are trained on them."""


def similarity(points: Floats, onto: Floats) -> Floats:
    """The turn, scale and shift [2, 3] that lays `points` [n, 2] onto others with the least squares of distances.

    Closed form of Umeyama (1991), without mirroring. Raises InputError where all points are one.
    """
    import numpy as np

    middle, target = points.mean(axis=0), onto.mean(axis=0)
    around, around_target = points - middle, onto - target
    spread = (around**2).sum() / len(points)
    if spread == 0:
        raise InputError("the five points of a face lie in one place; give another picture, or another detector")
    left, strengths, right = np.linalg.svd(around_target.T @ around / len(points))
    signs = np.array([1.0, np.sign(np.linalg.det(left) * np.linalg.det(right)) or 1.0])
    turned = left @ np.diag(signs) @ right
    linear = turned * ((strengths * signs).sum() / spread)
    return np.concatenate([linear, (target - linear @ middle)[:, None]], axis=1)


def scale_of(matrix: Floats) -> float:
    """By how much a similarity [2, 3] enlarges."""
    import numpy as np

    return float(np.sqrt(np.abs(np.linalg.det(matrix[:, :2]))))
