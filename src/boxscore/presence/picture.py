"""The timeline picture's data: what each side says of an actor, cut where the other begins to agree or disagree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from boxscore.presence.spans import BOTH, clipped, of_person, parts, until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from boxscore.presence.actors import Actor
    from boxscore.presence.timeline import Floats, Presence

    Windows = tuple[Floats, Floats]

MOST_ACTORS = 24
MOST_OUTSIDE = 6
"""Places that actors outside the mask get of them."""
MOST_STRETCHES = 400
"""Of an actor and side; beyond, stretches next to each other are drawn as one, wrong where any of them is."""

FOUND, MISSED, RIGHT, WRONG = "found", "missed", "right", "wrong"


def picture(
    truth: Presence,
    prediction: Presence,
    actors: Sequence[Actor],
    inside: NDArray[np.bool_],
    duration: float,
) -> dict[str, Any]:
    """`actors` (names, those longest on screen first) and `stretches` (actor, side, state, start, end; seconds).

    Actors of the mask come first, then others; `left_out` counts those for whom there is no room. Where the ground
    truth speaks of annotated stretches alone, the prediction is shown there alone.
    """
    first, second = (until(one.windows, duration) for one in (truth, prediction))
    bounds = None if truth.annotated is None else _merged(truth)
    found = []
    for actor, counts in zip(actors, inside, strict=True):
        sides = [_windows(first, actor.truth, bounds), _windows(second, actor.predicted, bounds)]
        seconds = [float((end - start).sum()) for start, end in sides]
        if any(seconds):
            found.append(((not counts, -seconds[0], -seconds[1], actor.label), actor, sides, bool(counts)))
    found.sort(key=lambda one: one[0])
    outside = [one for one in found if not one[-1]][:MOST_OUTSIDE]
    shown = [one for one in found if one[-1]][: MOST_ACTORS - len(outside)] + outside
    stretches = [row for _, actor, (true, predicted), _ in shown for row in _rows(actor.label, true, predicted)]
    return {
        "duration": duration,
        "actors": [{"label": one.label, "name": one.name, "masked": counts} for _, one, _, counts in shown],
        "stretches": stretches,
        "left_out": len(found) - len(shown),
    }


def _windows(union: Any, row: int | None, bounds: Windows | None) -> Windows:  # noqa: ANN401  Windows of a timeline
    if row is None:
        return np.zeros(0), np.zeros(0)
    own = of_person(union, row)
    return own if bounds is None else clipped(own, bounds)


def _merged(truth: Presence) -> Windows:
    """The annotated stretches, those that touch made one."""
    spans = truth.annotated
    if spans is None or not len(spans):
        return np.zeros(0), np.zeros(0)
    order = np.argsort(spans.start, kind="stable")
    start, end = spans.start[order], np.maximum.accumulate(spans.end[order])
    opens = np.flatnonzero(np.concatenate([[True], start[1:] > end[:-1]]))
    return start[opens], end[np.append(opens[1:], len(start)) - 1]


def _rows(label: str, true: Windows, predicted: Windows) -> list[dict[str, Any]]:
    start, end, kind = parts(true, predicted)
    rows = []
    for side, bit, agreeing, other in (("truth", 1, FOUND, MISSED), ("prediction", 2, RIGHT, WRONG)):
        own = (kind & bit) > 0
        wrong = kind[own] != BOTH
        for begins, ends, is_wrong in _fewer(start[own], end[own], wrong):
            state = other if is_wrong else agreeing
            rows.append(
                {"actor": label, "side": side, "state": state, "start": round(begins, 3), "end": round(ends, 3)}
            )
    return rows


def _fewer(start: Floats, end: Floats, wrong: NDArray[np.bool_]) -> list[tuple[float, float, bool]]:
    """At most so many stretches as a picture can show."""
    if len(start) <= MOST_STRETCHES:
        return list(zip(start.tolist(), end.tolist(), wrong.tolist(), strict=True))
    cuts = np.linspace(0, len(start), MOST_STRETCHES + 1).astype(np.int64)
    return [(float(start[low]), float(end[high - 1]), bool(wrong[low:high].any())) for low, high in pairwise(cuts)]
