"""Why an actor of X-Ray was missed: X-Ray lists who is in a scene, off camera too, so that not every miss is an error.

With MovieNet beside it, each miss is by MovieNet *on screen*, *not on screen*, or *not annotated* (at that moment, or a
person it does not identify at all). By the prediction itself, an actor is *never detected in this title*, or detected
elsewhere and *missed here*.
"""

from __future__ import annotations

import numpy as np

from boxscore.presence.spans import inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from boxscore.presence.actors import Actor
    from boxscore.presence.matched import Outcomes
    from boxscore.presence.moments import Moments
    from boxscore.presence.timeline import Presence

ON_SCREEN, NOT_ON_SCREEN, NOT_ANNOTATED = "on screen", "not on screen", "not annotated"
NEVER, HERE = "never detected in this title", "missed here"


def fates(
    outcomes: Outcomes,
    actors: Sequence[Actor],
    moments: Moments,
    masked: NDArray[np.bool_],
    detected: NDArray[np.bool_],
    other: Presence | None = None,
    pairs: Iterable[tuple[int, int]] = (),
) -> dict[str, Any]:
    """Misses by fate, ready for JSON: `rows` of `screen` (null without MovieNet), `detection`, `misses`, `in_mask`.

    `detected` says of each actor whether the prediction has a window of theirs anywhere. `pairs` are people of the
    ground truth and of `other` (MovieNet's timeline) who are the same. `by_actor` has the same of each actor missed.
    """
    missed = ~outcomes.found
    moment, actor = outcomes.true.moment[missed], outcomes.true.actor[missed]
    never = ~detected[actor]
    screen = None if other is None else _screen(moment, actor, actors, moments, other, dict(pairs))
    rows = []
    for state in (None,) if screen is None else (ON_SCREEN, NOT_ON_SCREEN, NOT_ANNOTATED):
        for detection, is_so in ((NEVER, never), (HERE, ~never)):
            chosen = is_so if screen is None else is_so & (screen == state)
            row = {"screen": state, "detection": detection, "misses": int(chosen.sum())}
            rows.append(row | {"in_mask": int((chosen & masked[actor]).sum())})
    return {"misses": int(missed.sum()), "rows": rows, "by_actor": _by_actor(actor, actors, never, screen)}


def _screen(
    moment: NDArray[np.int64],
    actor: NDArray[np.int64],
    actors: Sequence[Actor],
    moments: Moments,
    other: Presence,
    same: dict[int, int],
) -> NDArray[np.str_]:
    """Where MovieNet has each missed actor at the moment."""
    person = np.array([-1 if one.truth is None else same.get(one.truth, -1) for one in actors], np.int64)[actor]
    annotated = _annotated(other, moments.time)[moment] & (person >= 0)
    there_moment, there_person = inside(other.windows, moments.time)
    width = len(other.people) + 1
    there = np.isin(moment * width + person, there_moment * width + there_person)
    return np.where(~annotated, NOT_ANNOTATED, np.where(there, ON_SCREEN, NOT_ON_SCREEN))


def _annotated(other: Presence, time: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether the source says anything at each moment."""
    if other.annotated is None:
        return np.ones(len(time), np.bool_)
    begun = np.searchsorted(np.sort(other.annotated.start), time, side="right")
    ended = np.searchsorted(np.sort(other.annotated.end), time, side="right")
    return begun > ended


def _by_actor(
    actor: NDArray[np.int64], actors: Sequence[Actor], never: NDArray[np.bool_], screen: NDArray[np.str_] | None
) -> list[dict[str, Any]]:
    rows = []
    for number in np.unique(actor):
        of_actor = actor == number
        row: dict[str, Any] = {"label": actors[number].label, "name": actors[number].name}
        row |= {"misses": int(of_actor.sum()), "detection": NEVER if never[of_actor][0] else HERE}
        if screen is not None:
            row |= {
                state: int((screen[of_actor] == state).sum()) for state in (ON_SCREEN, NOT_ON_SCREEN, NOT_ANNOTATED)
            }
        rows.append(row)
    return sorted(rows, key=lambda row: -row["misses"])
