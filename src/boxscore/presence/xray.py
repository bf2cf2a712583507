"""Ground truth of Amazon X-Ray: the cast of each scene of a title.

`people_in_scenes.csv` numbers scenes by position, `scenes.csv` by the service's own item id, so the two are joined by
their times, and a scene that only the first has is refused. What X-Ray says is a ceiling for a face pipeline and no
fair target: it lists who takes part in a scene, also off camera; nobody's exit is stated; and people carried over from
the scene before may be missing.
"""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.model.notes import listed
from boxscore.presence import keys, xray_files
from boxscore.presence.person import Person
from boxscore.presence.timeline import Presence, spans_of, windows_of
from boxscore.presence.xray_files import Scene, seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from boxscore.presence.xray_files import Appearance, Known

SOURCE = "xray"
CHOICES = ("scene", "timestamp")
"""How long somebody in a scene is there: for all of it, or from the timestamp to its end."""

Times = tuple[float, float]


def read_xray(folder: str | PathLike[str], presence: str = CHOICES[0]) -> Presence:
    """The timeline of one title's folder.

    Args:
        folder: The folder with `people_in_scenes.csv`, and `scenes.csv` and `people.csv` where there are any.
        presence: `scene` or `timestamp`.

    Raises:
        InputError: Names file, line, column and value, or the scene of one file that the other does not have.
    """
    if presence not in CHOICES:
        raise InputError(f"presence is {presence!r}; it must be {' or '.join(CHOICES)}")
    path = Path(folder)
    if not path.is_dir():
        raise InputError(f"{path}: there is no such folder; --xray takes the folder of one title")
    rows = xray_files.appearances(path)
    stated = xray_files.scenes(path)
    scenes, notes = _scenes(rows, stated)
    place_of = {(scene.start, scene.end): place for place, scene in reversed(list(enumerate(scenes)))}
    people, row_of, told = _people(rows, xray_files.people(path))
    first, again = _first_appearances(rows)
    windows = []
    outside = missing = 0
    for (times, person), stamp in first.items():
        start = times[0]
        if presence == "timestamp":
            missing += stamp is None
            inside = stamp is not None and times[0] <= stamp <= times[1]
            outside += stamp is not None and not inside
            start = stamp if stamp is not None and inside else start
        windows.append((row_of[person], seconds(start), seconds(times[1]), place_of[times]))
    notes += told
    notes += _counted_notes(rows, scenes, again=again, missing=missing, outside=outside)
    return Presence(
        SOURCE,
        people,
        windows_of(windows),
        spans_of((seconds(scene.start), seconds(scene.end), scene.name) for scene in scenes),
        duration=max(seconds(scene.end) for scene in scenes),
        notes=tuple(notes),
        path=path.name,
        files=xray_files.read_of(path),
    )


def _scenes(rows: Sequence[Appearance], stated: Sequence[Scene] | None) -> tuple[list[Scene], list[str]]:
    """The scenes in order of time, joined by it."""
    listed_in_rows = {(row.scene.start, row.scene.end): row.scene for row in reversed(rows)}
    notes: list[str] = []
    if stated is None:
        notes.append(f"there is no {xray_files.SCENES}: scenes are those of {xray_files.PRESENT}")
        stated = list(listed_in_rows.values())
    known: dict[Times, Scene] = {}
    for scene in stated:
        known.setdefault((scene.start, scene.end), scene)
    if len(known) < len(stated):
        notes.append(f"scenes with the times of another one, taken as one with it: {len(stated) - len(known)}")
    for times, scene in listed_in_rows.items():
        if times not in known:
            raise InputError(
                f"{scene.place}: no scene of {xray_files.SCENES} goes from {times[0]:g} to {times[1]:g} ms "
                f"({_nearest(times, known)}); scenes are joined by their times, so mend the file that is wrong, or "
                f"take {xray_files.SCENES} away to go by {xray_files.PRESENT} alone"
            )
    unlisted = [scene.name for times, scene in known.items() if times not in listed_in_rows]
    if unlisted:
        notes.append(
            f"scenes of {xray_files.SCENES} that {xray_files.PRESENT} lacks, taken as empty: {len(unlisted)} "
            f"({listed(unlisted)})"
        )
    ordered = sorted(known.values(), key=lambda scene: (scene.start, scene.end))
    latest = accumulate((scene.end for scene in ordered), max)
    overlaps = sum(scene.start < end for scene, end in zip(ordered[1:], latest, strict=False))
    if overlaps:
        notes.append(
            f"scenes that start before an earlier one ended, the people of both being there at once: {overlaps}"
        )
    return ordered, notes


