"""Actors: the identities of ground truth, prediction and gallery under one label each, and the mask over them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from boxscore.model.notes import counted
from boxscore.presence import keys
from boxscore.presence.timeline import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from boxscore.presence.person import Person
    from boxscore.presence.timeline import Presence

ROLES = ("lead", "supporting", "minor")
LEAD, SUPPORTING = 0.2, 0.05
"""Share of the moments from which on a role is one."""
NO_ROLE = "not in the ground truth"

GALLERY, PREDICTED, NONE = "gallery and ground truth", "ground truth and predicted", "none"
"""Masks by name."""


@dataclass(frozen=True, slots=True)
class Actor:
    """One identity.

    Attributes:
        label: Unique among the actors: the first documented key of the person in the ground truth, else of that in the
            prediction or the gallery.
        name: What to show.
        truth, predicted: Rows of `people`; None where the source does not have the person.
        in_gallery: Whether the gallery can recognise the person; None without a gallery.
    """

    label: str
    name: str
    truth: int | None
    predicted: int | None
    in_gallery: bool | None


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """Which actors count: `inside` (a boolean an actor), by which rule (`kind`), in words."""

    inside: NDArray[np.bool_]
    kind: str
    words: str


def actors_of(
    truth: Presence,
    prediction: Presence,
    pairs: Iterable[tuple[int, int]],
    *,
    gallery: Sequence[Person] | None = None,
    others: Iterable[Person] = (),
) -> list[Actor]:
    """True actors in their source's order, then all others by label.

    `pairs` are rows of one person in both. `gallery` and `others` (people of predictions that are to be compared with
    this one) get labels of their own where nobody has theirs, so that runs of one title have the same labels.
    """
    known = None if gallery is None else frozenset(key for person in gallery for key in person.keys)
    predicted_as = dict(pairs)
    taken: set[str] = set()
    found = []
    for row, person in enumerate(truth.people):
        predicted = predicted_as.get(row)
        actor = _actor(person, taken, known, truth=row, predicted=predicted)
        if predicted is not None and not any(keys.kind_of(key) == "name" for key in person.keys):
            # MovieNet has ids alone.
            actor = replace(actor, name=prediction.people[predicted].name)
        found.append(actor)
    matched = set(predicted_as.values())
    further = [
        _actor(person, taken, known, predicted=row)
        for row, person in _by_label(prediction.people)
        if row not in matched
    ]
    there = {key for person in (*truth.people, *prediction.people) for key in person.keys}
    for _, person in _by_label((*(gallery or ()), *others)):
        if not person.keys & there:
            there |= person.keys
            further.append(_actor(person, taken, known))
    return [*found, *sorted(further, key=lambda actor: actor.label)]


def detected_of(actors: Sequence[Actor], prediction: Presence) -> NDArray[np.bool_]:
    """Whether the prediction has a window with length of each actor: it may list people whom it never found."""
    there = np.bincount(joined(prediction.windows).person, minlength=len(prediction.people)) > 0
    return np.array([one.predicted is not None and bool(there[one.predicted]) for one in actors], np.bool_)


def mask_of(actors: Sequence[Actor], detected: NDArray[np.bool_], *, gallery: bool, masked: bool = True) -> Mask:
    """The mask: gallery ∩ ground truth; without a gallery ground truth ∩ predicted; all where it is turned off."""
    if not masked:
        return Mask(np.ones(len(actors), np.bool_), NONE, "all actors of ground truth and prediction")
    of_truth = np.array([actor.truth is not None for actor in actors], np.bool_)
    if gallery:
        kind, inside = GALLERY, of_truth & np.array([actor.in_gallery is True for actor in actors], np.bool_)
    else:
        kind, inside = PREDICTED, of_truth & detected
    return Mask(inside, kind, f"{kind}: {inside.sum()} of {counted(int(of_truth.sum()), 'true actor')}")


def role_of(share: float, actor: Actor) -> str:
    """`lead` from 20 % of the moments on, `supporting` from 5 % on, else `minor`; of invented actors none of these."""
    if actor.truth is None:
        return NO_ROLE
    return ROLES[0] if share >= LEAD else ROLES[1] if share >= SUPPORTING else ROLES[2]


def _by_label(people: Sequence[Person]) -> list[tuple[int, Person]]:
    return sorted(enumerate(people), key=lambda one: keys.first(one[1].keys))


def _actor(
    person: Person,
    taken: set[str],
    known: frozenset[str] | None,
    *,
    truth: int | None = None,
    predicted: int | None = None,
) -> Actor:
    first = label = keys.first(person.keys)
    copies = 1
    while label in taken:
        copies += 1
        label = f"{first} ({copies})"
    taken.add(label)
    return Actor(label, person.name, truth, predicted, None if known is None else bool(person.keys & known))
