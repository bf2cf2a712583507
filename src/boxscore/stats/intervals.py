"""Intervals of one figure, or of a difference of two, from its replicates (docs/intervals.md)."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from boxscore.stats.quantiles import Spread

METHODS = ("percentile", "midpoint", "basic", "bca", "student")
DEFAULT = "student"
"""The one that holds the expected figure best in `bench/coverage.py`."""

LEAST_UNITS_BCA = 20
FEW_UNITS = 10

ONE_UNIT = "one unit: how figures vary between units can't be seen in a single one"
NO_FIGURE = "the figure itself does not exist, so there is nothing to give an interval of"
NO_REPLICATES = "the figure exists in none of the replicates"
ONE_REPLICATE = "the figure exists in a single replicate, which has no spread"


class Interval:
    """An interval, or the reason why there is none, with what the replicates say besides.

    Attributes:
        low, high: the bounds; both None where there is no interval.
        mean: mean of the replicates.
        std_error: their standard deviation: the standard error of the figure.
        bias: their mean minus the figure: what small samples add to it.
        reason: why there is no interval, else None.
        method: one of METHODS, as asked for.
        confidence: share of samples whose interval is meant to hold the expected figure.
        undefined: share of replicates in which the figure does not exist; the rest is computed without them.
    """

    __slots__ = ("bias", "confidence", "high", "low", "mean", "method", "reason", "std_error", "undefined")

    def __init__(self, method: str, confidence: float, *, undefined: float = 0.0, reason: str | None = None) -> None:
        self.low: float | None = None
        self.high: float | None = None
        self.mean: float | None = None
        self.std_error: float | None = None
        self.bias: float | None = None
        self.reason = reason
        self.method = method
        self.confidence = confidence
        self.undefined = undefined

    def __repr__(self) -> str:
        bounds = self.reason if self.low is None else f"{self.low}..{self.high}"
        return f"<Interval {bounds}, {self.method}, {self.confidence}>"


def interval(
    values: ArrayLike,
    point: float | None,
    *,
    method: str = DEFAULT,
    confidence: float = 0.95,
    num_units: int,
    probabilities: NDArray[np.float64] | None = None,
    left_out: ArrayLike | None = None,
) -> Interval:
    """The interval of a figure.

    `values` are its replicates, [replicates], NaN where it does not exist; `point` is the figure on the data as they
    are (None: it does not exist); `probabilities` are those of an enumeration (`Plan.probabilities`); `left_out` are
    the figures without one block each (`plans.blocks`), which `bca` needs. Raises InputError for a method that there is
    not, a confidence outside 0..1, and `bca` without `left_out` where it could be had.
    """
    import numpy as np

    check_options(method, confidence)
    replicates = np.asarray(values, dtype=np.float64)
    exists = ~np.isnan(replicates)
    chances = np.full(len(replicates), 1.0 / max(len(replicates), 1)) if probabilities is None else probabilities
    found = Interval(method, confidence, undefined=float(chances[~exists].sum()))
    found.reason = (
        ONE_UNIT if num_units < 2 else NO_FIGURE if point is None else None if exists.any() else NO_REPLICATES
    )
    if found.reason is not None or point is None:
        return found
    spread = _spread(replicates[exists], None if probabilities is None else chances[exists], num_units)
    found.mean, found.std_error = spread.mean, spread.standard_deviation
    found.bias = found.mean - point
    bounds = _bounds(spread, point, method, confidence, num_units, left_out)
    if isinstance(bounds, str):
        found.reason = bounds
    else:
        found.low, found.high = bounds
    return found


def _spread(values: NDArray[np.float64], chances: NDArray[np.float64] | None, num_units: int) -> Spread:
    import numpy as np

    from boxscore.stats.quantiles import Spread

    if chances is None:
        return Spread(values)
    # k units can be drawn in k^k orders.
    return Spread(values, chances / chances.sum(), np.rint(chances * float(num_units) ** num_units))


def check_options(method: str, confidence: float) -> None:
    """Raise InputError for a method that there is not, and for a confidence that is not between 0 and 1."""
    if method not in METHODS:
        raise InputError(f"interval method {method!r} is not known; give one of {', '.join(METHODS)}")
    if not 0.0 < confidence < 1.0:
        raise InputError(
            f"the confidence of an interval is {confidence}; give a number above 0 and below 1, such as 0.95"
        )


def caution(num_units: int, unit: str = "group") -> str | None:
    """A sentence on what an interval of so few units can and can't mean; None where they are not few."""
    if num_units >= FEW_UNITS:
        return None
    if num_units < 2:
        return f"There is one {unit} only: no interval can be given, and no two models can be told apart."
    return (
        f"With {num_units} {unit}s an interval shows how the figure varies between just these {num_units}; it can't "
        f"show {unit}s unlike them, and percentile and basic intervals of so few hold the expected figure clearly less "
        "often than their confidence says. Don't read a verdict off it."
    )


