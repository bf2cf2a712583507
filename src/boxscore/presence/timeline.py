"""Who is on screen, and when, as one source says it: a prediction, or a ground truth.

Time is in seconds from the film's start. Every stretch of it is half-open, `[start, end)`: a moment `t` is inside when
`start <= t < end`, so that where one scene ends and the next begins a moment belongs to the later one alone, and the
lengths of scenes that touch add up.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boxscore.presence.person import Person

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NO_SCENE = -1
"""The scene of a window that belongs to none."""


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Stretches of time, ascending by start: scenes, or the shots that somebody annotated.

    Attributes:
        start, end: Seconds, float64, shape (n,).
        names: The source's own name of each, length n.
    """

    start: Floats
    end: Floats
    names: tuple[str, ...]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.names)


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """When each person is there: parallel arrays of shape (n,), ascending by person, then start, then end.

    Windows of one person may touch, overlap where a ground truth's scenes do, and have no length; `joined` gives their
    union.

    Attributes:
        person: The row of the person in `Presence.people`, int64.
        start, end: Seconds, float64.
        scene: The row of the scene in `Presence.scenes`, int64; `NO_SCENE` without one.
    """

    person: Integers
    start: Floats
    end: Floats
    scene: Integers

    def __len__(self) -> int:
        """How many there are."""
        return len(self.person)


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """One source's timeline.

    Attributes:
        source: `prediction`, `xray`, `movienet` or `table`.
        people: The source's identities, also those that are never on screen.
        windows: When each is there.
        scenes: The source's scenes, those with nobody in them too; of length 0 when it has none.
        samples: The moments at which the source says anything at all, ascending seconds (MovieNet: its annotated key
            frames); None when it speaks of every moment in `[0, duration)`.
        annotated: With `samples`, the stretch of time that each moment speaks for (its shot, or the part of its shot
            that is nearest to it), parallel to `samples`; elsewhere the source is silent. None where `samples` is.
        duration: The film's length in seconds where the source knows it: as stated, else the end of its last scene.
        files: Paths by role of the files that were read, where the path that was given names a folder.
        notes: What the reader met and made up its mind about, a sentence each.
        path: Where it was read, for messages.
    """

    source: str
    people: tuple[Person, ...]
    windows: Windows
    scenes: Spans
    samples: Floats | None = None
    annotated: Spans | None = None
    duration: float | None = None
    notes: tuple[str, ...] = ()
    path: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


def windows_of(rows: Iterable[tuple[int, float, float, int]]) -> Windows:
    """Windows from rows (person, start, end, scene), in any order."""
    ordered = sorted(rows, key=lambda row: row[:3])
    return Windows(
        np.array([row[0] for row in ordered], np.int64),
        np.array([row[1] for row in ordered], np.float64),
        np.array([row[2] for row in ordered], np.float64),
        np.array([row[3] for row in ordered], np.int64),
    )


def spans_of(rows: Iterable[tuple[float, float, str]] = ()) -> Spans:
    """Spans from rows (start, end, name), which the caller gives in ascending order of start."""
    given = tuple(rows)
    return Spans(
        np.array([row[0] for row in given], np.float64),
        np.array([row[1] for row in given], np.float64),
        tuple(row[2] for row in given),
    )


def joined(windows: Windows) -> Windows:
    """Each person's windows with those that touch or overlap made one; they belong to no scene any more.

    What onsets, offsets and lengths are counted on: a cut between two scenes with the same person is no exit, and a
    window without length, which holds no moment, is no presence.
    """
    windows = _with_length(windows)
    if not len(windows):
        return windows
    starts, latest = _lifted(windows)
    first = np.ones(len(windows), np.bool_)
    first[1:] = starts[1:] > latest[:-1]
    begins = np.flatnonzero(first)
    return Windows(
        windows.person[begins],
        windows.start[begins],
        np.maximum.reduceat(windows.end, begins),
        np.full(len(begins), NO_SCENE, np.int64),
    )


def overlapping(windows: Windows) -> int:
    """How many windows begin before an earlier one of the same person has ended."""
    if not len(windows):
        return 0
    starts, latest = _lifted(windows)
    return int((starts[1:] < latest[:-1]).sum())


def _with_length(windows: Windows) -> Windows:
    kept = windows.end > windows.start
    return Windows(windows.person[kept], windows.start[kept], windows.end[kept], windows.scene[kept])


def _lifted(windows: Windows) -> tuple[Integers, Integers]:
    """Starts, and the latest end so far, as numbers of which all of one person lie below all of the next."""
    # Ranks in place of seconds are whole numbers, so that lifting them by the person rounds nothing.
    count = len(windows)
    moments, ranks = np.unique(np.concatenate([windows.start, windows.end]), return_inverse=True)
    lift = windows.person * (len(moments) + 1)
    return ranks[:count] + lift, np.maximum.accumulate(ranks[count:] + lift)


def seconds_present(presence: Presence) -> Floats:
    """How long each person is there, seconds, shape (people,): the length of the union of the person's windows."""
    union = joined(presence.windows)
    return np.bincount(union.person, weights=union.end - union.start, minlength=len(presence.people)).astype(np.float64)
