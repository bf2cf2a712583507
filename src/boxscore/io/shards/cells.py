"""Columns of Parquet tables as NumPy arrays, each checked to be what it has to be."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import stores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import pyarrow as pa

    from boxscore.io.shards.layout import PartFile, Shards
    from boxscore.model.labels import Id

    Array = np.ndarray[Any, np.dtype[Any]]


def objects(column: pa.ChunkedArray) -> Array:
    """Values of any type, None where one is missing."""
    import numpy as np

    values = np.empty(len(column), dtype=object)
    values[:] = column.to_pylist()
    return values


def positions(stated: pa.ChunkedArray, ids: Sequence[Id]) -> tuple[Array, Array | None]:
    """Position of each row's image among `ids`, and the rows that have one (None: all)."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_integer(stated.type) and all(isinstance(value, int) for value in ids):
        values = stated.to_numpy()
        known = np.asarray(ids, dtype=values.dtype if len(ids) == 0 else np.int64)
        at = np.searchsorted(known, values)
        found = known[np.minimum(at, max(len(known) - 1, 0))] == values if len(known) else np.zeros(len(values), bool)
    else:
        # Ids of a file are of one kind: integers and texts that look alike are not the same.
        alike = [value if _is_kind(value, stated.type) else None for value in ids]
        at = pc.index_in(stated.combine_chunks(), pa.array(alike, type=stated.type)).to_numpy(zero_copy_only=False)
        found = ~np.isnan(at) if at.dtype.kind == "f" else np.ones(len(at), dtype=bool)
    if found.all():
        return at.astype(np.uint32), None
    rows = np.flatnonzero(found)
    return at[rows].astype(np.uint32), rows


def _is_kind(value: Id, kind: pa.DataType) -> bool:
    import pyarrow as pa

    return isinstance(value, int) == bool(pa.types.is_integer(kind))


def label_codes(stated: pa.ChunkedArray) -> tuple[Array, list[str]]:
    """Position of each row's label among the names that occur, -1: none."""
    import numpy as np
    import pyarrow as pa

    one = stated.unify_dictionaries().combine_chunks() if pa.types.is_dictionary(stated.type) else stated
    if not pa.types.is_dictionary(one.type):
        one = one.combine_chunks().dictionary_encode()
    if isinstance(one, pa.ChunkedArray):
        one = one.chunk(0) if one.num_chunks else pa.array([], type=one.type)
    codes = one.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, [str(name) for name in one.dictionary.to_pylist()]


def numbers(column: pa.ChunkedArray) -> Array:
    """float64, NaN where one is missing."""
    import numpy as np

    numbers: Array = column.to_numpy().astype(np.float64, copy=False)
    return numbers


def flags(shards: Shards, file: PartFile, column: pa.ChunkedArray, name: str, first: int) -> Array:
    """Truth values, or 0 and 1; what is missing is not set."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_boolean(column.type):
        return np.asarray(pc.fill_null(column, False).to_numpy(), dtype=bool).astype(np.uint8)  # noqa: FBT003  the value
    if pa.types.is_null(column.type):
        return np.zeros(len(column), dtype=np.uint8)
    place, stated = stores.joined(shards.root, file.path), shards.name_of(name)
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise InputError(f"{place}: column {stated} is of type {column.type}; flags are true and false, or 1 and 0")
    values = np.nan_to_num(column.to_numpy().astype(np.float64))
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(f"{place} row {row + first}: {stated} is {column[row].as_py()}; it must be 0 or 1")
    found: Array = values.astype(np.uint8)
    return found


def chosen(values: Array, rows: Array | None) -> Array:
    """The values of some rows; None: of all."""
    return values if rows is None else values[rows]


def needed(shards: Shards, file: PartFile, column: pa.ChunkedArray, name: str, rows: Array | None, first: int) -> Array:
    """Numbers, none of which may be missing in the rows that count."""
    of_numbers(shards, file, column, name)
    if column.null_count and (rows is None or column.is_null().to_numpy()[rows].any()):
        raise missing(shards, file, column, name, first, rows)
    return chosen(numbers(column), rows)


def of_numbers(shards: Shards, file: PartFile, column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """A column of numbers. Raises InputError for another."""
    import pyarrow as pa

    kinds = (pa.types.is_floating, pa.types.is_integer, pa.types.is_null)
    if not any(is_kind(column.type) for is_kind in kinds):
        place = stores.joined(shards.root, file.path)
        raise InputError(f"{place}: column {shards.name_of(name)} is of type {column.type}; it must hold numbers")
    return column


def missing(
    shards: Shards, file: PartFile, column: pa.ChunkedArray, name: str, first: int, rows: Array | None = None
) -> InputError:
    """That a value is missing, with the first such row (of `rows`); `first` is the number of the column's first row in
    its file.
    """
    import numpy as np

    lacking = np.flatnonzero(column.is_null().to_numpy())
    row = int((lacking if rows is None else np.intersect1d(lacking, rows))[0]) + first
    place = stores.joined(shards.root, file.path)
    return InputError(f"{place} row {row}: {shards.name_of(name)} is missing; give it in every row")
