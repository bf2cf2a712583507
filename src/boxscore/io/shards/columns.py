"""Rows on their way from a file into parts, and the Arrow tables of parts."""

from __future__ import annotations

from dataclasses import dataclass, field

from boxscore.io.shards import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np
    import pyarrow as pa

    from boxscore.io.shards.rows import Images

    Array = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Rows:
    """Some rows in the order of their file.

    `image` is the position of the image in canonical order, `label` a number that the source gives a meaning once it
    is read to its end. Detections have scores, objects have areas.
    """

    image: Array  # uint32
    label: Array  # uint32
    boxes: Array  # float64 [rows, 4]: x, y, w, h
    scores: Array | None = None
    area: Array | None = None
    flags: dict[str, Array] = field(default_factory=dict)  # bool
    source_id: Sequence[str | None] | None = None
    further: dict[str, Sequence[object]] = field(default_factory=dict)


def table_of(rows: Rows) -> pa.Table:
    """Rows as an Arrow table; `further` columns get the type of their values."""
    import pyarrow as pa

    columns: dict[str, Any] = {"image": pa.array(rows.image), "label": pa.array(rows.label)}
    columns |= {name: pa.array(rows.boxes[:, at]) for at, name in enumerate(layout.BOX)}
    if rows.scores is not None:
        columns["score"] = pa.array(rows.scores)
    if rows.area is not None:
        columns["area"] = pa.array(rows.area)
    columns |= {name: pa.array(values) for name, values in rows.flags.items() if values.any()}
    if rows.source_id is not None:
        columns["source_id"] = pa.array(rows.source_id, type=pa.string())
    columns |= {further_name(name): array_of(values) for name, values in rows.further.items()}
    return pa.table(columns)


def further_name(name: str) -> str:
    """What the table calls an attribute, so that none is taken for a column of our own."""
    return f"+{name}"


def array_of(values: Sequence[object]) -> pa.Array:
    """Values as an Arrow array: booleans, integers, floats, or the texts of all where they are of several kinds."""
    import pyarrow as pa

    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        kinds = {float} if float in kinds else kinds
    if kinds == {float}:
        return pa.array([None if value is None else float(value) for value in values], type=pa.float64())  # type: ignore[arg-type]  # numbers
    if len(kinds) <= 1 and kinds <= {bool, int, str}:
        try:
            return pa.array(values)
        except (pa.ArrowInvalid, OverflowError):
            pass  # an integer of more than 64 bits is kept by its digits
    return pa.array([None if value is None else str(value) for value in values], type=pa.string())


def one_type(types: Sequence[pa.DataType]) -> pa.DataType:
    """The type that holds the values of several: of integers and floats, floats; of anything else, texts."""
    import pyarrow as pa

    found = list(dict.fromkeys(kind for kind in types if not pa.types.is_null(kind)))
    if len(found) <= 1:
        return found[0] if found else pa.null()
    numeric = all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in found)
    return pa.float64() if numeric else pa.string()


