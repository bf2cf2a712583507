"""Sizes of pictures from their headers, the way a viewer shows them; the only place that imports PIL.

Nothing is decoded: a header is some hundred bytes, however large the picture.
"""

# ruff: noqa: PTH123  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from PIL.Image import Image

SUFFIXES = frozenset(
    [
        ".avif",
        ".bmp",
        ".dng",
        ".gif",
        ".heic",
        ".jfif",
        ".jp2",
        ".jpe",
        ".jpeg",
        ".jpg",
        ".mpo",
        ".pgm",
        ".png",
        ".ppm",
        ".tif",
        ".tiff",
        ".webp",
    ]
)
"""Names that end so, in any case, are pictures."""

_ORIENTATION = 0x0112
_ON_ITS_SIDE = (5, 6, 7, 8)
"""EXIF orientations by which width and height change places."""
_ENDS = {b"\xff\xd8\xff": b"\xff\xd9", b"\x89PNG\r\n\x1a\n": b"IEND\xaeB`\x82"}
"""The last bytes of a whole file, by its first."""
_TAIL = 4096
"""Cameras append thumbnails and blanks; the end is looked for in this many bytes."""


def picture_size(path: str | PathLike[str]) -> tuple[int, int]:
    """Width and height of a picture as it is shown, in pixels: an EXIF orientation that turns it is respected.

    Raises InputError that names the file where it is missing, no picture, or cut off within its header.
    """
    return picture_sizes([os.fspath(path)])[0]


def picture_sizes(paths: Sequence[str]) -> list[tuple[int, int]]:
    """`picture_size` of each. Raises InputError as it does."""
    import warnings

    with warnings.catch_warnings():
        # Pillow warns of damaged EXIF, which then turns nothing, and of pictures too large to decode, which we don't.
        warnings.simplefilter("ignore")
        return [_size(path) for path in paths]


def try_picture_size(path: str | PathLike[str]) -> tuple[int, int] | None:
    """`picture_size`, or None where it can't be read."""
    try:
        return picture_size(path)
    except InputError:
        return None


def picture_fault(path: str | PathLike[str]) -> str | None:
    """What is wrong with a picture, in words: unreadable, or cut off (JPEG and PNG lack their end); None: nothing."""
    shown = os.fspath(path)
    try:
        picture_size(shown)
    except InputError as error:
        return str(error)
    with open(shown, "rb") as file:
        head = file.read(8)
        file.seek(0, os.SEEK_END)
        file.seek(-min(file.tell(), _TAIL), os.SEEK_END)
        tail = file.read()
    cut = any(head.startswith(first) and last not in tail for first, last in _ENDS.items())
    return f"{shown} is cut off: its end is missing; fetch or write it again" if cut else None


def _size(path: str) -> tuple[int, int]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            width, height = picture.size
            return (height, width) if _is_on_its_side(picture) else (width, height)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such picture") from None
    except UnidentifiedImageError:
        raise InputError(f"{path}: {_no_picture(path)}; fetch it again, or give sizes by --img-size") from None
    except Image.DecompressionBombError:
        raise InputError(f"{path}: the picture has more pixels than Pillow opens; give sizes by a table") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise InputError(f"{path}: the picture can't be read ({error}); fetch it again, or leave it out") from None


def _is_on_its_side(picture: Image) -> bool:
    # Pillow turns TIFF's size itself; PNG is decoded whole in search of EXIF that doesn't stand before the pixels.
    if picture.format == "TIFF" or (picture.format == "PNG" and "exif" not in picture.info):
        return False
    try:
        return picture.getexif().get(_ORIENTATION) in _ON_ITS_SIDE
    except Exception:  # noqa: BLE001  damaged EXIF raises nearly anything, and turns no viewer's picture
        return False


def _no_picture(path: str) -> str:
    with open(path, "rb") as file:
        head = file.read(64)
    if not head:
        return "the file is empty (0 bytes)"
    if head.startswith(b"version https://git-lfs"):
        return "it is a Git LFS pointer, not the picture itself (`git lfs pull` fetches it)"
    return "it is no picture, or cut off in its header"
