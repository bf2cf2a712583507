"""A picture made into a model's input as its card says, and where it lies in there."""

from __future__ import annotations

from functools import lru_cache

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.predict.geometry import geometry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from boxscore.predict.card import Card
    from boxscore.predict.card_parts import Input, Normalise
    from boxscore.predict.placement import Placement

    Pixels = np.ndarray[Any, np.dtype[Any]]
    Tensor = np.ndarray[Any, np.dtype[np.float32]]


def prepare(card: Card, picture: Pixels) -> tuple[Tensor, Placement]:
    """The input [3, H, W], float32, of a picture, uint8 RGB [h, w, 3]; and the picture's placement in it.

    Raises InputError for a picture of another shape or type, and where the resizing library is not installed.
    """
    return prepare_as(card.input, picture)


def prepare_as(settings: Input, picture: Pixels) -> tuple[Tensor, Placement]:
    """`prepare` by a card's input settings alone."""
    _check(picture)
    height, width = picture.shape[:2]
    found = geometry(settings, width, height)
    resized = _resized(settings, picture, found.new)
    return _laid(settings, resized, found.canvas, found.placement), found.placement


def second_input(card: Card, batch: Tensor) -> dict[str, np.ndarray[Any, np.dtype[Any]]]:
    """The second input of the model by name, [b, 2], for a batch [b, 3, H, W]; empty where it has none.

    It holds the size of the input and not of the picture, so that boxes come out in pixels of the input and go back
    through the placement like those of every other model.
    """
    import numpy as np

    stated = card.input.second_input
    if stated is None:
        return {}
    _, _, height, width = batch.shape
    size = (width, height) if stated.order == "wh" else (height, width)
    return {stated.name: np.tile(np.array([size], dtype=stated.type), (batch.shape[0], 1))}


def _check(picture: Pixels) -> None:
    import numpy as np

    shape: tuple[int, ...] = getattr(picture, "shape", ())
    if getattr(picture, "dtype", None) != np.uint8 or len(shape) != 3 or shape[2] != 3 or 0 in shape:
        stated = f"{getattr(picture, 'dtype', shown(picture))} of shape {shape}"
        raise InputError(f"a picture is {stated}; it must be RGB, uint8 [height, width, 3], with at least one pixel")


def _resized(settings: Input, picture: Pixels, size: tuple[int, int]) -> Pixels:
    import numpy as np

    library, how, *as_float = settings.interpolation.split("-")
    given = picture.astype(np.float32) if as_float else picture
    if (given.shape[1], given.shape[0]) == size:
        return given
    if library == "opencv":
        from boxscore.predict import opencv

        return opencv.resize(given, size, how)
    from boxscore.predict import pillow

    return pillow.resize(given, size, how)


def _laid(settings: Input, picture: Pixels, canvas: tuple[int, int], placement: Placement) -> Tensor:
    """The picture in the card's order of channels, channels first, padded and normalised.

    Plane by plane into its place: turning the pixels around first, or padding them as whole levels, is a second copy
    that takes as long as the resizing.
    """
    import numpy as np

    height, width = picture.shape[:2]
    top, left = int(placement.top), int(placement.left)
    found = np.empty((3, canvas[1], canvas[0]), dtype=np.float32)
    for channel in range(3):
        plane = found[channel]
        pad = _of_values(settings.normalise, channel, np.array(settings.pad[channel]))
        plane[:top], plane[top + height :] = pad, pad
        plane[top : top + height, :left], plane[top : top + height, left + width :] = pad, pad
        of_picture = channel if settings.channels == "rgb" else 2 - channel
        plane[top : top + height, left : left + width] = _normalised(
            settings.normalise, channel, picture[..., of_picture]
        )
    return found


def _normalised(normalise: Normalise, channel: int, values: Pixels) -> Pixels:
    import numpy as np

    if values.dtype != np.uint8:
        return _of_values(normalise, channel, values.astype(np.float64))
    return values if normalise.is_nothing() else np.take(_levels(normalise)[channel], values, mode="clip")


@lru_cache(maxsize=16)
def _levels(normalise: Normalise) -> Tensor:
    """What each of the 256 levels becomes in each channel, [3, 256].

    Looked up, a level is rounded to float32 once, and not after each step of the arithmetic.
    """
    import numpy as np

    every = np.arange(256, dtype=np.float64)
    return np.stack([_of_values(normalise, channel, every) for channel in range(3)]).astype(np.float32)


def _of_values(normalise: Normalise, channel: int, values: Pixels) -> Pixels:
    found: Pixels = (values / normalise.divide - normalise.mean[channel]) / normalise.std[channel]
    return found