def as_type(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """A column in another type."""
    import pyarrow as pa

    if column.type == kind:
        return column
    if pa.types.is_string(kind):
        texts = [None if value is None else str(value) for value in column.to_pylist()]
        return pa.chunked_array([pa.array(texts, type=kind)])
    return column.cast(kind)


def joined(tables: Sequence[pa.Table], types: Mapping[str, pa.DataType]) -> pa.Table:
    """Tables one behind the other, all with the columns of `types`; what one lacks is null there, a flag not set."""
    import pyarrow as pa

    columns = {}
    for name, kind in types.items():
        chunks: list[Any] = []
        for table in tables:
            if name in table.column_names:
                chunks += as_type(table.column(name), kind).chunks
            elif name in layout.FLAGS:
                chunks.append(pa.repeat(pa.scalar(False), table.num_rows))  # noqa: FBT003  the value
            else:
                chunks.append(pa.nulls(table.num_rows, kind))
        columns[name] = pa.chunked_array(chunks, type=kind)
    return pa.table(columns)


def sorted_by_image(table: pa.Table) -> pa.Table:
    """Rows by image; those of an image stay in their order, on which ties between detections depend."""
    import numpy as np

    image = table.column("image").to_numpy()
    if len(image) < 2 or (image[1:] >= image[:-1]).all():
        return table
    return table.take(np.argsort(image, kind="stable"))


def part_table(rows: pa.Table, images: Images, names: Sequence[str | None]) -> pa.Table:
    """The table of a part's rows: ids in place of positions, names in place of numbers; labels without a name go."""
    import numpy as np
    import pyarrow as pa

    numbers = rows.column("label").to_numpy()
    known = np.array([name is not None for name in names] or [False], dtype=bool)
    if len(numbers) and not known[numbers].all():
        rows = rows.filter(pa.array(known[numbers]))
        numbers = rows.column("label").to_numpy()
    positions = rows.column("image").to_numpy()
    columns: dict[str, Any] = {"image_id": ids_of(images, positions), "label": labels_of(numbers, names)}
    for name in rows.column_names:
        if name not in ("image", "label"):
            columns[name.removeprefix("+")] = rows.column(name)
    return pa.table(columns)


def ids_of(images: Images, positions: Array) -> pa.Array:
    """Image ids by position: integers, or texts; integers beside texts become texts nowhere, so they are refused."""
    import numpy as np
    import pyarrow as pa

    if not len(positions):
        return pa.array([], type=id_type(images))
    least, most = int(positions.min()), int(positions.max())
    held = pa.array(images.ids[least : most + 1], type=id_type(images))
    return held.take(pa.array(positions.astype(np.int64) - least))


def id_type(images: Images) -> pa.DataType:
    """The one type of all image ids. Raises InputError where they are of both kinds, or beyond 64 bits."""
    import pyarrow as pa

    from boxscore.errors import InputError
    from boxscore.model.labels import id_text

    if not images.ids or isinstance(images.ids[0], str):
        return pa.string() if images.ids else pa.int64()
    last = images.ids[-1]  # behind all numbers, where there are texts
    if isinstance(last, str):
        raise InputError(
            f"image ids are numbers ({images.ids[0]}) and texts ({id_text(last)}); a column of Parquet holds one kind: "
            "write all ids alike"
        )
    large = next((value for value in (images.ids[0], last) if not -(2**63) <= int(value) < 2**63), None)
    if large is not None:
        raise InputError(f"image id {large} has more than 64 bits, which a column of Parquet can't hold; write a text")
    return pa.int64()


def labels_of(numbers: Array, names: Sequence[str | None]) -> pa.Array:
    """Names of labels by number, those that occur alone, in their order."""
    import numpy as np
    import pyarrow as pa

    used, codes = np.unique(numbers, return_inverse=True)
    texts = [names[number] for number in used.tolist()]
    distinct = list(dict.fromkeys(texts))
    place = np.array([distinct.index(text) for text in texts] or [0], dtype=np.int32)
    indices = pa.array(place[codes.reshape(-1)] if len(numbers) else np.empty(0, np.int32), type=pa.int32())
    return pa.DictionaryArray.from_arrays(indices, pa.array(distinct, type=pa.string()))


def images_table(images: Images, first: int, last: int) -> pa.Table:
    """The table of images `first` up to, not including, `last`."""
    import pyarrow as pa

    columns: dict[str, Any] = {"image_id": pa.array(images.ids[first:last], type=id_type(images))}
    if any(name is not None for name in images.file_names):
        columns["file_name"] = pa.array(images.file_names[first:last], type=pa.string())
    for at, name in enumerate(("width", "height")):
        columns[name] = pa.array(images.sizes[first:last, at], from_pandas=True)  # NaN is null
    if images.groups is not None:
        columns["group"] = pa.array(images.groups[first:last], type=pa.string())
    for name, values in images.further.items():
        columns[name] = as_type(pa.chunked_array([array_of(values[first:last])]), further_type(values))
    return pa.table(columns)


def further_type(values: Sequence[object]) -> pa.DataType:
    """The type of a whole column of metadata, whichever of its rows a part holds."""
    step = 1 << 16
    return one_type([array_of(values[at : at + step]).type for at in range(0, len(values), step)])
