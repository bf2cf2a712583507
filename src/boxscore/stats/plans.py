"""What is resampled, and how often: weights of units (images, or groups of them), drawn or enumerated.

A unit is what was sampled from the world and may be drawn again: an image, or a clip, session or camera whose images
belong together. A plan serves all models alike, so that their figures are paired.
"""

from __future__ import annotations

import itertools
import math

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

MOST_EXACT = 20_000
"""Up to so many multisets (or patterns of swaps) are enumerated instead of drawn."""

MOST_BLOCKS = 200


class Plan:
    """Weights of units, replicate by replicate.

    Attributes:
        units: uint32 [images], the unit of each image.
        num_units: number of units.
        replicates: number of replicates.
        seed: what the kernel draws from; None where `weights` says it all.
        weights: uint32 [replicates, num_units]: copies of each unit (for swaps: 1 where detections are swapped, 0 where
            they stay). None: drawn by the kernel.
        probabilities: float64 [replicates], summing to 1, where the replicates are not equally likely; else None.
        exact: whether the replicates are all there are.
        first: number of the first replicate, where these are a block of many: drawn as it would be among all.
    """

    __slots__ = ("exact", "first", "num_units", "probabilities", "replicates", "seed", "units", "weights")

    def __init__(
        self,
        units: NDArray[np.uint32],
        num_units: int,
        replicates: int,
        *,
        seed: int | None = None,
        weights: NDArray[np.uint32] | None = None,
        probabilities: NDArray[np.float64] | None = None,
        exact: bool = False,
        first: int = 0,
    ) -> None:
        self.units = units
        self.num_units = num_units
        self.replicates = replicates
        self.seed = seed
        self.weights = weights
        self.probabilities = probabilities
        self.exact = exact
        self.first = first

    def block(self, start: int, stop: int) -> Plan:
        """The replicates from `start` on, before `stop`, as they are among all."""
        if not 0 <= start < stop <= self.replicates:
            raise InputError(f"resampling: there are {self.replicates} replicates, none from {start} to {stop}")
        some = slice(start, stop)
        return Plan(
            self.units,
            self.num_units,
            stop - start,
            seed=self.seed,
            weights=None if self.weights is None else self.weights[some],
            probabilities=None if self.probabilities is None else self.probabilities[some],
            first=self.first + start,
        )

    def __repr__(self) -> str:
        how = "exact" if self.exact else "given" if self.weights is not None else f"seed {self.seed}"
        return f"<Plan {self.replicates} replicates of {self.num_units} units, {how}>"


def bootstrap(
    units: ArrayLike, num_units: int, *, replicates: int = 1000, seed: int = 0, most_exact: int = MOST_EXACT
) -> Plan:
    """Draw as many units as there are, with replacement; or enumerate all multisets where they are few.

    There are C(2k - 1, k) multisets of k units (3: 10; 8: 6,435); up to `most_exact` of them are enumerated, each with
    its multinomial probability, and `replicates` and `seed` are not used. `units` is [images]. Raises InputError.
    """
    of_image = _checked(units, num_units, replicates, seed)
    # 2^(k - 1) is at most C(2k - 1, k): thousands of units are not worth a number of thousands of digits.
    if 2 ** (num_units - 1) > most_exact or math.comb(2 * num_units - 1, num_units) > most_exact:
        return Plan(of_image, num_units, replicates, seed=seed)
    weights, probabilities = multisets(num_units)
    return Plan(of_image, num_units, len(weights), weights=weights, probabilities=probabilities, exact=True)


