"""Mentions of people in one source, brought together to identities.

Mentions that share an id are one person. A mention by name alone is the one person of that name, a new one where there
is none, and a mistake where there are several.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from boxscore.model.labels import id_text
from boxscore.presence import keys
from boxscore.presence.person import Person


@dataclass(frozen=True, slots=True)
class Mention:
    """A person as one place of a file states it: keys (at least one), the name if there is one, and what else."""

    keys: frozenset[str]
    name: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cast:
    """The identities, in the order of their first mention.

    Attributes:
        people: One an identity.
        rows: The identity of each mention, a row of `people`.
        mistakes: Mentions that can't be brought together: the mention's number and what is wrong, without the place.
    """

    people: tuple[Person, ...]
    rows: tuple[int, ...]
    mistakes: tuple[tuple[int, str], ...]


def gathered(mentions: Sequence[Mention]) -> Cast:
    """The identities of all mentions of one source."""
    joined = _Joined(len(mentions))
    holders: dict[str, int] = {}
    for row, mention in enumerate(mentions):
        for key in keys.exact(mention.keys):
            joined.join(holders.setdefault(key, row), row)
    mistakes = _join_names(mentions, joined)
    roots = [joined.root(row) for row in range(len(mentions))]
    position = {root: place for place, root in enumerate(dict.fromkeys(roots))}
    rows = tuple(position[root] for root in roots)
    members: list[list[int]] = [[] for _ in position]
    for row, place in enumerate(rows):
        members[place].append(row)
    mistakes += _conflicts(mentions, members)
    people = tuple(_person([mentions[row] for row in group]) for group in members)
    return Cast(people, rows, tuple(sorted(mistakes)))


def _join_names(mentions: Sequence[Mention], joined: "_Joined") -> list[tuple[int, str]]:
    """Join mentions by name alone to those that have an id; what is ambiguous is a mistake."""
    mistakes = []
    named: dict[str, dict[int, int]] = {}
    for row, mention in enumerate(mentions):
        if keys.exact(mention.keys):
            for key in mention.keys:
                named.setdefault(key, {}).setdefault(joined.root(row), row)
    alone: dict[str, int] = {}
    for row, mention in enumerate(mentions):
        if keys.exact(mention.keys):
            continue
        (key,) = mention.keys
        known = list(named.get(key, {}).values())
        if len(known) > 1:
            ids = " and ".join(keys.first(mentions[other].keys) for other in known)
            mistakes.append((row, f"the name {id_text(mention.name or key)} is that of {ids}; say which by an id"))
        joined.join(known[0] if len(known) == 1 else alone.setdefault(key, row), row)
    return mistakes


def _conflicts(mentions: Sequence[Mention], members: Sequence[Sequence[int]]) -> list[tuple[int, str]]:
    """Identities that would have two ids of one kind, told at the mention that brings in the second."""
    mistakes = []
    for group in members:
        stated: dict[str, str] = {}
        for row in group:
            for key in sorted(keys.exact(mentions[row].keys)):
                earlier = stated.setdefault(keys.kind_of(key), key)
                if earlier != key:
                    mistakes.append((row, f"{key} is {earlier} elsewhere in the file; one person has one id of a kind"))
    return mistakes


def _person(mentions: Sequence[Mention]) -> Person:
    found = frozenset[str]().union(*(mention.keys for mention in mentions))
    name = next((mention.name for mention in mentions if mention.name), keys.first(found))
    extra: dict[str, object] = {}
    for mention in mentions:
        extra = {**mention.extra, **extra}
    return Person(found, name, extra)


class _Joined:
    """Rows joined to sets; the root of a set is its lowest row."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def root(self, row: int) -> int:
        while self._above[row] != row:
            self._above[row] = self._above[self._above[row]]
            row = self._above[row]
        return row

    def join(self, one: int, other: int) -> None:
        low, high = sorted((self.root(one), self.root(other)))
        self._above[high] = low
