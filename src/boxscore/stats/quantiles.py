"""Quantiles of replicates that are equally likely, or not."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]


class Spread:
    """Where replicates lie: mean, standard deviation, quantiles and the share of them below a figure.

    `values` is [replicates], without NaN, at least one; `probabilities` [replicates] sums to 1 (None: drawn, all
    equally likely); `draws` [replicates] says of an enumeration how many ordered draws each replicate stands for.
    """

    __slots__ = ("_draws", "_mean", "_probabilities", "_values")

    def __init__(self, values: Values, probabilities: Values | None = None, draws: Values | None = None) -> None:
        self._values = values
        self._probabilities = probabilities
        self._draws = draws
        self._mean: float | None = None

    @property
    def mean(self) -> float:
        """Mean, weighted by probability."""
        import numpy as np

        if self._mean is None:
            # Taken from the first value on: replicates that are all the same have that very mean, and no variance.
            first = self._values[0]
            self._mean = float(first + np.average(self._values - first, weights=self._probabilities))
        return self._mean

    @property
    def standard_deviation(self) -> float | None:
        """Drawn: with n - 1 (None for a single replicate). Enumerated: of the distribution itself."""
        import numpy as np

        deviations = (self._values - self.mean) ** 2
        if self._probabilities is not None:
            return float(np.sqrt(np.average(deviations, weights=self._probabilities)))
        return None if len(deviations) < 2 else float(np.sqrt(deviations.sum() / (len(deviations) - 1)))

    def quantiles(self, shares: tuple[float, float], *, middles: bool = False) -> tuple[float, float]:
        """Two quantiles, between the two nearest of n draws: all ordered ones of an enumeration.

        With `middles` those of an enumeration are `weighted_quantiles` instead.
        """
        import numpy as np

        if self._draws is None or self._probabilities is None:
            low, high = np.quantile(self._values, shares)
        elif middles:
            low, high = weighted_quantiles(self._values, self._probabilities, shares)
        else:
            low, high = repeated_quantiles(self._values, self._draws, shares)
        return float(low), float(high)

    def beside(self, figure: float) -> tuple[float, float]:
        """Shares of replicates below and above a figure."""
        import numpy as np

        below, above = self._values < figure, self._values > figure
        if self._probabilities is None:
            return float(np.mean(below)), float(np.mean(above))
        return float(self._probabilities[below].sum()), float(self._probabilities[above].sum())


def repeated_quantiles(values: Values, times: Values, shares: tuple[float, ...]) -> Values:
    """Quantiles, [shares], of values that occur so many times each: what `numpy.quantile` gives of them written out."""
    import numpy as np

    order = np.argsort(values, kind="stable")
    ordered, up_to = values[order], np.cumsum(times[order])
    places = np.asarray(shares) * (up_to[-1] - 1)
    before = ordered[np.searchsorted(up_to, np.floor(places), side="right")]
    behind = ordered[np.searchsorted(up_to, np.ceil(places), side="right")]
    found: Values = before + (behind - before) * (places - np.floor(places))
    return found


def weighted_quantiles(values: Values, weights: Values, shares: tuple[float, ...]) -> Values:
    """Quantiles of weighted values, [shares]: interpolated over cumulative weight minus half the own weight.

    A value stands in the middle of its weight; outside the first and the last middle there is the outermost value.
    """
    import numpy as np

    # Among equal values the lighter first, so that the order of replicates plays no part.
    order = np.lexsort((weights, values))
    ordered, heavy = values[order], weights[order]
    middles = (np.cumsum(heavy) - heavy / 2) / heavy.sum()
    found: Values = np.interp(shares, middles, ordered)
    return found
