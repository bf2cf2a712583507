"""Random numbers of a scene, the same under every NumPy version.

NumPy keeps the bits of a bit generator and of `SeedSequence` stable, and not what `Generator` makes of them (NEP 19);
pictures must not change with an update, so the little that is needed is made of the bits here.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.streams import Purpose

T = TypeVar("T")


class Part(IntEnum):
    """What a stream of a scene is for: asking for noise must not move the objects."""

    LAYOUT = 1
    CAMERA = 2
    COLOUR = 3
    TEXTURES = 4
    BACKGROUNDS = 5
    LIGHTS = 6
    NOISE = 7
    BLUR = 8
    SCALE = 9
    OCCLUDERS = 10
    SENSOR = 11


def scene_seed(seed: int, index: int, attempt: int) -> int:
    """The seed of scene `index` of a set, below 2 ** 53 so that every reader of JSON reads it as it is."""
    child = np.random.SeedSequence(seed, spawn_key=(int(Purpose.SCENE), index, attempt))
    return int(child.generate_state(1, np.uint64)[0]) >> 11


class Draws:
    """One stream, for one part of one scene."""

    def __init__(self, seed: int, part: Part) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(int(part),)))

    def raw(self, count: int) -> NDArray[np.uint64]:
        """That many words of 64 random bits."""
        return np.asarray(self._bits.random_raw(count), dtype=np.uint64)

    def share(self) -> float:
        """Uniform in 0 to 1, without 1."""
        return (int(self._bits.random_raw()) >> 11) * 2.0**-53

    def between(self, low: float, high: float) -> float:
        """Uniform in `low` to `high`, to four decimals: what the metadata states is what was rendered."""
        return round(low + (high - low) * self.share(), 4)

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self.share() * (high - low + 1))

    def one_of(self, options: Sequence[T], weights: Sequence[float] | None = None) -> T:
        """One of them, in proportion to the weights; all alike without, or with weights that are all 0."""
        total = sum(weights) if weights is not None else 0.0
        if weights is None or total <= 0:
            return options[self.whole(0, len(options) - 1)]
        left = self.share() * total
        for option, weight in zip(options, weights, strict=True):
            left -= weight
            if left < 0:
                return option
        # Rounding may leave a rest: the last that can be drawn at all takes it.
        return next(option for option, weight in zip(reversed(options), reversed(weights), strict=True) if weight > 0)

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All of them in random order."""
        order = list(options)
        for last in range(len(order) - 1, 0, -1):
            other = self.whole(0, last)
            order[last], order[other] = order[other], order[last]
        return order
