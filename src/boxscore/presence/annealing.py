"""Smoothing on the prediction's side, swept: gaps of up to so many seconds closed, and what that does to the figures.

The ground truth is never smoothed, and who is who stays as it was found without smoothing.
"""

from __future__ import annotations

import numpy as np

from boxscore.presence.matched import pairs_of
from boxscore.presence.spans import annealed
from boxscore.presence.tallies import Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from boxscore.presence.matched import Outcomes
    from boxscore.presence.moments import Moments
    from boxscore.presence.timeline import Presence


def swept(
    prediction: Presence,
    outcomes: Outcomes,
    rows: Sequence[int | None],
    inside: NDArray[np.bool_],
    moments: Moments,
    values: Sequence[float],
) -> list[dict[str, Any]]:
    """A row of figures for each value: `seconds`, counts and rates of the actors `inside`.

    `rows` are those of the prediction's people by actor; values are lengths of time, from 0 on.
    """
    found = []
    width = len(rows)
    true = outcomes.true.moment * width + outcomes.true.actor
    true = true[inside[outcomes.true.actor]]
    for seconds in values:
        pairs = pairs_of(annealed(prediction.windows, seconds), rows, moments)
        predicted = (pairs.moment * width + pairs.actor)[inside[pairs.actor]]
        right = int(np.isin(predicted, true, assume_unique=True).sum())
        row = Part(f"{seconds:g} s", right, len(predicted) - right, len(true) - right).row()
        found.append({"seconds": seconds} | row)
    return found
