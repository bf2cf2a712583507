"""What it takes to tell two models apart, from the standard error of their difference."""

from __future__ import annotations

import math

from boxscore.errors import InputError
from boxscore.stats.distributions import normal_quantile
from boxscore.stats.swap_tests import ZERO


def detectable(std_error: float | None, confidence: float = 0.95, power: float = 0.8) -> float | None:
    """The smallest true difference that is separated with a chance of `power`; None without a standard error.

    (z of 1 - (1 - confidence) / 2, plus z of power) times the standard error: the normal approximation, which is
    hopeful below some 30 units. Raises InputError for shares outside 0..1.
    """
    factor = _factor(confidence, power)
    return None if std_error is None or not math.isfinite(std_error) else factor * std_error


def units_to_separate(
    difference: float | None, std_error: float | None, num_units: int, confidence: float = 0.95, power: float = 0.8
) -> int | None:
    """Units that separate a pair with a chance of `power`, if the observed difference is the true one.

    The standard error falls with the square root of the units: num_units times (detectable / difference) squared,
    rounded up; at least as many as let a test of swaps reach the level at all. None where there is no difference, or no
    standard error above 0. Raises InputError for shares outside 0..1.
    """
    factor = _factor(confidence, power)
    if difference is None or std_error is None or not (math.isfinite(difference) and math.isfinite(std_error)):
        return None
    if abs(difference) <= ZERO or std_error <= 0.0:
        return None
    needed = num_units * (factor * std_error / difference) ** 2
    # 2^(1 - k) <= 1 - confidence (see `swap_tests.least_p`); a hair is taken off so that rounding adds no unit.
    least = 1 - math.log2(1 - confidence)
    return math.ceil(max(needed, least) * (1 - 1e-12))


def _factor(confidence: float, power: float) -> float:
    if not (0.0 < confidence < 1.0 and 0.0 < power < 1.0):
        raise InputError(f"confidence {confidence} and power {power} must both lie above 0 and below 1")
    return normal_quantile(0.5 + confidence / 2) + normal_quantile(power)
