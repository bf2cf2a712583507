"""What lens and sensor do to a picture: blur, noise, and whole numbers."""

import math

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering.draws import Draws, Part
from boxscore.scenes.rendering.planned import ScenePlan

Floats = NDArray[np.float64]


def exposed(colours: Floats, plan: ScenePlan) -> NDArray[np.uint8]:
    """Levels, (height, width, 3), of colours 0 to 1; brighter ones are clipped."""
    levels = colours * 255.0
    if plan.blur > 0:
        levels = _blurred(levels, plan.blur)
    if plan.noise > 0:
        levels = levels + plan.noise * _normal(Draws(plan.scene_seed, Part.SENSOR), levels.shape)
    return np.clip(levels + 0.5, 0, 255).astype(np.uint8)


def _blurred(levels: Floats, sigma: float) -> Floats:
    """Gaussian blur, cut off at three standard deviations; the picture's edge is repeated beyond it."""
    reach = math.ceil(3 * sigma)
    weights = [math.exp(-0.5 * (offset / sigma) ** 2) for offset in range(-reach, reach + 1)]
    total = sum(weights)
    for axis in (0, 1):
        size = levels.shape[axis]
        padded = np.pad(levels, [(reach, reach) if other == axis else (0, 0) for other in range(3)], mode="edge")
        moved = (np.take(padded, range(at, at + size), axis=axis) * (w / total) for at, w in enumerate(weights))
        levels = np.asarray(sum(moved))
    return levels


def _normal(draws: Draws, shape: tuple[int, ...]) -> Floats:
    """Nearly normal numbers, standard deviation 1: sums of eight random bytes, which need no function of libm."""
    count = math.prod(shape)
    octets = draws.raw(count).view(np.uint8).reshape(count, 8)
    total = octets.sum(axis=1, dtype=np.int64).astype(np.float64)
    spread = math.sqrt(8 * (256.0**2 - 1) / 12)
    found: Floats = (total - 8 * 127.5) / spread
    return found.reshape(shape)
