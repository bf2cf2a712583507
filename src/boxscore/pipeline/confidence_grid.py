"""Confidences at which counts are kept: an even ladder of short decimals, each exactly what a user would type."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

STEPS = 1000
"""The most steps of a ladder: 0.000, 0.001, … 1.000 where all scores lie between 0 and 1."""


def ladder(scores: Iterable[float]) -> list[float]:
    """Ascending confidences that hold all scores between the first and the last.

    Scores from 0 to 1 give 1,001 thousandths. Others (logits, percentages) give at most that many multiples of 1, 2 or
    5 times a power of ten. Each is the float nearest to its decimal, as `--conf` reads it, so that a floor there is the
    same floor.
    """
    low, high = 0.0, 1.0
    for score in scores:
        low, high = min(low, score), max(high, score)
    digit, exponent = _step((high - low) / (STEPS - 2) if (low, high) != (0.0, 1.0) else 1 / STEPS)
    step = float(f"{digit}e{exponent}")
    first, last = math.floor(low / step), math.ceil(high / step)
    return [float(f"{place * digit}e{exponent}") for place in range(first, last + 1)]


def _step(least: float) -> tuple[int, int]:
    """The smallest of 1, 2, 5, 10, … times a power of ten that is `least` or more: digit and exponent."""
    exponent = math.floor(math.log10(least) + 1e-9)
    for digit in (1, 2, 5):
        if float(f"{digit}e{exponent}") >= least * (1 - 1e-12):
            return digit, exponent
    return 1, exponent + 1
