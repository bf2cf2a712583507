"""The CSV files of one X-Ray title, row by row, in both of their exports.

| file | columns | older export |
|---|---|---|
| `people.csv` | `name_id` (`nm0451321`), `person`, `character` | `id` (`/name/nm0451321`) |
| `scenes.csv` | `scene`, `start`, `end` | `scene` is `/xray/scene/3` |
| `people_in_scenes.csv` | `scene`, `start`, `end`, `name_id`, `timestamp` | `person_id`, and `scene` as above |

Times are milliseconds. A table without rows is written as an empty file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io import frames
from boxscore.model.given import shown
from boxscore.model.notes import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

PEOPLE, SCENES, PRESENT = "people.csv", "scenes.csv", "people_in_scenes.csv"
_PERSON = ("name_id", "person_id", "id")
_IMDB = re.compile(r"(?:.*/)?(nm[0-9]{1,12})/?")
_MILLISECONDS = 1000.0


@dataclass(frozen=True, slots=True)
class Scene:
    """A row of `scenes.csv`, or one scene of `people_in_scenes.csv`; milliseconds, `name` its own number."""

    name: str
    start: float
    end: float
    place: str


@dataclass(frozen=True, slots=True)
class Appearance:
    """A row of `people_in_scenes.csv`: a scene, and who is in it (None: nobody) from when on (None: not stated).

    `nameless` is a row with a timestamp and no id: somebody whom the service has no IMDb id for.
    """

    scene: Scene
    person: str | None
    timestamp: float | None
    nameless: bool


@dataclass(frozen=True, slots=True)
class Known:
    """A row of `people.csv`; `person` is None where the row is of somebody without an IMDb id."""

    person: str | None
    name: str
    character: str


def read_of(folder: Path) -> dict[str, str]:
    """Paths by role of the title's files that are there."""
    found = {f"xray_{name.removesuffix('.csv')}": folder / name for name in (PEOPLE, SCENES, PRESENT)}
    return {role: str(path) for role, path in found.items() if path.is_file()}


def people(folder: Path) -> list[Known] | None:
    """Rows of `people.csv`; None where there is no such file. Raises InputError for a table without ids."""
    frame = _frame(folder / PEOPLE)
    if frame is None or not frame.width:
        return None if frame is None else []
    ids = _texts(frame, _needed(frame, _PERSON, folder / PEOPLE))
    names, characters = (_texts(frame, column) for column in ("person", "character"))
    found = []
    for row, stated in enumerate(ids):
        match = _IMDB.fullmatch((stated or "").strip())
        found.append(Known(None if match is None else match[1], names[row] or "", characters[row] or ""))
    return found


def scenes(folder: Path) -> list[Scene] | None:
    """Rows of `scenes.csv`; None where there is no such file, or nothing in it. Raises InputError that names a line."""
    path = folder / SCENES
    frame = _frame(path)
    return None if frame is None or not frame.height else _scenes(frame, path)


def appearances(folder: Path) -> list[Appearance]:
    """Rows of `people_in_scenes.csv`. Raises InputError that names the line, and for a file without any row.

    Columns of people may be missing: then every scene is empty.
    """
    path = folder / PRESENT
    frame = _frame(path)
    if frame is None:
        raise InputError(f"{path}: there is no such file; --xray takes the folder of one title, with {PRESENT} in it")
    if not frame.height:
        raise InputError(
            f"{path} has no rows: X-Ray lists nobody by scene for this title, and it can't be scored on it"
        )
    column = next((name for name in _PERSON if name in frame.columns), None)
    ids = _texts(frame, column)
    stamps = _numbers(frame, "timestamp", path) if "timestamp" in frame.columns else [None] * frame.height
    found = []
    for row, scene in enumerate(_scenes(frame, path)):
        stated = (ids[row] or "").strip()
        match = _IMDB.fullmatch(stated)
        if stated and match is None:
            raise InputError(
                f"{scene.place}: {column} is {shown(stated)}; an IMDb id such as nm0451321 is expected (or nothing, "
                "where nobody is in the scene)"
            )
        nameless = not stated and stamps[row] is not None
        found.append(Appearance(scene, None if match is None else match[1], stamps[row], nameless))
    return found


def seconds(milliseconds: float) -> float:
    """Milliseconds as seconds: the nearest float, so that equal times stay equal."""
    return milliseconds / _MILLISECONDS


def _scenes(frame: pl.DataFrame, path: Path) -> list[Scene]:
    for column in ("start", "end"):
        _needed(frame, (column,), path)
    names = _texts(frame, "scene")
    starts, ends = (_numbers(frame, column, path) for column in ("start", "end"))
    found = []
    for row, (name, start, end) in enumerate(zip(names, starts, ends, strict=True)):
        place = f"{path} line {row + 2}"
        if start is None or end is None:
            raise InputError(f"{place}: {'start' if start is None else 'end'} is missing; give milliseconds")
        if start < 0:
            raise InputError(f"{place}: start is {start:g} ms; a film starts at 0")
        if end < start:
            raise InputError(f"{place}: end {end:g} ms is before start {start:g} ms; mend the scene's times")
        found.append(Scene((name or str(row + 1)).rstrip("/").rpartition("/")[2], start, end, place))
    return found


def _frame(path: Path) -> pl.DataFrame | None:
    """The table; None where there is no such file; one without columns where nothing is written in it."""
    import polars as pl

    if not path.is_file():
        return None
    if path.stat().st_size < len(b'""\r\n\n') and not path.read_bytes().strip(b'"\r\n'):
        return pl.DataFrame()
    frame = frames.read(path)
    return frame.rename({name: name.strip().lower() for name in frame.columns})


def _needed(frame: pl.DataFrame, names: Sequence[str], path: Path) -> str:
    found = next((name for name in names if name in frame.columns), None)
    if found is None:
        raise InputError(
            f"{path}: there is no column {names[0]}; its columns are {listed(frame.columns, 12)}: is it the file that "
            "X-Ray's collector wrote?"
        )
    return found


def _texts(frame: pl.DataFrame, column: str | None) -> list[str | None]:
    if column is None or column not in frame.columns:
        return [None] * frame.height
    return frames.texts(frame, column)


def _numbers(frame: pl.DataFrame, column: str, path: Path) -> list[float | None]:
    import math

    values, _ = frames.numbers(frame, column, path)
    for row, value in enumerate(values):
        if value is not None and not math.isfinite(value):
            raise InputError(f"{path} line {row + 2}: {column} is {value}; it must be a number of milliseconds")
    return values