def multisets(num_units: int) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """All ways to draw k of k units with replacement, [C(2k - 1, k), k], and their probabilities, summing to 1.

    The probability of weights w is k! / (w1! … wk!) / k^k: the numerator is a whole number, divided once.
    """
    import numpy as np

    # A multiset is k stars with k - 1 bars between them; the weights are the numbers of stars between bars.
    slots = 2 * num_units - 1
    bars = list(itertools.combinations(range(slots), num_units - 1))
    edges = np.full((len(bars), num_units + 1), -1, dtype=np.int64)
    edges[:, 1:-1] = np.array(bars, dtype=np.int64).reshape(len(bars), num_units - 1)
    edges[:, -1] = slots
    weights = np.diff(edges, axis=1) - 1
    factorials = [math.factorial(count) for count in range(num_units + 1)]
    ways = [factorials[-1] // math.prod(map(factorials.__getitem__, row)) for row in weights.tolist()]
    total = num_units**num_units
    return weights.astype(np.uint32), np.array([way / total for way in ways], dtype=np.float64)


def blocks(units: ArrayLike, num_units: int, *, most: int = MOST_BLOCKS, seed: int = 0) -> Plan:
    """Leave out one block of whole units at a time: weights 0 and 1, what BCa takes its acceleration from.

    Up to `most` units each is its own block. Beyond, units fall into `most` blocks at random (by seed), whose sizes
    differ by at most one. Raises InputError.
    """
    import numpy as np

    of_image = _checked(units, num_units, most, seed)
    number = min(num_units, most)
    block = np.empty(num_units, dtype=np.int64)
    block[shuffled(num_units, seed)] = np.arange(num_units, dtype=np.int64) * number // num_units
    weights = (np.arange(number)[:, None] != block[None, :]).astype(np.uint32)
    return Plan(of_image, num_units, number, weights=weights)


def swaps(
    units: ArrayLike, num_units: int, *, replicates: int = 1000, seed: int = 0, most_exact: int = MOST_EXACT
) -> Plan:
    """Swap two models' detections, unit by unit, each with a chance of one half; or in all patterns where they are few.

    Of the 2^k patterns the 2^(k - 1) that leave unit 0 alone are enumerated, up to `most_exact`, the one that swaps
    nothing first: swapping all other units instead only turns the sign of a difference. Raises InputError.
    """
    import numpy as np

    of_image = _checked(units, num_units, replicates, seed)
    if 2 ** (num_units - 1) > most_exact:
        return Plan(of_image, num_units, replicates, seed=seed)
    patterns = np.arange(2 ** (num_units - 1), dtype=np.uint64)[:, None] << np.uint64(1)
    weights = (patterns >> np.arange(num_units, dtype=np.uint64)[None, :]) & np.uint64(1)
    return Plan(of_image, num_units, len(weights), weights=weights.astype(np.uint32), exact=True)


def _checked(units: ArrayLike, num_units: int, replicates: int, seed: int) -> NDArray[np.uint32]:
    """The unit of each image. Every unit must have one: else there would be fewer of them than is said."""
    import numpy as np

    if replicates < 1:
        raise InputError(f"resampling: the number of replicates (or blocks) is {replicates}; give 1 or more")
    if not 0 <= seed < 2**64:
        raise InputError(f"resampling: the seed is {seed}; give a whole number from 0 to 2**64 - 1")
    found = np.asarray(units)
    if found.ndim != 1 or not (np.issubdtype(found.dtype, np.integer) and len(found)):
        raise InputError("resampling: the units must be whole numbers, one an image, for one image or more")
    if not np.array_equal(np.unique(found), np.arange(num_units)):
        raise InputError(f"resampling: the units of images must be 0 to {num_units - 1}, each with an image or more")
    return found.astype(np.uint32)


def stream(seed: int, number: int) -> int:
    """The seed of one of several independent draws that a single seed decides; that of draw 0 is the seed itself."""
    import numpy as np

    if number == 0:
        return seed
    with np.errstate(over="ignore"):  # as in `shuffled`
        start = _mixed(np.array([seed], dtype=np.uint64))
        return int(_mixed(start ^ _mixed(np.array([number], dtype=np.uint64)))[0])


def shuffled(count: int, seed: int) -> NDArray[np.int64]:
    """Numbers below `count` in an order that depends on the seed alone, not on NumPy's version (SplitMix64)."""
    import numpy as np

    with np.errstate(over="ignore"):  # it is arithmetic modulo 2**64
        start = _mixed(np.array([seed], dtype=np.uint64))
        keys = _mixed(start + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return np.argsort(keys, kind="stable").astype(np.int64)


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    import numpy as np

    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
