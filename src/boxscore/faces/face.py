"""A face cut from its picture, and made into an embedder's input at any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.degrade import Recipe
    from boxscore.faces.embedder import FaceInput

    Pixels = NDArray[np.uint8]
    Floats = NDArray[np.float64]

_SURROUNDINGS = 0.5
"""Of the face's side, kept on each side of a face that will be turned by its points."""


@dataclass(frozen=True, slots=True)
class Square:
    """Where a face lies in its picture, in continuous pixels: the middle, and the side of the square round it.

    `points` [5, 2] are eyes, nose and corners of the mouth, None where nobody looked for them. A face's size is `side`.
    """

    x: float
    y: float
    side: int
    points: Floats | None = None


@dataclass(frozen=True, slots=True)
class Face:
    """A face with what an embedder wants to see round it: uint8 RGB [c, c, 3], of which the face itself is `side`."""

    pixels: Pixels
    side: int
    points: Floats | None = None

    def is_native_at(self, size: int | None) -> bool:
        """Whether a size (None: the native one) leaves this face as it is."""
        return size is None or size >= self.side


def whole_picture(width: int, height: int) -> Square:
    """The largest square in the middle of a picture that shows a face and nothing else."""
    return Square(width / 2, height / 2, min(width, height))


def cut(picture: Pixels, square: Square, settings: FaceInput, *, found: bool) -> Face:
    """The face of a picture, uint8 RGB [h, w, 3]; beyond its edges the picture goes on as it ends.

    Without a detector (`found` false) pictures are cut as the embedder wants them, so that no margin is added.
    """
    margin = _SURROUNDINGS if settings.alignment == "five-point" else settings.margin if found else 0.0
    side = round(square.side * (1 + 2 * margin))
    left, top = round(square.x - side / 2), round(square.y - side / 2)
    points = None if square.points is None else square.points - (left, top)
    return Face(_taken(picture, left, top, side), square.side, points)


def _taken(picture: Pixels, left: int, top: int, side: int) -> Pixels:
    import numpy as np

    height, width = picture.shape[:2]
    rows = np.clip(np.arange(top, top + side), 0, height - 1)
    columns = np.clip(np.arange(left, left + side), 0, width - 1)
    return np.ascontiguousarray(picture[rows[:, None], columns[None, :]])


def prepared(face: Face, settings: FaceInput, size: int | None, recipe: Recipe, key: str) -> Pixels:
    """The embedder's input, uint8 RGB [s, s, 3], of a face degraded to a size in pixels (None: native).

    The face is shrunk first, to a side of `size`, and brought to the input from there. `key` is what noise is drawn
    from.
    """
    from boxscore.faces.degrade import degraded

    pixels, points = face.pixels, face.points
    if size is not None and not face.is_native_at(size):
        side = max(1, round(len(pixels) * size / face.side))
        pixels, points = degraded(pixels, side, recipe, key), _scaled(points, side / len(pixels))
    if settings.alignment == "five-point" and points is not None:
        return _aligned(pixels, points, settings)
    return _resized(pixels, settings.size)


def _scaled(points: Floats | None, scale: float) -> Floats | None:
    return None if points is None else points * scale


def _resized(pixels: Pixels, side: int) -> Pixels:
    from boxscore.predict import opencv

    if len(pixels) == side:
        return pixels
    return opencv.resize(pixels, (side, side), "area" if len(pixels) > side else "linear")


def _aligned(pixels: Pixels, points: Floats, settings: FaceInput) -> Pixels:
    import numpy as np

    from boxscore.faces.alignment import scale_of, similarity
    from boxscore.predict import opencv

    onto = np.array(settings.points)
    # A warp looks at two pixels a side however much it shrinks; what is too large is shrunk by area first.
    side = round(len(pixels) * scale_of(similarity(points, onto)))
    if 0 < side < len(pixels):
        points = points * (side / len(pixels))
        pixels = opencv.resize(pixels, (side, side), "area")
    # Points are continuous, warps speak of pixel centres.
    matrix = similarity(points - 0.5, onto - 0.5)
    return opencv.warp(pixels, matrix, (settings.size, settings.size))
