"""Exact ids from a crosswalk: which ids of different kinds are one person's.

Three forms are read:
- what `boxscore presence crosswalk` writes (`crosswalk.answers`): TMDB ids and their IMDb ids;
- JSON: a list of objects with two ids or more, `[{"tmdb": 31, "imdb": "nm0000158"}]`; `name` counts as an id here;
- a table (CSV, TSV, Parquet, Arrow) with columns of those names; `tmdb_id` and the like are the same.

An empty cell or null is an id that nobody has: the row says nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io import frames, json_files
from boxscore.model.given import shown
from boxscore.model.notes import counted, listed
from boxscore.presence import keys
from boxscore.presence.crosswalk import answers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from boxscore.presence.person import Person
    from boxscore.presence.timeline import Presence

_KINDS = (*keys.IDS, "name", "mvn")
_NAMES = {**{kind: kind for kind in _KINDS}, **{f"{kind}_id": kind for kind in _KINDS}, "jellyfin": "jf"}
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """Keys by a key of the same person. `path` says where they were read, `entries` how many rows say something."""

    linked: Mapping[str, frozenset[str]]
    entries: int
    path: str


def read_crosswalk(path: str | PathLike[str]) -> Crosswalk:
    """The crosswalk of a file.

    Raises InputError that names file, entry and value for an id that is none, an entry with fewer than two kinds of
    id, and an id that the file gives two different ids of one kind.
    """
    linked: dict[str, set[str]] = {}
    places: dict[tuple[str, str], str] = {}
    entries = 0
    for place, found in _entries(path):
        entries += len(found) >= _LEAST
        for key in found:
            for other in found - {key}:
                _check(path, place, key, other, places)
            linked.setdefault(key, set()).update(found - {key})
    return Crosswalk({key: frozenset(others) for key, others in linked.items() if others}, entries, Path(path).name)


def with_crosswalk(presence: Presence, crosswalk: Crosswalk) -> Presence:
    """The same timeline, its people with the keys that the crosswalk adds, and a note of how many got any."""
    people = tuple(_extended(person, crosswalk) for person in presence.people)
    gained = sum(new is not old for new, old in zip(people, presence.people, strict=True))
    note = f"{crosswalk.path} adds ids to {gained} of {counted(len(people), 'person', 'people')} of {presence.source}"
    return replace(presence, people=people, notes=(*presence.notes, note))


def people_with_crosswalk(people: Sequence[Person], crosswalk: Crosswalk) -> tuple[Person, ...]:
    """Likewise for people alone, such as those of a gallery."""
    return tuple(_extended(person, crosswalk) for person in people)


def _extended(person: Person, crosswalk: Crosswalk) -> Person:
    """With all that is reached from the person's ids; from a name only where there is no id: names may be shared."""
    found = set(person.keys)
    reached = [*(keys.exact(person.keys) or person.keys)]
    while reached:
        new = crosswalk.linked.get(reached.pop(), frozenset()) - found
        found |= new
        reached += keys.exact(new)
    return person if found == person.keys else replace(person, keys=frozenset(found))


def _check(path: str | PathLike[str], place: str, key: str, other: str, places: dict[tuple[str, str], str]) -> None:
    """One id has one id of each other kind; names may repeat, and TMDB lists some people twice."""
    kind = keys.kind_of(other)
    if kind == "name" or keys.kind_of(key) == "name" or (keys.kind_of(key), kind) == ("imdb", "tmdb"):
        return
    earlier = places.setdefault((key, kind), other)
    if earlier != other:
        raise InputError(
            f"{path} {place}: {key} is given {other}, and {earlier} elsewhere in the file; keep the right one"
        )


def _entries(path: str | PathLike[str]) -> Iterator[tuple[str, frozenset[str]]]:
    if Path(path).suffix.lower() in frames.SUFFIXES:
        frame = frames.read(path)
        columns = {name: _NAMES[name.strip().lower()] for name in frame.columns if name.strip().lower() in _NAMES}
        if len(set(columns.values())) < _LEAST:
            raise InputError(
                f"{path}: a crosswalk has two columns of ids or more ({', '.join(_KINDS)}); its columns are "
                f"{listed(frame.columns, 12) or 'none'}: name them so"
            )
        for row, values in enumerate(frame.select(list(columns)).iter_rows()):
            yield f"line {row + 2}", _keys(zip(columns.values(), values, strict=True), f"{path} line {row + 2}")
        return
    content = json_files.load(path)
    if isinstance(content, dict):
        for person, answer in answers.of_content(content, path).items():
            yield f"people.{person}", _keys([("tmdb", person), ("imdb", answer.imdb)], f"{path} people.{person}")
        return
    if not isinstance(content, list):
        raise InputError(f"{path} is {shown(content)}; a crosswalk is a list of objects with ids, or a table")
    for row, entry in enumerate(content):
        stated = _stated(entry) if isinstance(entry, dict) else []
        if len({kind for kind, _ in stated}) < _LEAST:
            raise InputError(f"{path} [{row}] is {shown(entry)}; give an object with two of {', '.join(_KINDS)}")
        yield f"[{row}]", _keys(stated, f"{path} [{row}]")


def _stated(entry: Mapping[str, object]) -> list[tuple[str, object]]:
    """Kinds and values; names are folded in case, as those of columns are."""
    named = [(_NAMES.get(name.strip().lower()), value) for name, value in entry.items()]
    return [(kind, value) for kind, value in named if kind is not None]


def _keys(stated: Iterable[tuple[str, object]], place: str) -> frozenset[str]:
    found = set()
    for kind, value in stated:
        if value is None or value == "":
            continue
        key = _key(kind, value)
        if key is None:
            raise InputError(
                f"{place}: {kind} is {shown(value)}; it must be {keys.EXPECTED.get(kind, 'text')}, or empty"
            )
        found.add(key)
    return frozenset(found)


def _key(kind: str, value: object) -> str | None:
    if kind in keys.IDS:
        return keys.of_id(kind, value)
    if not isinstance(value, str):
        return None
    return keys.of_name(value) if kind == "name" else f"mvn:{value.strip().removeprefix('mvn:')}"
