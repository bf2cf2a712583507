"""Resizing by OpenCV; the only place that imports cv2."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    import numpy as np

    Pixels = np.ndarray[Any, np.dtype[Any]]

FILTERS = {"linear": "INTER_LINEAR", "area": "INTER_AREA", "nearest": "INTER_NEAREST", "cubic": "INTER_CUBIC"}


def resize(picture: Pixels, size: tuple[int, int], how: str) -> Pixels:
    """A picture [h, w, 3], uint8 or float32, resized to (width, height) by one of FILTERS; the same type.

    On uint8 OpenCV computes in fixed point and rounds to whole levels. Raises InputError where OpenCV is missing.
    """
    cv2 = _opencv()
    resized: Pixels = cv2.resize(picture, size, interpolation=getattr(cv2, FILTERS[how]))
    return resized


def warp(picture: Pixels, matrix: Pixels, size: tuple[int, int]) -> Pixels:
    """A picture [h, w, 3] laid into one of (width, height) by an affine map [2, 3], from its pixels to the new ones.

    Bilinear; coordinates are those of pixel centres, and beyond its edges the picture goes on as it ends. Raises
    InputError where OpenCV is missing.
    """
    cv2 = _opencv()
    laid: Pixels = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return laid


def _opencv() -> ModuleType:
    try:
        import cv2
    except ImportError:
        raise InputError(
            "this card resizes by OpenCV, which is not installed; install it (pip install 'boxscore[predict]')"
        ) from None
    return cv2


def version() -> str:
    """OpenCV's version."""
    import cv2

    return cv2.__version__
