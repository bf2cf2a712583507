"""Who is who in two sources: people that share a key, joined one to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.model.notes import counted, listed
from boxscore.presence import keys
from boxscore.presence.shared import shared_presence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boxscore.presence.person import Person
    from boxscore.presence.timeline import Presence

    Shared = Callable[[Presence, Presence, Sequence[tuple[int, int]]], Sequence[float]]

LOST = "somebody else shares more presence"
IDS_DIFFER = "they share a key, but have different ids of one kind"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two people that share a key, yet may not be one.

    Attributes:
        truth, predicted: Rows of `people`.
        key: The first key that they share.
        shared: Seconds of presence that they share; moments where the ground truth is sampled.
        reason: `LOST` (left apart: one of them is joined to somebody else), or `IDS_DIFFER` (joined all the same).
        words: The same as a sentence.
    """

    truth: int
    predicted: int
    key: str
    shared: float
    reason: str
    words: str


@dataclass(frozen=True, slots=True)
class Matching:
    """Which person of a prediction is which of a ground truth.

    Attributes:
        pairs: Rows (ground truth, prediction) of one person, ascending.
        keys: For each pair the first key that joins it.
        conflicts: In the order of rows.
    """

    pairs: tuple[tuple[int, int], ...]
    keys: tuple[str, ...]
    conflicts: tuple[Conflict, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """The conflicts in a sentence, if there are any."""
        if not self.conflicts:
            return ()
        told = listed([conflict.words for conflict in self.conflicts])
        return (f"{counted(len(self.conflicts), 'conflict')} of identity: {told}",)


def label_of(person: Person) -> str:
    """The label of a person: the first key in the documented order (imdb, tmdb, jf, name, mvn)."""
    return keys.first(person.keys)


def match_people(truth: Presence, prediction: Presence, shared: Shared = shared_presence) -> Matching:
    """Join people whose key sets intersect, one to one.

    Pairs are taken by falling shared presence; ties go to the key that comes first in the documented order, then to the
    ground truth's label, then to the prediction's. A pair that comes too late, since one of the two is joined already,
    is a conflict.

    Args:
        truth: The ground truth.
        prediction: The prediction.
        shared: How much presence pairs of rows share, a number a pair (`shared.shared_presence`).
    """
    candidates = _candidates(truth.people, prediction.people)
    amounts = shared(truth, prediction, candidates)
    joining = [_first_shared(truth.people[one], prediction.people[other]) for one, other in candidates]
    labels = [(label_of(truth.people[one]), label_of(prediction.people[other])) for one, other in candidates]
    order = sorted(
        range(len(candidates)), key=lambda i: (-amounts[i], keys.order(joining[i]), labels[i], candidates[i])
    )
    taken: dict[int, str] = {}
    of_truth: set[int] = set()
    of_predicted: set[int] = set()
    conflicts = []
    for i in order:
        one, other = candidates[i]
        people = truth.people[one], prediction.people[other]
        if one in of_truth or other in of_predicted:
            words = f"{_told(people[0])} and {_told(people[1])} share {joining[i]}, but {LOST}: left apart"
            conflicts.append(Conflict(one, other, joining[i], amounts[i], LOST, words))
            continue
        taken[i] = joining[i]
        of_truth.add(one)
        of_predicted.add(other)
        differ = _differing(*people)
        if differ:
            words = f"{_told(people[0])} and {_told(people[1])} are joined by {joining[i]}, but {differ} differ"
            conflicts.append(Conflict(one, other, joining[i], amounts[i], IDS_DIFFER, words))
    chosen = sorted(taken, key=lambda i: candidates[i])
    return Matching(
        tuple(candidates[i] for i in chosen),
        tuple(taken[i] for i in chosen),
        tuple(sorted(conflicts, key=lambda conflict: (conflict.truth, conflict.predicted))),
    )


def _candidates(truth: Sequence[Person], predicted: Sequence[Person]) -> list[tuple[int, int]]:
    """Rows of all pairs whose key sets intersect, ascending."""
    holders: dict[str, list[int]] = {}
    for row, person in enumerate(predicted):
        for key in person.keys:
            holders.setdefault(key, []).append(row)
    found = {(row, other) for row, person in enumerate(truth) for key in person.keys for other in holders.get(key, ())}
    return sorted(found)


def _first_shared(one: Person, other: Person) -> str:
    return keys.first(one.keys & other.keys)


def _differing(one: Person, other: Person) -> str:
    """Ids of one kind that two people have, but don't share, in words; empty where there are none."""
    kinds = {keys.kind_of(key) for key in one.keys & other.keys}
    mine, theirs = ({keys.kind_of(key): key for key in sorted(keys.exact(person.keys))} for person in (one, other))
    pairs = [
        f"{mine[kind]} and {theirs[kind]}" for kind in keys.IDS if kind in mine and kind in theirs and kind not in kinds
    ]
    return ", ".join(pairs)


def _told(person: Person) -> str:
    return f"{person.name} ({label_of(person)})"
