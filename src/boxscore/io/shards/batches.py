"""All rows of a sharded data set, some at a time: a part of our own, or some rows of a foreign file of any size."""

from __future__ import annotations

from itertools import pairwise

from boxscore.errors import InputError
from boxscore.io.shards import layout, parquet, rows
from boxscore.model.labels import id_order, id_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import pyarrow as pa

    from boxscore.io.shards.layout import PartFile, Shards
    from boxscore.io.shards.rows import Boxes, Images
    from boxscore.model.labels import Id


def images(shards: Shards) -> Iterator[Images]:
    """The images of each part, with metadata; of foreign files, those of each batch, so that one may come twice."""
    for part in shards.parts:
        if part.images is not None:
            yield rows.images_of_file(shards, part.images, further=True)
        elif part.objects is not None:
            brought = [shards.name_of(name) for name in ("image_id", "file_name", "width", "height")]
            for first, table in tables(shards, part.objects, brought):
                yield rows.images_of_rows(shards, part.objects, table, first=first)


def all_images(shards: Shards) -> Images:
    """The images of all parts in canonical order. Raises InputError for an image that two parts hold."""
    import numpy as np

    parts = list(images(shards))
    ids = [value for one in parts for value in one.ids]
    order = sorted(range(len(ids)), key=lambda at: id_order(ids[at]))
    ids = [ids[at] for at in order]
    for before, other in pairwise(ids):
        if before == other and isinstance(before, str) == isinstance(other, str) and shards.declared:
            raise InputError(
                f"{shards.source}: image_id {id_text(before)} stands in two parts; write the data set again"
            )
    kept = [at for at, value in enumerate(ids) if not at or value != ids[at - 1]]
    names = [name for one in parts for name in one.file_names]
    sizes = np.concatenate([np.empty((0, 2)), *(one.sizes for one in parts)])[order]
    known = any(one.groups is not None for one in parts)
    groups = [group for one in parts for group in one.groups or [None] * len(one.ids)]
    fields = dict.fromkeys(name for one in parts for name in one.further)
    further = {
        name: [value for one in parts for value in one.further.get(name, [None] * len(one.ids))] for name in fields
    }

    def in_order(values: Sequence[Any]) -> list[Any]:
        return [values[order[at]] for at in kept]

    return rows.Images(
        [ids[at] for at in kept],
        in_order(names),
        sizes[kept],
        in_order(groups) if known else None,
        {name: in_order(values) for name, values in further.items()},
    )


def image_fields(shards: Shards, names: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Further columns of the images in canonical order of these, those of the names that there are (None: all)."""
    ids: list[Id] = []
    found: dict[str, list[Any]] = {}
    for part in shards.parts:
        if part.images is None:
            continue
        there = parquet.schema(shards.root, part.images.path)[0]
        wanted = [name for name in there if name not in layout.IMAGE_COLUMNS and (names is None or name in names)]
        table = parquet.read(shards.root, part.images, ["image_id", *wanted])
        for name in wanted:
            found.setdefault(name, [None] * len(ids))
        ids += table.column("image_id").to_pylist()
        for name, values in found.items():
            values.extend(table.column(name).to_pylist() if name in wanted else [None] * table.num_rows)
    order = sorted(range(len(ids)), key=lambda at: id_order(ids[at]))
    return {name: [values[at] for at in order] for name, values in found.items()}


def objects(shards: Shards, ids: Sequence[Id]) -> Iterator[Boxes]:
    """All objects with their attributes, by position of their image among `ids`. Raises InputError."""
    for part in shards.parts:
        if part.objects is None:
            raise InputError(f"{shards.source}: part {part.number} has no ground truth; write the data set again")
        columns = rows.object_columns(shards)
        columns += [name for name in parquet.schema(shards.root, part.objects.path)[0] if name not in columns]
        for first, table in tables(shards, part.objects, columns):
            yield rows.boxes_of(shards, part.objects, table, ids, own=part.images is None, first=first)


def detections(shards: Shards, ids: Sequence[Id]) -> Iterator[Boxes]:
    """All detections of images among `ids`, likewise."""
    for part in shards.parts:
        if part.detections is None:
            raise InputError(f"{shards.source}: part {part.number} has no detections; write the predictions again")
        for first, table in tables(shards, part.detections, rows.detection_columns(shards)):
            yield rows.boxes_of(shards, part.detections, table, ids, own=False, score=True, first=first)


def tables(shards: Shards, file: PartFile, columns: Sequence[str]) -> Iterator[tuple[int, pa.Table]]:
    """Tables of a file with the number of their first row."""
    label = [name for name in (shards.name_of("label"),) if name in columns]
    if shards.declared:
        yield 0, parquet.read(shards.root, file, columns, texts=label)
        return
    first = 0
    for table in parquet.batches(shards.root, file, columns, texts=label):
        yield first, table
        first += table.num_rows


def ids_of_detections(shards: Shards) -> list[Id]:
    """The images that detections speak of, in canonical order; the column of ids alone is read."""
    name = shards.name_of("image_id")
    found: set[Id] = set()
    for part in shards.parts:
        if part.detections is not None:
            for _, table in tables(shards, part.detections, [name]):
                found |= set(table.column(name).unique().to_pylist())
    return sorted(found, key=id_order)
