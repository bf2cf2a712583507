"""Percentiles of latencies with intervals by order statistics.

The interval of a percentile runs from one measured value to another, whose ranks the binomial distribution gives
(David and Nagaraja, Order Statistics, section 7.1): it holds for any distribution of independent latencies, and assumes
nothing of its shape. Where too few pictures were measured for such a rank, that end does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.io.latencies import percentile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

PERCENTS = (50.0, 90.0, 99.0)
CONFIDENCE = 0.95
METHOD = "order statistics: ranks by the binomial distribution, half of the rest at each end"


@dataclass(frozen=True, slots=True)
class Percentile:
    """One percentile of `count` latencies in milliseconds; what does not exist is None, and `reason` says why."""

    percent: float
    value: float | None
    low: float | None
    high: float | None
    count: int
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "measured": self.count,
            "reason": self.reason,
        }


def percentiles(values: Iterable[float], percents: Sequence[float] = PERCENTS) -> dict[str, Percentile]:
    """The percentiles by name, such as `p50`: values interpolated as NumPy does, intervals at CONFIDENCE."""
    ordered = sorted(values)
    return {f"p{percent:g}": _percentile(ordered, percent) for percent in percents}


def _percentile(ordered: Sequence[float], percent: float) -> Percentile:
    count = len(ordered)
    if not count:
        return Percentile(percent, None, None, None, 0, "no pictures besides those of the warm-up")
    low, high = ranks(count, percent / 100, CONFIDENCE)
    reason = None
    if low is None or high is None:
        side = "both ends need" if low is None and high is None else "the lower end needs"
        side = "the upper end needs" if low is not None else side
        reason = f"{side} more than {count} pictures"
    return Percentile(
        percent,
        percentile(ordered, percent),
        None if low is None else ordered[low - 1],
        None if high is None else ordered[high - 1],
        count,
        reason,
    )


def ranks(count: int, share: float, confidence: float) -> tuple[int | None, int | None]:
    """Ranks, from 1, of the two values around a quantile; None where no value lies far enough out.

    With B binomial (count, share), value r lies above the quantile with probability P(B < r) and below it with
    P(B >= r). `low` is the last rank with P(B < low) <= rest / 2, `high` the first with P(B >= high) <= rest / 2.
    """
    rest = (1 - confidence) / 2
    below = 0.0
    low: int | None = None
    for rank in range(1, count + 1):
        below += _binomial(rank - 1, count, share)  # P(B < rank)
        if below <= rest:
            low = rank
        if 1 - below <= rest:
            return low, rank
    return low, None


def _binomial(successes: int, count: int, share: float) -> float:
    """The probability of so many successes, by logarithms: factorials of thousands have no float."""
    from math import exp, lgamma, log

    if share in (0.0, 1.0):
        return float(successes == round(count * share))
    ways = lgamma(count + 1) - lgamma(successes + 1) - lgamma(count - successes + 1)
    return exp(ways + successes * log(share) + (count - successes) * log(1 - share))
