"""One-sided tests of several drops at once: are they larger than what is allowed (or smaller)?

Two nulls, both as statistics in standard errors, paired over the same units for all tests:

- `of_swaps`: two models swap their detections in units; under equality nothing changes. For drops that are allowed to
  be 0 and no more.
- `of_resamples`: the bootstrap's differences, recentred at the one observed and studentised: how far an observed
  difference lies from the true one. Whatever is allowed may be held against it.
"""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.stats.plans import shuffled
from boxscore.stats.swap_tests import TIE, ZERO

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Values = NDArray[np.float64]


class Null:
    """What the statistics of several tests would be if the drops were just what is allowed.

    Attributes:
        statistics: [replicates, tests], in standard errors; NaN where a figure does not exist.
        std_error: [tests], of the drops; 0 where no replicate differs.
        exact: whether the replicates are all there are, the observed one among them.
    """

    __slots__ = ("exact", "statistics", "std_error")

    def __init__(self, statistics: Values, std_error: Values, *, exact: bool = False) -> None:
        self.statistics = statistics
        self.std_error = std_error
        self.exact = exact

    def of(self, tests: ArrayLike) -> Null:
        """The same of some tests (positions)."""
        import numpy as np

        chosen = np.asarray(tests, dtype=np.int64)
        return Null(self.statistics[:, chosen], self.std_error[chosen], exact=self.exact)

    @property
    def turned(self) -> Null:
        """The same of drops taken the other way round."""
        return Null(-self.statistics, self.std_error, exact=self.exact)

    def observed(self, excess: ArrayLike) -> Values:
        """Statistics [tests] of what lies beyond what is allowed; without any variance it is beyond all, or nothing."""
        import numpy as np

        beyond = np.asarray(excess, dtype=np.float64)
        flat = self.std_error <= ZERO
        scaled = beyond / np.where(flat, 1.0, self.std_error)
        certain = np.where(beyond > ZERO, np.inf, np.where(beyond < -ZERO, -np.inf, 0.0))
        return np.where(flat, certain, scaled)


def of_swaps(replicates: ArrayLike, *, exact: bool) -> Null:
    """From differences under swaps, [replicates, tests], drawn, or all that leave one unit alone (`exact`).

    Their standard error is their root mean square: swapping all other units turns the sign, so that 0 is their centre.
    """
    import numpy as np

    swapped = np.asarray(replicates, dtype=np.float64)
    if exact:
        # Each pattern stands for the one that swaps all other units, too.
        swapped = np.concatenate([swapped, -swapped])
    scale = _root_mean_square(swapped)
    return Null(swapped / np.where(scale > ZERO, scale, 1.0), np.where(scale > ZERO, scale, 0.0), exact=exact)


def of_resamples(replicates: ArrayLike, units: ArrayLike, *, seed: int = 0) -> Null:
    """From bootstrapped differences, [replicates, tests], and the number of units [tests] that each rests on.

    A test that rests on fewer than 2 units has no null: its statistics are NaN, and its p is 1.

    Differences are recentred at their mean and divided by their standard deviation; resamples of k units spread too
    little by the square root of (k - 1) / k, which the standard error makes up for. That the standard error is itself
    an estimate is taken into account as Student's t does it: each replicate is divided by the square root of a draw of
    chi-square over its degrees of freedom, k - 1. The draws are the distribution's quantiles in an order that depends
    on the seed alone, and are the same for all tests, so that what goes together stays together.

    Raises InputError for fewer than 2 replicates.
    """
    import numpy as np
    from scipy.special import chdtri

    drawn = np.asarray(replicates, dtype=np.float64)
    rests_on = np.asarray(units, dtype=np.float64)
    if len(drawn) < 2:
        raise InputError(f"{len(drawn)} replicates of a bootstrapped difference say nothing of its spread; draw more")
    there = ~np.isnan(drawn)
    count = np.maximum(there.sum(axis=0), 1)
    centred = drawn - np.where(there, drawn, 0.0).sum(axis=0) / count
    scale = _root_mean_square(centred)
    scale = np.where(scale > ZERO, scale, 0.0)
    shares = (shuffled(len(drawn), seed) + 0.5) / len(drawn)
    freedom = np.maximum(rests_on - 1.0, 1.0)
    # `chdtri` takes the share above; the order is random, so that either will do.
    spread = np.sqrt(chdtri(freedom[None, :], shares[:, None]) / freedom)
    statistics = centred / np.where(scale > 0.0, scale, 1.0) / spread
    statistics[:, rests_on < 2] = np.nan
    return Null(statistics, scale * np.sqrt(rests_on / freedom))


def single(null: Null, observed: Values) -> Values:
    """P of each test by itself, [tests]: the share of the null's statistics that are at least as large."""
    import numpy as np

    columns = zip(null.statistics.T, observed, strict=True)
    return np.array([_share(column, value, exact=null.exact) for column, value in columns])


def step_down(null: Null, observed: Values) -> Values:
    """Adjusted p, [tests], by the step-down max-T of Westfall and Young (1993), one-sided.

    The largest statistic is held against the largest of all tests in each replicate, the next one against the largest
    of those left, and so on; no p is smaller than that of a larger statistic. NaN in the null counts as large for its
    own test and takes no part in those of others.
    """
    import numpy as np

    order = np.argsort(-observed, kind="stable")
    largest = np.full(len(null.statistics), -np.inf)
    adjusted = np.empty(len(observed))
    for test in order[::-1]:
        own = null.statistics[:, test]
        largest = np.fmax(largest, own)
        against = np.where(np.isnan(own), np.nan, largest)
        adjusted[test] = _share(against, float(observed[test]), exact=null.exact)
    adjusted[order] = np.maximum.accumulate(adjusted[order])
    return adjusted


def critical(null: Null, level: float) -> float:
    """The statistic beyond which one test or more lies with a chance of `level` where all drops are as allowed."""
    import numpy as np

    if not null.statistics.shape[1]:
        return np.inf
    largest = np.sort(np.fmax.reduce(null.statistics, axis=1))
    largest = largest[~np.isnan(largest)]
    # p = (b + 1) / (B + 1) is at most the level for b up to this; an exact null counts the observed one already.
    beyond = int(level * len(largest) if null.exact else level * (len(largest) + 1) - 1)
    return float(largest[len(largest) - beyond - 1]) if beyond >= 0 and len(largest) else np.inf


def _share(statistics: Values, value: float, *, exact: bool) -> float:
    import numpy as np

    least = value if np.isinf(value) else value - TIE * max(1.0, abs(value))
    large = int(np.count_nonzero(~(statistics < least)))
    return large / len(statistics) if exact else (large + 1) / (len(statistics) + 1)


def _root_mean_square(values: Values) -> Values:
    import numpy as np

    there = ~np.isnan(values)
    squares: Values = np.where(there, values, 0.0) ** 2
    found: Values = np.sqrt(squares.sum(axis=0) / np.maximum(there.sum(axis=0), 1))
    return found
