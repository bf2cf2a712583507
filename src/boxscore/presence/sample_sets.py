"""Per-sample sets: who is there and who is predicted at each moment, as JSON lines."""

from __future__ import annotations

import json

import numpy as np

from boxscore.presence.moments import clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from boxscore.presence.matched import Pairs
    from boxscore.presence.scoring import Scored


def lines(scored: Scored) -> Iterator[str]:
    """A line a moment: `source`, `time`, `clock`, `scene`, and labels as `true`, `predicted`, `TP`, `FP`, `FN`.

    The last three are of actors in the mask; `outside_mask` has the others of either side.
    """
    outcomes, inside = scored.outcomes, scored.mask.inside
    labels = [actor.label for actor in scored.actors]
    count = len(scored.moments)
    sides = {
        "true": _by_moment(outcomes.true, labels, count),
        "predicted": _by_moment(outcomes.predicted, labels, count),
        "TP": _by_moment(outcomes.predicted, labels, count, outcomes.right & inside[outcomes.predicted.actor]),
        "FP": _by_moment(outcomes.predicted, labels, count, ~outcomes.right & inside[outcomes.predicted.actor]),
        "FN": _by_moment(outcomes.true, labels, count, ~outcomes.found & inside[outcomes.true.actor]),
    }
    outside = {label for label, counts in zip(labels, inside, strict=True) if not counts}
    scenes = scored.truth.scenes.names
    times = zip(scored.moments.time.tolist(), scored.moments.milliseconds, strict=True)
    for moment, (time, whole) in enumerate(times):
        scene = int(scored.moments.scene[moment])
        row: dict[str, object] = {"source": scored.truth.source, "time": time, "clock": clock(whole)}
        row["scene"] = scenes[scene] if scene >= 0 else None
        row |= {name: found[moment] for name, found in sides.items()}
        row["outside_mask"] = sorted({*sides["true"][moment], *sides["predicted"][moment]} & outside)
        yield json.dumps(row)


def _by_moment(pairs: Pairs, labels: list[str], count: int, chosen: NDArray[np.bool_] | None = None) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in range(count)]
    kept = slice(None) if chosen is None else chosen
    for moment, actor in zip(pairs.moment[kept].tolist(), pairs.actor[kept].tolist(), strict=True):
        found[moment].append(labels[actor])
    return found
