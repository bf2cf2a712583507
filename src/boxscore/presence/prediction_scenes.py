"""A prediction that gives scenes with the actors in each."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from boxscore.io.yaml_fields import Field, attempt
from boxscore.presence.cast import Mention, gathered
from boxscore.presence.prediction_fields import LATE, actor, actor_fields, actor_or_text, free, told_ids
from boxscore.presence.timeline import spans_of, windows_of

if TYPE_CHECKING:
    from boxscore.presence.person import Person
    from boxscore.presence.timeline import Spans, Windows

_SCENE = ("name", "start", "end", "actors", "extra")
_NEEDED = ("start", "end", "actors")

Scene = tuple[float, float, str, list[tuple[Field, Mention]]]


def scenes_and_people(
    field: Field, actors: Field | None, duration: float | None
) -> tuple[tuple[Person, ...], Windows, Spans, list[str]]:
    """People, their windows (a scene each), the scenes, and notes. Mistakes are kept in the field's list."""
    said = [] if actors is None or actors.value == [] else actors.items()
    told = [(item, found) for item in said if (found := attempt(item, _said)) is not None]
    given = [] if field.value == [] else field.items()
    read = [attempt(item, _scene, place, duration) for place, item in enumerate(given)]
    scenes = sorted((scene for scene in read if scene is not None), key=lambda scene: scene[:2])
    _refuse_overlaps(scenes, field)
    mentions = [*told, *(one for scene in scenes for one in scene[3])]
    cast = gathered([mention for _, mention in mentions])
    for row, message in cast.mistakes:
        mentions[row][0].tell(message)
    rows = iter(cast.rows)
    _refuse_repeats([(item, mention, next(rows)) for item, mention in told])
    windows = []
    for place, (start, end, _, within) in enumerate(scenes):
        present = [(item, mention, next(rows)) for item, mention in within]
        _refuse_repeats(present)
        windows += [(row, start, end, place) for _, _, row in present]
    return cast.people, windows_of(windows), spans_of(scene[:3] for scene in scenes), []


def _said(item: Field) -> Mention:
    return actor(item, actor_fields(item))


def _scene(item: Field, place: int, duration: float | None) -> Scene:
    fields = item.fields(_SCENE, _NEEDED)
    attempt(fields.get("extra"), free)
    start, end = (attempt(fields[name], Field.number, 0.0) for name in ("start", "end"))
    within = [] if fields["actors"].value == [] else fields["actors"].items()
    present = [(one, mention) for one in within if (mention := attempt(one, actor_or_text)) is not None]
    if start is None or end is None:
        item.wrong("it has no times that can be used")
    if end < start:
        fields["end"].wrong(f"it is {end:g}, before the scene's start at {start:g}; mend the times")
    if duration is not None and end > duration + LATE:
        fields["end"].wrong(f"it is {end:g}, beyond the film's end at {duration:g} s; mend the times")
    name = attempt(fields.get("name"), Field.text) or str(place + 1)
    return start, end, name, present


def _refuse_overlaps(scenes: list[Scene], field: Field) -> None:
    for (start, end, name, _), (after, until, other, _) in pairwise(scenes):
        if after < end:
            field.tell(
                f"scene {other!r} [{after:g}, {until:g}] overlaps scene {name!r} [{start:g}, {end:g}]; a moment "
                "belongs to one scene: mend the times, or give actors with their windows instead"
            )


def _refuse_repeats(present: list[tuple[Field, Mention, int]]) -> None:
    first: dict[int, Field] = {}
    for item, mention, row in present:
        earlier = first.setdefault(row, item)
        if earlier is not item:
            item.tell(f"{told_ids(mention)} is {earlier.path} already; give each actor once")
