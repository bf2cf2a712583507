"""Arithmetic of windows: who is inside at moments, gaps closed, stretches of two compared."""

from __future__ import annotations

import numpy as np

from boxscore.presence.timeline import NO_SCENE, Windows, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

    from boxscore.presence.timeline import Floats, Integers

BOTH, ONLY_FIRST, ONLY_SECOND = 3, 1, 2
"""Of a stretch of time: which of two it belongs to."""


def inside(windows: Windows, time: Floats) -> tuple[Integers, Integers]:
    """Pairs (moment, person) of who is there when, each once, by person and then moment. `time` ascends."""
    union = joined(windows)
    first = np.searchsorted(time, union.start).astype(np.int64)
    counts = np.searchsorted(time, union.end).astype(np.int64) - first
    person = np.repeat(union.person, counts)
    begins = np.cumsum(counts) - counts
    return np.arange(len(person), dtype=np.int64) + np.repeat(first - begins, counts), person


def of_person(union: Windows, person: int) -> tuple[Floats, Floats]:
    """Starts and ends of one person's windows, ascending and apart; `union` is what `joined` gave."""
    first, last = np.searchsorted(union.person, [person, person + 1])
    return union.start[first:last], union.end[first:last]


def until(windows: Windows, seconds: float) -> Windows:
    """What of each person's windows lies before a time; those that touch or overlap are one."""
    union = joined(windows)
    kept = union.start < seconds
    return Windows(union.person[kept], union.start[kept], union.end[kept].clip(max=seconds), union.scene[kept])


def annealed(windows: Windows, seconds: float) -> Windows:
    """Windows with gaps of up to so many seconds closed; ends stay where they are, and short windows stay."""
    union = joined(windows)
    if seconds <= 0.0 or len(union) < 2:
        return union
    opens = np.ones(len(union), np.bool_)
    opens[1:] = (union.person[1:] != union.person[:-1]) | (union.start[1:] - union.end[:-1] > seconds)
    begins = np.flatnonzero(opens)
    ends = np.append(begins[1:], len(union)) - 1
    return Windows(union.person[begins], union.start[begins], union.end[ends], np.full(len(begins), NO_SCENE, np.int64))


def parts(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Start, end and kind (BOTH, ONLY_FIRST, ONLY_SECOND) of the stretches that two lists of windows make, ascending.

    The windows of a list ascend and are apart.
    """
    edges = np.unique(np.concatenate([*first, *second]))
    kind = np.zeros(max(len(edges) - 1, 0), np.int64)
    for bit, (start, end) in ((ONLY_FIRST, first), (ONLY_SECOND, second)):
        # Windows of one list are apart, so that an edge is inside where more have begun than ended.
        begun = np.searchsorted(start, edges[:-1], side="right")
        ended = np.searchsorted(end, edges[:-1], side="right")
        kind |= np.where(begun > ended, bit, 0)
    kept = kind > 0
    start, end, kind = edges[:-1][kept], edges[1:][kept], kind[kept]
    if not len(kind):
        return start, end, kind
    opens = np.flatnonzero(np.concatenate([[True], (kind[1:] != kind[:-1]) | (start[1:] != end[:-1])]))
    return start[opens], end[np.append(opens[1:], len(kind)) - 1], kind[opens]


def clipped(windows: tuple[Floats, Floats], bounds: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """What of the windows lies inside the bounds (both ascending, apart)."""
    start, end, kind = parts(windows, bounds)
    return start[kind == BOTH], end[kind == BOTH]
