"""Resizing by Pillow, whose filters widen when a picture shrinks (antialiasing)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    Pixels = np.ndarray[Any, np.dtype[Any]]

FILTERS = {"bilinear": "BILINEAR", "bicubic": "BICUBIC", "nearest": "NEAREST"}


def resize(picture: Pixels, size: tuple[int, int], how: str) -> Pixels:
    """A picture [h, w, 3] resized to (width, height) by one of FILTERS; the same type.

    uint8 is rounded to whole levels after each of the two passes, as Pillow does; float32 is not.
    """
    import numpy as np
    from PIL import Image

    kind = Image.Resampling[FILTERS[how]]
    if picture.dtype == np.uint8:
        return np.asarray(Image.fromarray(picture).resize(size, kind))
    # Pillow knows floats in one channel alone.
    channels = [Image.fromarray(picture[..., i]).resize(size, kind) for i in range(picture.shape[2])]
    return np.stack([np.asarray(one) for one in channels], axis=-1)


def version() -> str:
    """Pillow's version."""
    import PIL

    return PIL.__version__
