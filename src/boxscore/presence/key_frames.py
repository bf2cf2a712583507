"""People seen on key frames as a timeline that speaks at those moments alone.

The moment of a key frame is when it begins to be shown. An annotated key frame speaks for its shot, whose ends are
cuts; where several of a shot are annotated, each speaks for the part of the shot that is nearer to it than to the
others. A person's windows are those stretches, so that a moment within one has the truth of its key frame, and the
annotation is silent elsewhere.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from boxscore.presence.timeline import Presence, spans_of, windows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from boxscore.presence.person import Person
    from boxscore.presence.shots import Shots
    from boxscore.presence.timeline import Spans

SOURCE = "movienet"

Frame = tuple[int, int]
"""A key frame: shot, image of the shot."""


def timeline(
    people: Sequence[Person],
    seen: Mapping[Frame, Iterable[int]],
    shots: Shots,
    *,
    scenes: Spans,
    notes: Sequence[str],
    path: str,
) -> Presence:
    """The timeline of annotated key frames; `seen` holds the people (rows) on each, also of those with nobody known.

    Every frame must be in the shot file (`Shots.key_frame`).
    """
    seen = _one_a_moment(seen, shots)
    spans = [(*span, frame) for shot, images in _by_shot(seen) for span, frame in _parts(shots, shot, images)]
    spans.sort()
    rows = [
        (person, start, end, _scene(scenes, start)) for start, end, frame in spans for person in sorted(seen[frame])
    ]
    return Presence(
        SOURCE,
        tuple(people),
        windows_of(rows),
        scenes,
        samples=np.array([shots.seconds(shots.shots[shot].keys[image]) for _, _, (shot, image) in spans], np.float64),
        annotated=spans_of((start, end, f"shot_{shot:04d}_img_{image}") for start, end, (shot, image) in spans),
        duration=shots.duration,
        notes=tuple(notes),
        path=path,
    )


def _one_a_moment(seen: Mapping[Frame, Iterable[int]], shots: Shots) -> dict[Frame, set[int]]:
    """Images of a short shot may be one frame: their people are then seen on the first of them."""
    found: dict[Frame, set[int]] = {}
    for (shot, image), people in seen.items():
        keys = shots.shots[shot].keys
        found.setdefault((shot, keys.index(keys[image])), set()).update(people)
    return found


def _by_shot(seen: Iterable[Frame]) -> list[tuple[int, list[int]]]:
    found: dict[int, list[int]] = {}
    for shot, image in sorted(seen):
        found.setdefault(shot, []).append(image)
    return list(found.items())


def _parts(shots: Shots, shot: int, images: Sequence[int]) -> list[tuple[tuple[float, float], Frame]]:
    """The stretch that each annotated key frame of a shot speaks for: cut half-way between two of them."""
    start, end = shots.span(shot)
    frames = [shots.shots[shot].keys[image] for image in images]
    cuts = [shots.seconds(one + other) / 2 for one, other in pairwise(frames)]
    edges = [start, *cuts, end]
    return [(span, (shot, image)) for span, image in zip(pairwise(edges), images, strict=True)]


def _scene(scenes: Spans, moment: float) -> int:
    """The scene that a moment lies in, -1 in none."""
    place = int(np.searchsorted(scenes.start, moment, "right")) - 1
    return place if place >= 0 and moment < scenes.end[place] else -1
