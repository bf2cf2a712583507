"""How far boxes lie off when the pad of a letterbox is forgotten."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_DEFAULT = (0.0, 16.0)
"""Pixels, of a picture of 640 x 480 in an input of 320 x 256; where the input has the picture's own ratio."""


def pad_of(picture: tuple[int, int], given: tuple[int, int]) -> tuple[float, float]:
    """Pixels of the picture, left and above it, that a centred letterbox adds when it fits into an input of that size.

    Both sizes are width and height. Where the picture fills the input there is no pad, and the default is given.
    """
    scale = min(given[0] / picture[0], given[1] / picture[1])
    pads = [(side - scale * own) / 2 / scale for own, side in zip(picture, given, strict=True)]
    left, above = (round(max(pad, 0.0), 2) for pad in pads)
    return (left, above) if left or above else _DEFAULT


def shifted_overlap(box: Sequence[float], by: tuple[float, float]) -> float:
    """Intersection over union of a box (x, y, w, h) with itself moved; 0 for one without area."""
    _, _, width, height = box
    shared = max(width - abs(by[0]), 0.0) * max(height - abs(by[1]), 0.0)
    union = 2 * width * height - shared
    return shared / union if union > 0 else 0.0
