"""The interval of a gap between two samples that were drawn independently of each other, from replicates of both."""

from __future__ import annotations

from boxscore.stats.intervals import (
    DEFAULT,
    NO_FIGURE,
    NO_REPLICATES,
    ONE_REPLICATE,
    ONE_UNIT,
    Interval,
    check_options,
    interval,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class Sample:
    """Replicates of a figure in one of the samples, [replicates], NaN where it does not exist, of `num_units` units.

    `left_out` are the figures without one block each, which `bca` needs.
    """

    __slots__ = ("left_out", "num_units", "values")

    def __init__(self, values: ArrayLike, num_units: int, left_out: ArrayLike | None = None) -> None:
        import numpy as np

        self.values: NDArray[np.float64] = np.asarray(values, dtype=np.float64)
        self.num_units = num_units
        self.left_out = None if left_out is None else np.asarray(left_out, dtype=np.float64)

    @property
    def variance(self) -> float | None:
        """Of the replicates in which the figure exists; None of fewer than two."""
        import numpy as np

        known = self.values[~np.isnan(self.values)]
        return float(known.var(ddof=1)) if len(known) > 1 else None


def gap_interval(
    first: Sample, second: Sample, point: float | None, *, method: str = DEFAULT, confidence: float = 0.95
) -> Interval:
    """The interval of the first figure minus the second, from replicates drawn of each sample by itself.

    `point` is the gap of the data as they are (None: there is none). Replicates of both are paired in the order drawn,
    which says nothing, as they are independent. `student` takes Welch's degrees of freedom (1947). Raises InputError as
    `interval` does.
    """
    import numpy as np

    check_options(method, confidence)
    gaps = first.values - second.values
    exists = ~np.isnan(gaps)
    found = Interval(method, confidence, undefined=float(1.0 - exists.mean()))
    fewest = min(first.num_units, second.num_units)
    found.reason = NO_FIGURE if point is None else ONE_UNIT if fewest < 2 else None if exists.any() else NO_REPLICATES
    if found.reason is not None or point is None:
        return found
    if method != "student":
        left_out = _left_out(first, second)
        return interval(gaps, point, method=method, confidence=confidence, num_units=fewest, left_out=left_out)
    variances = first.variance, second.variance
    found.mean = float(gaps[exists].mean())
    found.bias = found.mean - point
    if variances[0] is None or variances[1] is None:
        found.reason = ONE_REPLICATE
        return found
    found.std_error = float(np.sqrt(variances[0] + variances[1]))
    half = _half(variances[0], first.num_units, variances[1], second.num_units, confidence)
    found.low, found.high = point - half, point + half
    return found


def _half(one: float, units: int, other: float, other_units: int, confidence: float) -> float:
    """Student's t with the standard errors of both; resamples of k units spread too little by sqrt((k - 1) / k)."""
    from boxscore.stats.distributions import student_quantile

    parts = one * units / (units - 1), other * other_units / (other_units - 1)
    total = sum(parts)
    if total == 0.0:
        return 0.0
    squares = parts[0] ** 2 / (units - 1) + parts[1] ** 2 / (other_units - 1)
    # Whole degrees, rounded down: the interval is rather too wide.
    freedom = max(int(total**2 / squares), 1) if squares > 0.0 else units + other_units - 2
    return float(student_quantile(confidence, freedom) * total**0.5)


def _left_out(first: Sample, second: Sample) -> NDArray[np.float64] | None:
    """What the gap becomes without one block of either, about a common centre, from which BCa takes its skewness."""
    import numpy as np

    if first.left_out is None or second.left_out is None:
        return None
    sides = [one[~np.isnan(one)] for one in (first.left_out, second.left_out)]
    if not all(len(side) for side in sides):
        return np.array([])
    return np.concatenate([sides[0] - sides[0].mean(), sides[1].mean() - sides[1]])
