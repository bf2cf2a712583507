"""Random streams: one generator per image and purpose, all children of one seed.

A child is keyed by what it is for and by the number of the image (or clip), so what happens in an image depends on
the seed and that number alone: more images, other workers or another order leave it as it was.

The bit generator is PCG64 seeded through `numpy.random.SeedSequence`, whose streams NumPy keeps stable. NumPy may
change how its `Generator` turns those bits into normal or Poisson variates in a feature release (NEP 19), so the same
seed gives the same bytes under one NumPy version, and the same distribution under all of them.
"""

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """What a stream is for; part of its key, so that a seed used for two purposes gives unrelated numbers."""

    CLIP = 1
    IMAGE = 2
    DETECTOR = 3
    SCENE = 4
    HARDNESS = 5


def stream(seed: int, purpose: Purpose, number: int) -> np.random.Generator:
    """The generator for image or clip `number` (from 0)."""
    child = np.random.SeedSequence(seed, spawn_key=(int(purpose), number))
    return np.random.Generator(np.random.PCG64(child))