def wilson(successes: float, trials: float, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion (1927), for independent trials, or an effective number of them.

    Raises InputError for less than one trial.
    """
    from boxscore.stats.distributions import normal_quantile

    _check_trials(successes, trials, confidence)
    quantile = normal_quantile(0.5 + confidence / 2) ** 2
    share = successes / trials
    centre = (share + quantile / (2 * trials)) / (1 + quantile / trials)
    half = (quantile * (share * (1 - share) / trials + quantile / (4 * trials**2))) ** 0.5 / (1 + quantile / trials)
    # The bounds at the ends are exactly 0 and 1, which rounding might miss.
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == trials else centre + half)


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's exact interval of a proportion (1934), for independent trials. Raises InputError."""
    from scipy.special import betaincinv

    _check_trials(successes, trials, confidence)
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes == trials else float(betaincinv(successes + 1, trials - successes, 1 - tail))
    return low, high


def _check_trials(successes: float, trials: float, confidence: float) -> None:
    check_options(DEFAULT, confidence)
    if trials < 1 or not 0 <= successes <= trials:
        raise InputError(f"{successes} successes of {trials} trials make no proportion; give 1 trial or more")


def _bounds(
    spread: Spread, point: float, method: str, confidence: float, num_units: int, left_out: ArrayLike | None
) -> tuple[float, float] | str:
    """The bounds, or why there are none."""
    tails = (1 - confidence) / 2, (1 + confidence) / 2
    if method == "bca":
        from boxscore.stats.bca import adjusted_tails

        if num_units < LEAST_UNITS_BCA:
            return f"BCa needs {LEAST_UNITS_BCA} units or more, and there are {num_units}; ask for another interval"
        if left_out is None:
            raise InputError(
                "a BCa interval needs the figures with one block left out each (boxscore.stats.plans.blocks)"
            )
        adjusted = adjusted_tails(spread, point, tails, left_out)
        return adjusted if isinstance(adjusted, str) else spread.quantiles(adjusted)
    if method == "student":
        return _student(spread, point, confidence, num_units)
    low, high = spread.quantiles(tails, middles=method == "midpoint")
    return (2 * point - high, 2 * point - low) if method == "basic" else (low, high)


def _student(spread: Spread, point: float, confidence: float, num_units: int) -> tuple[float, float] | str:
    """Student's t with the replicates' standard deviation (Hesterberg 2015).

    Resamples of k units spread too little by the factor sqrt((k - 1) / k), which is taken out: of a mean, enumerated,
    this is the textbook's t interval.
    """
    from boxscore.stats.distributions import student_quantile

    deviation = spread.standard_deviation
    if deviation is None:
        return ONE_REPLICATE
    half = student_quantile(confidence, num_units - 1) * deviation * (num_units / (num_units - 1)) ** 0.5
    return point - half, point + half
