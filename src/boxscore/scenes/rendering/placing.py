"""Where bodies are dropped: over a square of floor, apart from each other."""

import math
from collections.abc import Sequence

from boxscore.scenes.rendering.catalogue import Kind
from boxscore.scenes.rendering.draws import Draws
from boxscore.scenes.rendering.planned import Quaternion, Vector

_TRIES = 60
_DROP = 0.01


def place(
    draws: Draws, kinds: Sequence[Kind], scales: Sequence[float], spread: float
) -> list[tuple[Vector, Quaternion]]:
    """Position and orientation of each body.

    Middles lie in a square of side `spread` about the origin. Each body takes the first of 60 random places where its
    circle meets nobody's, else the one that leaves most room: a crowd may touch, and physics pushes it apart.
    """
    taken: list[tuple[float, float, float]] = []
    placed = []
    for kind, scale in zip(kinds, scales, strict=True):
        x, y = _spot(draws, taken, kind.reach * scale, spread / 2)
        taken.append((x, y, kind.reach * scale))
        orientation = _any_orientation(draws) if kind.tumbles else _turned(draws)
        height = kind.lift * scale
        placed.append(((x, y, round(height + _DROP, 4)), orientation))
    return placed


def _spot(draws: Draws, taken: Sequence[tuple[float, float, float]], reach: float, half: float) -> tuple[float, float]:
    best, most = (0.0, 0.0), -math.inf
    for _ in range(_TRIES):
        x, y = draws.between(-half, half), draws.between(-half, half)
        room = min((math.hypot(x - a, y - b) - reach - other for a, b, other in taken), default=0.0)
        if room >= 0:
            return x, y
        if room > most:
            best, most = (x, y), room
    return best


def _turned(draws: Draws) -> Quaternion:
    """Upright, turned about the vertical."""
    half = draws.between(0.0, math.pi)
    return (0.0, 0.0, math.sin(half), math.cos(half))


def _any_orientation(draws: Draws) -> Quaternion:
    """Uniform over all orientations (K. Shoemake, Uniform random rotations, Graphics Gems III, 1992)."""
    first, second, third = draws.share(), draws.share() * 2 * math.pi, draws.share() * 2 * math.pi
    low, high = math.sqrt(1 - first), math.sqrt(first)
    return (low * math.sin(second), low * math.cos(second), high * math.sin(third), high * math.cos(third))