def _nearest(times: Times, known: Mapping[Times, Scene]) -> str:
    near = min(known, key=lambda other: (abs(other[0] - times[0]) + abs(other[1] - times[1]), other))
    return f"the nearest is scene {known[near].name}, {near[0]:g} to {near[1]:g} ms"


def _people(
    rows: Sequence[Appearance], known: Sequence[Known] | None
) -> tuple[tuple[Person, ...], dict[str, int], list[str]]:
    """People in the order of `people.csv`, then of their first scene; the row of each id; notes."""
    notes: list[str] = []
    names: dict[str, str] = {}
    characters: dict[str, list[str]] = {}
    for one in known or ():
        if one.person is not None:
            names[one.person] = names.get(one.person) or one.name
            kept = characters.setdefault(one.person, [])
            kept += [one.character] if one.character and one.character not in kept else []
    if known is None:
        notes.append(f"there is no {xray_files.PEOPLE}: people go by their IMDb ids, without names")
    without = sum(one.person is None for one in known or ())
    if without:
        notes.append(f"rows of {xray_files.PEOPLE} without an IMDb id, left out: {without}")
    appearing = dict.fromkeys(row.person for row in rows if row.person is not None)
    unknown = [person for person in appearing if person not in names]
    if unknown and known is not None:
        notes.append(f"ids in scenes that {xray_files.PEOPLE} lacks: {len(unknown)} ({listed(unknown)})")
    people: list[Person] = []
    row_of: dict[str, int] = {}
    for person in dict.fromkeys((*names, *appearing)):
        row_of[person] = len(people)
        name = names.get(person) or None
        extra = {"character": ", ".join(characters[person])} if characters.get(person) else {}
        people.append(Person(keys.of_ids({"imdb": person}, name), name or person, extra))
    return tuple(people), row_of, notes


def _first_appearances(rows: Sequence[Appearance]) -> tuple[dict[tuple[Times, str], float | None], int]:
    """The earliest timestamp of each person in each scene, and how many rows repeat one."""
    found: dict[tuple[Times, str], float | None] = {}
    again = 0
    for row in rows:
        if row.person is None:
            continue
        place = (row.scene.start, row.scene.end), row.person
        again += place in found
        stamps = [stamp for stamp in (found.get(place), row.timestamp) if stamp is not None]
        found[place] = min(stamps, default=None)
    return found, again


def _counted_notes(
    rows: Sequence[Appearance], scenes: Sequence[Scene], *, again: int, missing: int, outside: int
) -> list[str]:
    filled = {(row.scene.start, row.scene.end) for row in rows if row.person is not None}
    empty = sum((scene.start, scene.end) not in filled for scene in scenes)
    nameless = sum(row.nameless for row in rows)
    facts = (
        (empty, f"scenes with nobody in them, scored as such: {empty} of {len(scenes)}"),
        (nameless, f"rows of {xray_files.PRESENT} of somebody without an IMDb id, left out: {nameless}"),
        (again, f"rows that repeat a person in a scene, of which the earliest timestamp counts: {again}"),
        (missing, f"timestamps that are missing, the scene's start being taken: {missing}"),
        (outside, f"timestamps outside their scene, its start being taken: {outside}"),
    )
    return [words for count, words in facts if count]
