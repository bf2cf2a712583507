"""Predictions: a pipeline's JSON, written after the whole file was processed.

Actors with their windows:

    {"title": "…", "duration": 5400.0,
     "actors": [{"name": "Ann Lee", "ids": {"imdb": "nm0000158", "tmdb": 31, "jf": "…"},
                 "windows": [[12.0, 15.5], [40.0, 41.0]]}]}

or scenes with the actors in each, who are then there for the whole of it:

    {"scenes": [{"name": "1", "start": 0.0, "end": 65.2, "actors": ["Ann Lee", "tmdb:31", {"name": "…", "ids": {…}}]}],
     "actors": [{"name": "Ann Lee", "ids": {"tmdb": 31}}]}

where `actors`, without windows, may say more of people. Times are seconds, and a window holds the moments from its
start up to, not including, its end. An actor is known by a name, by ids, or by both.
`prediction.schema.json` says the same.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from boxscore.errors import InputError
from boxscore.io import json_files
from boxscore.io.yaml_fields import Field, Mistakes, attempt
from boxscore.model.given import shown
from boxscore.presence.cast import Mention, gathered
from boxscore.presence.prediction_fields import LATE, actor, actor_fields, free, no_length, told_ids
from boxscore.presence.prediction_scenes import scenes_and_people
from boxscore.presence.timeline import NO_SCENE, Presence, spans_of, windows_of

if TYPE_CHECKING:
    from os import PathLike

    from boxscore.presence.person import Person
    from boxscore.presence.timeline import Spans, Windows

SOURCE = "prediction"
_TOP = ("title", "duration", "actors", "scenes", "extra")

_NUMBERS = (int, float)
_HUGE = 1e12

Pair = tuple[float, float]


def read_prediction(path: str | PathLike[str], duration: float | None = None) -> Presence:
    """The timeline of a pipeline's JSON file.

    Args:
        path: The file; it may be gzipped.
        duration: The film's length in seconds where the caller knows it; the file's own `duration` comes first.

    Raises:
        InputError: Names the file, and each mistake by its path in the JSON with the value and what it must be.
    """
    content = json_files.load(path)
    if not isinstance(content, dict):
        raise InputError(
            f'{path} holds {shown(content)}; a prediction is {{"actors": [{{"name": "Ann Lee", "windows": [[0, 9]]}}, '
            "…]}, or has scenes with the actors in each (docs/presence-formats.md)"
        )
    mistakes = Mistakes(str(path))
    found = attempt(Field(content, "", mistakes), _read, duration)
    mistakes.stop_if_any()
    assert found is not None  # noqa: S101  a mistake was kept wherever reading stopped
    people, windows, scenes, stated, notes = found
    return Presence(SOURCE, people, windows, scenes, duration=stated, notes=tuple(notes), path=Path(path).name)


def _read(top: Field, duration: float | None) -> tuple[tuple[Person, ...], Windows, Spans, float | None, list[str]]:
    known = top.fields(_TOP)
    if "actors" not in known and "scenes" not in known:
        top.wrong("actors is missing; give a list of actors with their windows, or scenes with the actors in each")
    attempt(known.get("title"), Field.text)
    attempt(known.get("extra"), free)
    stated = attempt(known.get("duration"), Field.number, 0.0)
    length = duration if stated is None else stated
    if "scenes" in known:
        people, windows, scenes, notes = scenes_and_people(known["scenes"], known.get("actors"), length)
        return people, windows, scenes, length, notes
    people, windows, notes = _actors(known["actors"], length)
    return people, windows, spans_of(), length, notes


def _actors(field: Field, duration: float | None) -> tuple[tuple[Person, ...], Windows, list[str]]:
    items = listed_items(field)
    read = [attempt(item, _actor_with_windows, duration) for item in items]
    told = [(item, one) for item, one in zip(items, read, strict=True) if one is not None]
    cast = gathered([mention for _, (mention, _) in told])
    for row, message in cast.mistakes:
        told[row][0].tell(message)
    first: dict[int, Field] = {}
    for (item, (mention, _)), row in zip(told, cast.rows, strict=True):
        earlier = first.setdefault(row, item)
        if earlier is not item:
            item.tell(f"{told_ids(mention)} is {earlier.path} already; give each actor once, with all windows")
    rows = [
        (row, start, end, NO_SCENE)
        for (_, (_, windows)), row in zip(told, cast.rows, strict=True)
        for start, end in windows
    ]
    empty = sum(start == end for _, start, end, _ in rows)
    return cast.people, windows_of(rows), [no_length(empty)] if empty else []


def listed_items(field: Field) -> list[Field]:
    """The items of a list, which may be empty."""
    return [] if field.value == [] else field.items()


def _actor_with_windows(item: Field, duration: float | None) -> tuple[Mention, list[Pair]]:
    fields = actor_fields(item, more=("windows",), needed=("windows",))
    windows = attempt(fields["windows"], _windows, duration)
    return actor(item, fields), windows or []


def _windows(field: Field, duration: float | None) -> list[Pair]:
    """Windows ascending; of several mistakes the first is told."""
    if not isinstance(field.value, list):
        field.wrong(f"it is {shown(field.value)}; it must be a list of [start, end], in seconds")
    found = []
    for place, value in enumerate(field.value):
        pair = _pair(value)
        if isinstance(pair, str):
            _wrong_at(field, place, f"it is {_told(value)}; {pair}")
        if duration is not None and pair[1] > duration + LATE:
            _wrong_at(field, place, f"it is {_told(value)}, beyond the film's end at {duration:g} s; mend the times")
        found.append((*pair, place))
    found.sort()
    for (start, end, place), (after, until, other) in pairwise(found):
        if after < end:
            _wrong_at(
                field,
                other,
                f"[{after:g}, {until:g}] overlaps [{start:g}, {end:g}] ({field.path}[{place}]) of the same actor; "
                "join windows that overlap",
            )
    return [(start, end) for start, end, _ in found]


def _pair(value: Any) -> Pair | str:  # noqa: ANN401  whatever the file holds
    """Start and end in seconds, or what is wrong with them."""
    if not isinstance(value, list) or len(value) != 2:
        return "a window is [start, end], in seconds"
    start, end = value
    # JSON gives these types alone; a whole number too large for a float is no time either.
    if (
        type(start) not in _NUMBERS
        or type(end) not in _NUMBERS
        or not (-_HUGE < start < _HUGE and -_HUGE < end < _HUGE)
    ):
        return "start and end must be numbers of seconds"
    if start < 0:
        return "a film starts at 0 s"
    if end < start:
        return "the end is before the start: mend the times"
    return float(start), float(end)


def _told(value: Any) -> str:  # noqa: ANN401  whatever the file holds
    return shown(value).replace("nan", "NaN").replace("inf", "Infinity") if isinstance(value, list) else shown(value)


def _wrong_at(field: Field, place: int, message: str) -> NoReturn:
    Field(None, f"{field.path}[{place}]", field.mistakes).wrong(message)
