"""Rows of predictions whose images the ground truth lacks."""

from __future__ import annotations

from dataclasses import dataclass, field

from boxscore.io import stores
from boxscore.io.shards import batches
from boxscore.model.labels import id_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    import numpy as np
    import pyarrow as pa

    from boxscore.io.shards.layout import Shards
    from boxscore.model.labels import Id

    Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class FirstRow:
    """Where a row stands: its image, its position among the image's rows, and file and row in words."""

    image_id: Id
    within: int
    words: str


@dataclass
class Unknown:
    """How many rows and images there are, the first row of the least image, and the labels of the rows."""

    rows: int = 0
    images: int = 0
    first: FirstRow | None = None
    labels: dict[str, tuple[int, FirstRow]] = field(default_factory=dict)


def unknown_images(shards: Shards, known: Collection[Id]) -> Unknown:
    """What predictions say of images that are not known. Reads ids and labels alone, some rows at a time.

    Raises InputError for a part that can't be read.
    """
    found = Unknown()
    seen: dict[Id, int] = {}
    image, label = shards.name_of("image_id"), shards.name_of("label")
    for part in shards.parts:
        if part.detections is None:
            continue
        place = stores.joined(shards.root, part.detections.path)
        for start, table in batches.tables(shards, part.detections, [image, label]):
            _add(found, seen, known, table.column(image), table.column(label), (place, start))
    found.images = len(seen)
    return found


def _add(
    found: Unknown,
    seen: dict[Id, int],
    known: Collection[Id],
    ids: pa.ChunkedArray,
    labels: pa.ChunkedArray,
    place: tuple[str, int],
) -> None:
    """The rows of one table; `seen` counts the rows of each image so far."""
    import numpy as np

    image, values = _coded(ids)
    order = sorted((at for at, value in enumerate(values) if value not in known), key=lambda at: id_order(values[at]))
    rank = np.full(len(values) or 1, -1)
    rank[order] = np.arange(len(order))
    rows = np.flatnonzero(rank[image] >= 0)
    if not len(rows):
        return
    found.rows += len(rows)
    rows = rows[np.lexsort((rows, rank[image[rows]]))]
    ranks = rank[image[rows]]
    within = np.arange(len(rows)) - np.searchsorted(ranks, ranks)

    def at(position: int) -> FirstRow:
        value = values[int(image[rows[position]])]
        return FirstRow(
            value, seen.get(value, 0) + int(within[position]), f"{place[0]} row {place[1] + rows[position]}"
        )

    found.first = _earlier(found.first, at(0))
    label, names = _coded(labels)
    codes, first, counts = np.unique(label[rows], return_index=True, return_counts=True)
    for code, position, count in zip(codes.tolist(), first.tolist(), counts.tolist(), strict=True):
        before = found.labels.get(str(names[code]))
        here = at(position)
        total = count + (before[0] if before else 0)
        found.labels[str(names[code])] = (total, here if before is None else _earlier(before[1], here))
    _, starts, counts = np.unique(ranks, return_index=True, return_counts=True)
    for position, count in zip(starts.tolist(), counts.tolist(), strict=True):
        value = values[int(image[rows[position]])]
        seen[value] = seen.get(value, 0) + count


def _earlier(one: FirstRow | None, other: FirstRow) -> FirstRow:
    if one is None:
        return other
    return min(one, other, key=lambda row: (*id_order(row.image_id), row.within))


def _coded(column: pa.ChunkedArray) -> tuple[Array, list[Any]]:
    """Values as numbers, and what these stand for."""
    import numpy as np
    import pyarrow as pa

    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    one = encoded.unify_dictionaries().combine_chunks()
    if isinstance(one, pa.ChunkedArray):
        one = one.chunk(0) if one.num_chunks else pa.array([], type=one.type)
    codes = one.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, one.dictionary.to_pylist()
