"""What the crosswalk of a gallery came to, as the command tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.model.notes import Note, counted, listed
from boxscore.presence import keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.presence.crosswalk.resolving import Resolved
    from boxscore.presence.person import Person


@dataclass(frozen=True)
class Summary:
    """The gallery's people that have a TMDB id: how many are known, how many were answered just now, who could not be
    resolved and why. `notes` say what is worth a look.
    """

    people: int
    with_imdb: int
    without_imdb: int
    answered: int
    unresolved: list[dict[str, Any]]
    notes: list[Note]

    def to_dict(self) -> dict[str, Any]:
        """As in JSON."""
        return {
            "people": self.people,
            "with_imdb": self.with_imdb,
            "without_imdb": self.without_imdb,
            "answered": self.answered,
            "unresolved": self.unresolved,
            "notes": [note.to_dict() for note in self.notes],
        }


def tmdb_ids(gallery: Sequence[Person]) -> dict[int, Person]:
    """The people of a gallery that have a TMDB id, by it."""
    stated = [(_stated(person, "tmdb"), person) for person in gallery]
    return {int(tmdb): person for tmdb, person in stated if tmdb is not None}


def summarise(gallery: Sequence[Person], resolved: Resolved) -> Summary:
    """Count what is known of the gallery's people now."""
    people = tmdb_ids(gallery)
    known = [resolved.answers[tmdb] for tmdb in people if tmdb in resolved.answers]
    found = {tmdb: resolved.answers[tmdb].imdb or "" for tmdb in people if tmdb in resolved.answers}
    return Summary(
        people=len(people),
        with_imdb=sum(answer.imdb is not None for answer in known),
        without_imdb=sum(answer.imdb is None for answer in known),
        answered=len(resolved.answered),
        unresolved=[
            {"tmdb": tmdb, "actor": people[tmdb].name, "reason": reason} for tmdb, reason in resolved.unresolved.items()
        ],
        notes=[*_without_id(gallery), *_contradicted(people, found), *_shared(found)],
    )


def _stated(person: Person, kind: str) -> str | None:
    """The person's id of a kind; people of a gallery have one at most."""
    return next((key.partition(":")[2] for key in person.keys if keys.kind_of(key) == kind), None)


def _without_id(gallery: Sequence[Person]) -> list[Note]:
    names = [person.name for person in gallery if _stated(person, "tmdb") is None]
    if not names:
        return []
    told = f"{counted(len(names), 'actor')} of the gallery without a TMDB id: {listed(names)}"
    return [Note("no_tmdb_id", told, len(names))]


def _contradicted(people: Mapping[int, Person], found: Mapping[int, str]) -> list[Note]:
    """Actors for whom the gallery states another IMDb id than TMDB does."""
    differing = []
    for tmdb, imdb in found.items():
        stated = _stated(people[tmdb], "imdb")
        if stated is not None and imdb and stated != imdb:
            differing.append(f"{people[tmdb].name} ({stated} in the gallery, {imdb} at TMDB)")
    if not differing:
        return []
    told = f"{counted(len(differing), 'actor')} with another IMDb id in the gallery than at TMDB: {listed(differing)}"
    return [Note("imdb_id_differs", told, len(differing))]


def _shared(found: Mapping[int, str]) -> list[Note]:
    """IMDb ids that TMDB gives for several of the gallery's people: one person twice, or a mistake."""
    by_imdb: dict[str, list[int]] = {}
    for tmdb, imdb in found.items():
        if imdb:
            by_imdb.setdefault(imdb, []).append(tmdb)
    several = [f"{imdb} ({listed([str(one) for one in ids])})" for imdb, ids in by_imdb.items() if len(ids) > 1]
    if not several:
        return []
    told = f"{counted(len(several), 'IMDb id')} given for several TMDB ids of the gallery: {listed(several)}"
    return [Note("imdb_id_shared", told, len(several))]
