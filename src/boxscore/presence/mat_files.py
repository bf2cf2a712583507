"""Identities of a MovieNet-PS split, out of a MATLAB file: cell arrays within cell arrays, unwrapped with care."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boxscore.errors import InputError
from boxscore.model.given import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TRAIN = "Train"
_ROWS = 2
"""Where an item of `Train` keeps its rows."""


@dataclass(frozen=True, slots=True)
class Identity:
    """One identity: its row in the split (from 0), the text that its first part holds, and its pictures' names."""

    row: int
    name: str
    pictures: tuple[str, ...]


def identities(path: Path, split: str) -> list[Identity]:
    """All identities of a split. Raises InputError that names file, variable and identity where they can't be read."""
    content = _load(path)
    variable = _TRAIN if split.startswith(_TRAIN) else split
    if variable not in content:
        held = ", ".join(name for name in content if not name.startswith("__")) or "nothing"
        raise InputError(f"{path} has no variable {variable}; it holds {held}: is it the file of this split?")
    read = _of_train if variable == _TRAIN else _of_test
    table = np.atleast_1d(content[variable])
    try:
        return list(read(table))
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: {variable} is not laid out as MovieNet-PS lays it out ({error}); an item is an identity with "
            "rows of (picture, box, …)"
        ) from None


def _load(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    try:
        content: dict[str, Any] = loadmat(str(path))
    except Exception as error:  # noqa: BLE001  scipy raises whatever a damaged file leads it to
        told = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{path} can't be read as a MATLAB file: {told}; fetch it again") from None
    return content


def _of_train(table: np.ndarray[Any, Any]) -> Iterator[Identity]:
    """`Train`: a table of cells with a row (name, –, rows) an identity, or an array of such cells or records."""
    as_rows = table.ndim == 2 and table.shape[1] > _ROWS and table.dtype.names is None and not _holds_cells(table[0, 0])
    for row, item in enumerate(table if as_rows else table.ravel()):
        parts = _parts(item)
        yield Identity(row, _text(parts[0]), tuple(_text(_parts(one)[0]) for one in _rows(parts[_ROWS])))


def _holds_cells(value: Any) -> bool:  # noqa: ANN401  MATLAB's cells hold anything
    return isinstance(value, np.ndarray) and value.dtype == object and value.size > _ROWS


def _of_test(table: np.ndarray[Any, Any]) -> Iterator[Identity]:
    """`TestG…`: records with `Query` (imname, idlocate, perhaps idname) and `Gallery` rows (name, box, –)."""
    for row, item in enumerate(table.ravel()):
        query = _unwrapped(item["Query"])
        names = query.dtype.names or ()
        pictures = [_text(query["imname"] if "imname" in names else _parts(query)[0])]
        for one in _rows(item["Gallery"]):
            parts = _parts(one)
            if np.asarray(parts[1]).size == 0:
                break  # those after it do not show the identity
            pictures.append(_text(parts[0]))
        yield Identity(row, _text(query["idname"]) if "idname" in names else "", tuple(pictures))


def _unwrapped(value: Any) -> Any:  # noqa: ANN401  MATLAB's cells hold anything
    """The record within arrays of one item."""
    while isinstance(value, np.ndarray) and value.size == 1:
        value = value.ravel()[0]
    return value


def _parts(value: Any) -> Any:  # noqa: ANN401  MATLAB's cells hold anything
    """A row of cells or a record, by position."""
    if isinstance(value, np.ndarray):
        value = value.ravel()
        return _parts(value[0]) if value.size == 1 else value
    if isinstance(value, np.void | tuple):
        return value
    raise ValueError(f"{shown(value)} stands where a row of cells is expected")


def _rows(value: Any) -> list[Any]:  # noqa: ANN401  MATLAB's cells hold anything
    """The rows of a table of cells (n × k), of a column of records, or of a cell around either."""
    array = np.asarray(value)
    while array.dtype == object and array.size == 1 and isinstance(array.ravel()[0], np.ndarray):
        array = array.ravel()[0]
    if array.dtype.names is not None:
        return list(array.ravel())
    if array.ndim == 2 and array.shape[1] > 1:
        return list(array)
    return list(array.ravel())


def _text(value: Any) -> str:  # noqa: ANN401  MATLAB's cells hold anything
    array = np.asarray(value)
    while array.dtype == object and array.size == 1:
        array = np.asarray(array.ravel()[0])
    return str(array.ravel()[0]) if array.size == 1 else ""
