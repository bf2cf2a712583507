"""Ground truth from any table of actor, start, end: CSV, TSV, Parquet or Arrow, times in seconds.

`actor` is a name or a key (`imdb:nm…`, `tmdb:…`, `jf:…`, a bare `nm…`). Columns `imdb`, `tmdb` and `jf` give ids beside
a name; `character` and `role` are kept. Windows of one actor that overlap are one stretch of presence.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io import frames
from boxscore.model.given import shown
from boxscore.model.notes import listed
from boxscore.presence import keys
from boxscore.presence.cast import Mention, gathered
from boxscore.presence.prediction_fields import LATE, no_length
from boxscore.presence.timeline import NO_SCENE, Presence, overlapping, spans_of, windows_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    import polars as pl

    from boxscore.presence.timeline import Windows

SOURCE = "table"
_ACTOR = ("actor", "person", "name", "label")
_IDS = {**{kind: kind for kind in keys.IDS}, **{f"{kind}_id": kind for kind in keys.IDS}, "name_id": "imdb"}
_SAID = ("character", "role")


def read_table(path: str | PathLike[str], duration: float | None = None) -> Presence:
    """The timeline of a table.

    Args:
        path: The file.
        duration: The film's length in seconds where it is known.

    Raises:
        InputError: Names file, line, column and value.
    """
    frame = frames.read(path)
    if not frame.height:
        raise InputError(f"{path} has no rows; a row is actor, start, end, in seconds")
    columns = {name.strip().lower(): name for name in reversed(frame.columns)}
    actor = _needed(frame, columns, _ACTOR, path)
    start, end = (_needed(frame, columns, (name,), path) for name in ("start", "end"))
    mentions = _mentions(frame, actor, columns, path)
    cast = gathered(mentions)
    for row, message in cast.mistakes:
        raise InputError(f"{path} line {row + 2}: {message}")
    starts, ends = (frames.numbers(frame, name, path)[0] for name in (start, end))
    times = [
        _times(*pair, duration, f"{path} line {row + 2}") for row, pair in enumerate(zip(starts, ends, strict=True))
    ]
    windows = windows_of((person, *pair, NO_SCENE) for person, pair in zip(cast.rows, times, strict=True))
    return Presence(
        SOURCE, cast.people, windows, spans_of(), duration=duration, notes=_notes(windows), path=Path(path).name
    )


def _needed(frame: pl.DataFrame, columns: Mapping[str, str], names: Sequence[str], path: str | PathLike[str]) -> str:
    found = next((columns[name] for name in names if name in columns), None)
    if found is None:
        raise InputError(
            f"{path}: there is no column {names[0]}; the columns are {listed(frame.columns, 12)}: a row is actor, "
            "start, end, in seconds"
        )
    return found


def _mentions(frame: pl.DataFrame, actor: str, columns: Mapping[str, str], path: str | PathLike[str]) -> list[Mention]:
    """Who each row is of."""
    names = frames.texts(frame, actor)
    ids = {kind: frames.texts(frame, columns[name]) for name, kind in _IDS.items() if name in columns}
    said = {name: frames.texts(frame, columns[name]) for name in _SAID if name in columns}
    found = []
    for row, name in enumerate(names):
        place = f"{path} line {row + 2}"
        if name is None or not name.strip():
            raise InputError(f"{place}: {actor} is missing; give a name, or an id such as imdb:nm0000158")
        own = keys.of_text(name)
        if not own:
            raise InputError(f"{place}: {actor} is {shown(name)}; give a name with letters in it, or an id")
        further = set()
        for kind, values in ids.items():
            value = values[row]
            key = None if value is None else keys.of_id(kind, value)
            if value is not None and key is None:
                raise InputError(f"{place}: {kind} is {shown(value)}; it must be {keys.EXPECTED[kind]}, or empty")
            further |= set() if key is None else {key}
        extra = {what: values[row] for what, values in said.items() if values[row] is not None}
        found.append(Mention(own | further, None if keys.exact(own) else name.strip(), extra))
    return found


def _times(start: float | None, end: float | None, duration: float | None, place: str) -> tuple[float, float]:
    for name, value in (("start", start), ("end", end)):
        if value is None:
            raise InputError(f"{place}: {name} is missing; give seconds")
        if not math.isfinite(value):
            raise InputError(f"{place}: {name} is {value}; it must be a number of seconds")
    assert start is not None and end is not None  # noqa: PT018, S101  told above
    if start < 0:
        raise InputError(f"{place}: start is {start:g}; a film starts at 0 s")
    if end < start:
        raise InputError(f"{place}: end {end:g} is before start {start:g}; mend the times")
    if duration is not None and end > duration + LATE:
        raise InputError(f"{place}: end {end:g} is beyond the film's end at {duration:g} s; mend the times")
    return start, end


def _notes(windows: Windows) -> tuple[str, ...]:
    overlaps = overlapping(windows)
    empty = int((windows.start == windows.end).sum())
    facts = (
        (
            overlaps,
            f"windows that overlap another one of the same actor, together one stretch: {overlaps}",
        ),
        (empty, no_length(empty)),
    )
    return tuple(words for count, words in facts if count)
