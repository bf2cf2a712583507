"""Perceptual hashes of pictures; the only place that imports imagehash."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

NAME = "pHash, 64 bits (imagehash)"
_BLOCK = 1 << 22
"""Pairs compared at a time."""


def hashes(paths: Sequence[str]) -> Hashes:
    """The perceptual hash of each picture, uint64 [pictures], turned upright first.

    It keeps the signs of the 8 × 8 lowest frequencies of a grey picture of 32 × 32 about their median, so that size,
    compression and brightness hardly change it; cropping, mirroring and turning do. Raises InputError for a picture
    that can't be read, and where imagehash is missing.
    """
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    _check_installed()
    with ThreadPoolExecutor() as pool:
        return np.array(list(pool.map(_hash, paths)), dtype=np.uint64)


def nearest(of: Hashes, among: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each hash its distance to the nearest other one, in bits, and the place of that (the first of equals)."""
    import numpy as np

    bits = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.uint8)
    rows = max(1, _BLOCK // max(len(among), 1))
    distance, place = np.empty(len(of), dtype=np.int64), np.empty(len(of), dtype=np.int64)
    for start in range(0, len(of), rows):
        differ = np.bitwise_xor(of[start : start + rows, None], among[None, :])
        counts = bits[differ.view(np.uint8).reshape(*differ.shape, 8)].sum(axis=2, dtype=np.int64)
        place[start : start + rows] = counts.argmin(axis=1)
        distance[start : start + rows] = counts.min(axis=1)
    return distance, place


def _check_installed() -> None:
    try:
        import imagehash  # noqa: F401  asked for before threads are
    except ImportError as error:
        raise InputError(f"perceptual hashes need imagehash ({error}); pip install 'boxscore[predict]'") from None


def _hash(path: str) -> int:
    import imagehash
    from PIL import Image, ImageOps

    try:
        with Image.open(path) as picture:
            upright = ImageOps.exif_transpose(picture)
            return int(str(imagehash.phash(upright)), 16)
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
        raise InputError(f"{path}: the picture can't be read ({error}); fetch it again, or leave it out") from None
