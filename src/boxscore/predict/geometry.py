"""Sizes: how large a picture becomes, how large the model's input is around it, and where in it the picture lies."""

from __future__ import annotations

import math
from dataclasses import dataclass

from boxscore.predict.placement import Placement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.predict.card_parts import Input


@dataclass(frozen=True, slots=True)
class Geometry:
    """Sizes are (width, height) in pixels: `new` is the picture's after resizing, `canvas` the whole input's."""

    new: tuple[int, int]
    canvas: tuple[int, int]
    placement: Placement


def geometry(settings: Input, width: int, height: int) -> Geometry:
    """The geometry of a picture of `width` × `height` pixels."""
    new, ratio = _new_size(settings, width, height)
    canvas = _canvas(settings, new, (width, height))
    left, top = (0, 0) if settings.align == "top-left" else ((canvas[0] - new[0]) // 2, (canvas[1] - new[1]) // 2)
    scale_x, scale_y = new[0] / width, new[1] / height
    if settings.inverse == "ratio" and settings.resize != "stretch":
        scale_x = scale_y = ratio
    elif settings.inverse == "height" and settings.resize != "stretch":
        scale_x = scale_y
    return Geometry(new, canvas, Placement(scale_x, scale_y, float(left), float(top), width, height))


def _new_size(settings: Input, width: int, height: int) -> tuple[tuple[int, int], float]:
    """The picture's new size, and the ratio it was computed from."""
    if settings.resize == "none":
        return (width, height), 1.0
    wide, high = settings.size
    if settings.resize == "stretch":
        return (wide, high), 1.0
    ratio = min(wide / width, high / height)
    if not settings.scale_up:
        ratio = min(ratio, 1.0)
    # A picture a thousand times as long as it is wide would lose its short side.
    new = max(1, rounded(width * ratio, settings.rounding)), max(1, rounded(height * ratio, settings.rounding))
    # Rounding up may step over the side that was to be met exactly, by the last bit of a float.
    return (min(new[0], wide), min(new[1], high)), ratio


def rounded(value: float, how: str) -> int:
    """A side in whole pixels: `truncate`, `round` (to even at one half), `half-up` or `up`."""
    if how == "truncate":
        return int(value)
    if how == "round":
        return round(value)
    return int(value + 0.5) if how == "half-up" else math.ceil(value)


def _canvas(settings: Input, new: tuple[int, int], original: tuple[int, int]) -> tuple[int, int]:
    if settings.resize in ("letterbox", "stretch"):
        return _to_stride(settings.size, settings.stride)
    if settings.stride_extra:
        width, height = _exact_sides(settings.size, *original)
        return (
            math.ceil(width / settings.stride + settings.stride_extra) * settings.stride,
            math.ceil(height / settings.stride + settings.stride_extra) * settings.stride,
        )
    return _to_stride(new, settings.stride)


def _to_stride(size: tuple[int, int], stride: int) -> tuple[int, int]:
    return -(-size[0] // stride) * stride, -(-size[1] // stride) * stride


def _exact_sides(size: tuple[int, int], width: int, height: int) -> tuple[float, float]:
    """Sides before rounding; by way of height / width, because a last bit decides about a whole stride."""
    aspect = height / width
    if width * size[1] >= height * size[0]:
        return float(size[0]), aspect * size[0]
    return 1 / aspect * size[1], float(size[1])
