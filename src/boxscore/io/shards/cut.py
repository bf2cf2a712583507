"""Where parts begin and end, and parts out of rows that come by image."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import InputError
from boxscore.io.shards import columns
from boxscore.model.labels import id_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy as np
    import pyarrow as pa

    from boxscore.io.shards.layout import Shards
    from boxscore.io.shards.rows import Images
    from boxscore.io.shards.spill import Spill

    Array = np.ndarray[Any, np.dtype[Any]]

IMAGES_A_PART = 4000
"""Where nothing else is asked for: of COCO's size with a hundred detections an image, 400,000 of them."""


@dataclass(frozen=True)
class Cutting:
    """How large parts are: at most so many images, or so many rows (an image stays whole); `like`, a data set's own.

    Raises InputError where both are given, or one is less than 1.
    """

    images: int | None = None
    rows: int | None = None
    like: Shards | None = None

    def __post_init__(self) -> None:
        if self.images is not None and self.rows is not None:
            raise InputError("images and rows a part are both given; give one of --images-per-part, --rows-per-part")
        for name, value in (("--images-per-part", self.images), ("--rows-per-part", self.rows)):
            if value is not None and value < 1:
                raise InputError(f"{name} is {value}; it must be a whole number from 1 on")

    def ranges(self, images: Images, counts: Array) -> list[tuple[int, int]]:
        """First image of each part, and the first that is not in it any more."""
        if self.rows is not None:
            ends = list(_by_rows(counts, self.rows))
        elif self.images is None and self.like is not None:
            ends = _like(self.like, images)
        else:
            step = self.images or IMAGES_A_PART
            ends = [*range(step, len(counts), step), len(counts)]
        starts = [0, *ends[:-1]]
        return [(start, end) for start, end in zip(starts, ends, strict=True) if end > start] or [(0, 0)]


def _by_rows(counts: Array, most: int) -> Iterator[int]:
    import numpy as np

    behind = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = int(behind[start - 1]) if start else 0
        start = max(start + 1, int(np.searchsorted(behind, before + most, side="right")))
        yield min(start, len(counts))


def _like(shards: Shards, images: Images) -> list[int]:
    """The cuts of another data set, so that a part of the one meets one part of the other."""
    import bisect

    order = [id_order(value) for value in images.ids]
    # Foreign parts are in order of their first images, and may overlap.
    ends = sorted(bisect.bisect_right(order, id_order(part.last)) for part in shards.parts if part.last is not None)
    return [*ends[:-1], len(order)] if ends else [len(order)]


def parts_of(spill: Spill, ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, pa.Table]]:
    """The rows of each range of images, in order: first image, end, rows."""
    arriving = spill.sorted()
    held: list[pa.Table] = []
    for start, end in ranges:
        needed = int(spill.counts[start:end].sum())
        own: list[pa.Table] = []
        while needed:
            if not held:
                held.append(next(arriving))
            table = held.pop(0)
            own.append(table.slice(0, needed))
            if table.num_rows > needed:
                held.append(table.slice(needed))
            needed -= own[-1].num_rows
        yield start, end, columns.joined(own, spill.types)
