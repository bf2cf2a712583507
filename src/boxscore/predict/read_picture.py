"""Pictures as models take them: RGB, 8 bits, turned the way a viewer shows them.

What is done with each odd kind of picture stands in docs/predict.md; `Picture.notes` tells it of the picture at hand.
Plain pictures give the very pixels that OpenCV's `imread` gives: both decode by the same libraries.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io import stores

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    Pixels = NDArray[np.uint8]

_ORIENTATION = 0x0112
_UPRIGHT = 1
_POINTER = b"version https://git-lfs"
_AS_THEY_ARE = ("RGB", "L", "1", "YCbCr")
"""Modes that become RGB without anything worth telling."""
_WITH_ALPHA = ("RGBA", "RGBa", "LA", "La", "PA")


@dataclass(frozen=True, slots=True)
class Picture:
    """A decoded picture: `rgb` uint8 [height, width, 3]; `notes` say in words what its odd kind made necessary."""

    rgb: Pixels
    width: int
    height: int
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, rgb: Pixels, notes: tuple[str, ...] = ()) -> Picture:
        """The picture of an array uint8 [height, width, 3] in RGB."""
        return cls(rgb, int(rgb.shape[1]), int(rgb.shape[0]), notes)


class _FaultError(Exception):
    """Why a picture can't be read, in words."""


def read(path: str | PathLike[str]) -> Picture:
    """Decode a picture file, or an object in a store (`s3://bucket/name.jpg`).

    Raises InputError that names the file, what is wrong (missing, empty, a Git LFS pointer, no picture, cut off,
    numbers of a kind that has no black and white) and what to do; StoreError where an object store doesn't answer.
    """
    reason = "it can't be read"
    try:
        return decoded(_bytes_of(path))
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, FileNotFoundError):
            reason = "there is no such picture; check the path"
    except _FaultError as fault:
        reason = str(fault)
    raise InputError(f"{path}: {reason}")


def _bytes_of(path: str | PathLike[str]) -> bytes:
    return stores.read(path) if isinstance(path, str) and stores.is_address(path) else Path(path).read_bytes()


@contextmanager
def without_warnings() -> Iterator[None]:
    """Pillow's warnings, of damaged tags and large pictures, are left unsaid: what matters is told of each picture.

    Python's filters belong to the process: for the main thread, around whatever others read.
    """
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"PIL\.")
        yield


def decoded(data: bytes) -> Picture:
    """Decode the bytes of a picture file. Raises what `read` turns into an InputError."""
    from PIL import Image, UnidentifiedImageError

    if not data:
        raise _FaultError("the file is empty (0 bytes); fetch it again")
    if data.startswith(_POINTER):
        raise _FaultError("it is a Git LFS pointer, not the picture itself; fetch that with `git lfs pull`")
    try:
        with Image.open(BytesIO(data)) as image:
            image.load()
            return _picture(image)
    except UnidentifiedImageError:
        raise _FaultError("it is no picture that Pillow knows, or cut off in its header; fetch it again") from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _FaultError("it has more pixels than Pillow opens; make it smaller, or cut it into tiles") from None
    except _FaultError:
        raise
    except Exception as error:  # noqa: BLE001  decoders of damaged files raise nearly anything
        raise _FaultError(f"it is damaged or cut off ({error}); fetch it again") from None


def _picture(image: Image) -> Picture:
    notes: list[str] = []
    if getattr(image, "is_animated", False):
        notes.append(f"the first of {getattr(image, 'n_frames', 'several')} frames")
    upright = _upright(image, notes)
    return Picture.of(_rgb(upright, notes), tuple(notes))


def _upright(image: Image, notes: list[str]) -> Image:
    """Turned as EXIF says. Damaged EXIF turns nothing, in no viewer."""
    from PIL import ImageOps

    try:
        orientation = image.getexif().get(_ORIENTATION, _UPRIGHT)
        if orientation not in range(2, 9):
            return image
        turned = ImageOps.exif_transpose(image)
    except Exception as error:  # noqa: BLE001  damaged EXIF raises nearly anything
        notes.append(f"damaged EXIF is passed over ({type(error).__name__})")
        return image
    notes.append(f"turned upright by EXIF orientation {orientation}")
    return turned


def _rgb(image: Image, notes: list[str]) -> Pixels:
    import numpy as np

    mode = image.mode
    if mode == "F":
        raise _FaultError("its pixels are floating-point numbers, without black and white; save it with 8 or 16 bits")
    if mode == "I" or mode.startswith("I;"):
        return _from_16_bits(image, notes)
    if mode in _WITH_ALPHA or "transparency" in image.info:
        notes.append("alpha is dropped; the colours under it stay")
    if mode in ("P", "PA"):
        notes.append("a palette is looked up")
    elif mode not in (*_AS_THEY_ARE, *_WITH_ALPHA):
        notes.append(f"{mode} becomes RGB without its colour profile")
    return np.asarray(image if mode == "RGB" else _plain(image))


def _plain(image: Image) -> Image:
    """RGB by Pillow's own conversion; transparency goes first, so that it doesn't mix colours."""
    if image.mode == "P":
        return image.convert("RGB")
    if image.mode in ("PA", "La"):
        return image.convert("LA" if image.mode == "La" else "RGBA").convert("RGB")
    return (image.convert("RGBA") if image.mode == "RGBa" else image).convert("RGB")


def _from_16_bits(image: Image, notes: list[str]) -> Pixels:
    """The high byte of 16 bits, as OpenCV takes it; Pillow's conversion would cut everything above 255."""
    import numpy as np

    values = np.asarray(image)
    if values.min() < 0 or values.max() > 65535:
        raise _FaultError("its pixels are 32-bit numbers beyond 0..65535; save it with 8 or 16 bits")
    notes.append("of 16 bits the high 8 are taken")
    grey = (values.astype(np.uint16) >> 8).astype(np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2)
