"""Parquet files that boxscore did not write, as shards: a folder, a partitioned folder, a pattern or an address.

Which columns are what is told by their names, as of a table; which images a file speaks of, by its statistics.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import stores
from boxscore.io.shards import layout, parquet
from boxscore.io.shards.layout import Part, PartFile, Shards
from boxscore.io.table_columns import Named
from boxscore.model.labels import id_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.model.labels import Id

_SUFFIX = ".parquet"
_MOST_EXACT = 32
"""Texts in statistics are cut off by some writers, far beyond so many bytes; longer ones are looked at themselves."""

_CORNERS = {"xywh": layout.BOX, "xyxy": ("x1", "y1", "x2", "y2"), "cxcywh": ("cx", "cy", "w", "h")}


@dataclass(frozen=True)
class _File:
    """A file, the columns that matter, and its least and greatest image id."""

    path: str
    rows: int
    boxes: str
    columns: tuple[tuple[str, str], ...]
    first: Id | None
    last: Id | None


def open_foreign(given: str, role: str) -> Shards:
    """The shards that Parquet files make, in the order of their images.

    Raises InputError where there are none, where one can't be read or lacks a column, and where columns differ.
    """
    root, paths = _listed(given)
    files = [_looked_at(root, path, role) for path in paths]
    filled = [file for file in files if file.rows] or files[:1]
    _check_alike(root, filled)
    filled.sort(key=lambda file: ((), file.path) if file.first is None else (id_order(file.first), file.path))
    parts = tuple(_part(number, file, role) for number, file in enumerate(filled))
    shards = Shards(root, given, role, parts, boxes=filled[0].boxes, columns=filled[0].columns, declared=False)
    if role != "ground_truth":
        return shards
    names = _labels(shards)
    if not names:
        raise InputError(f"{given}: no row has a label; ground truth needs at least one box with a label")
    return Shards(
        root,
        given,
        role,
        parts,
        labels=tuple(enumerate(names)),
        boxes=shards.boxes,
        columns=shards.columns,
        declared=False,
    )


def _listed(given: str) -> tuple[str, list[str]]:
    """The folder, and the paths of the files below it."""
    if stores.is_address(given):
        return stores.listed(given, _SUFFIX)
    path = Path(given)
    if path.is_dir():
        found = [one.relative_to(path) for one in path.rglob(f"*{_SUFFIX}") if one.is_file()]
        root = path
    else:
        fixed = [part for part in path.parts if not any(letter in part for letter in "*?[")]
        steps = next(at for at, part in enumerate((*path.parts, "*")) if any(letter in part for letter in "*?["))
        root = Path(*path.parts[:steps]) if steps else Path()
        pattern = "/".join(path.parts[steps:])
        if steps == len(path.parts) or len(fixed) == len(path.parts):
            raise InputError(f"{given}: there is no such folder, and it is no pattern; check the path")
        found = [one.relative_to(root) for one in root.glob(pattern) if one.is_file()]
    kept = sorted(one.as_posix() for one in found if not any(part.startswith((".", "_")) for part in one.parts))
    if not kept:
        raise InputError(f"{given}: there is no Parquet file ({_SUFFIX}); check the path")
    return str(root), kept


def _looked_at(root: str, path: str, role: str) -> _File:
    names, rows, metadata = parquet.schema(root, path)
    place = stores.joined(root, path)
    named = Named(names)
    named.check(place, score=role == "predictions")
    columns = {"image_id": str(named.image), "label": str(named.label), **named.further}
    columns |= dict(zip(_CORNERS[str(named.form)], named.boxes or (), strict=True))
    if named.score is not None:
        columns["score"] = named.score
    if role == "ground_truth":
        sizes = {"file_name": named.file_name, "width": named.width, "height": named.height}
        columns |= {name: column for name, column in sizes.items() if column is not None}
    first, last = _ends(root, path, str(named.image), metadata) if rows else (None, None)
    return _File(path, rows, str(named.form), tuple(sorted(columns.items())), first, last)


def _is_enough(statistics: Any) -> bool:  # noqa: ANN401  likewise
    """Whether a column's statistics tell its ends, and that no row lacks a value."""
    known = statistics.has_min_max and statistics.has_null_count and not statistics.null_count
    return known and _is_exact(statistics.min) and _is_exact(statistics.max)


def _ends(root: str, path: str, column: str, metadata: Any) -> tuple[Id, Id]:  # noqa: ANN401  pyarrow's, without types
    """The least and the greatest image id of a file, by its statistics where these can be relied on."""
    at = next(i for i in range(metadata.num_columns) if metadata.schema.column(i).path == column)
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups) if metadata.row_group(i).num_rows]
    stated = [group.column(at).statistics for group in groups]
    if all(one is not None and _is_enough(one) for one in stated):
        return min((one.min for one in stated), key=id_order), max((one.max for one in stated), key=id_order)
    place = stores.joined(root, path)
    values = parquet.read(root, PartFile(path, metadata.num_rows), [column]).column(column)
    if values.null_count:
        row = values.is_null().index(True).as_py()
        raise InputError(f"{place} row {row}: {column} is missing; give it in every row")
    values = values.unique().to_pylist()
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise InputError(f"{place}: {column} is of type {type(value).__name__}; ids are whole numbers or texts")
    return min(values, key=id_order), max(values, key=id_order)


def _is_exact(value: object) -> bool:
    if isinstance(value, str):
        return len(value.encode()) < _MOST_EXACT
    return isinstance(value, int) and not isinstance(value, bool)


def _check_alike(root: str, files: Sequence[_File]) -> None:
    """All files must have the columns that one of them is read by, under the same names, and ids of one kind."""
    one = files[0]
    for other in files[1:]:
        if (one.boxes, one.columns) != (other.boxes, other.columns):
            differ = sorted({name for _, name in set(one.columns) ^ set(other.columns)})
            raise InputError(
                f"{stores.joined(root, one.path)} and {stores.joined(root, other.path)} have different columns "
                f"({', '.join(differ)}); give all files the same"
            )
        if isinstance(one.first, str) != isinstance(other.first, str):
            raise InputError(
                f"{stores.joined(root, one.path)} and {stores.joined(root, other.path)}: image ids are numbers in "
                "one and texts in the other; write them alike"
            )


def _part(number: int, file: _File, role: str) -> Part:
    held = PartFile(file.path, file.rows)
    if role == "ground_truth":
        return Part(number, file.first, file.last, objects=held)
    return Part(number, file.first, file.last, detections=held)


def _labels(shards: Shards) -> list[str]:
    """Labels in the order in which they first appear."""
    column = shards.name_of("label")
    found: dict[str, None] = {}
    for part in shards.parts:
        assert part.objects is not None  # noqa: S101  made above
        table = parquet.read(shards.root, part.objects, [column])
        found |= {str(name): None for name in table.column(column).unique().to_pylist() if name not in (None, "")}
    return list(found)
