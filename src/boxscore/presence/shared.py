"""How much presence two people of different sources share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boxscore.presence.timeline import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.presence.timeline import Floats, Presence, Windows


def shared_presence(truth: Presence, prediction: Presence, pairs: Sequence[tuple[int, int]]) -> list[float]:
    """For each pair of rows (ground truth, prediction): the seconds in which both are there.

    Where the ground truth speaks at samples alone, the number of samples at which both are there.
    """
    windows = (joined(truth.windows), joined(prediction.windows))
    bounds = tuple(
        np.searchsorted(one.person, np.arange(len(source.people) + 1))
        for one, source in zip(windows, (truth, prediction), strict=True)
    )
    found = []
    for rows in pairs:
        (start, end), (after, until) = (
            _of(one, bound, row) for one, bound, row in zip(windows, bounds, rows, strict=True)
        )
        if truth.samples is not None:
            both = _inside(truth.samples, start, end) & _inside(truth.samples, after, until)
            found.append(float(np.count_nonzero(both)))
        else:
            found.append(float(np.sum(_before(end, after, until) - _before(start, after, until))))
    return found


def _of(windows: Windows, bounds: np.ndarray[tuple[int], np.dtype[np.intp]], row: int) -> tuple[Floats, Floats]:
    part = slice(int(bounds[row]), int(bounds[row + 1]))
    return windows.start[part], windows.end[part]


def _inside(moments: Floats, start: Floats, end: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether each moment lies in one of the windows, which are apart and ascending."""
    place = np.searchsorted(start, moments, "right") - 1
    if not len(start):
        return np.zeros(len(moments), np.bool_)
    return (place >= 0) & (moments < end[place])


def _before(moments: Floats, start: Floats, end: Floats) -> Floats:
    """Seconds of the windows, which are apart and ascending, that lie before each moment."""
    if not len(start):
        return np.zeros(len(moments))
    whole = np.concatenate([[0.0], np.cumsum(end - start)])
    place = np.searchsorted(start, moments, "right")
    last = np.maximum(place - 1, 0)
    over = np.where(place > 0, np.maximum(end[last] - moments, 0.0), 0.0)
    return np.asarray(whole[place] - over, dtype=np.float64)
