"""What it takes to tell two models apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.stats.power import detectable, units_to_separate
from boxscore.stats.swap_tests import least_p


def test_textbook_factor() -> None:
    assert detectable(1.0) == pytest.approx(1.959964 + 0.841621, abs=1e-6)
    assert detectable(0.02, confidence=0.9, power=0.9) == pytest.approx(0.02 * (1.644854 + 1.281552), abs=1e-7)


def test_it_is_met_with_the_power_promised() -> None:
    difference = detectable(1.0, confidence=0.9, power=0.7)
    assert difference is not None
    drawn = np.random.default_rng(3).normal(difference, 1.0, size=40_000)
    assert np.mean(drawn > 1.644854) == pytest.approx(0.7, abs=0.01)


@given(st.floats(1e-4, 1.0), st.floats(1e-4, 1.0), st.integers(2, 5000))
def test_so_many_units_make_the_difference_detectable(difference: float, std_error: float, units: int) -> None:
    needed = units_to_separate(difference, std_error, units)
    assert needed == units_to_separate(-difference, std_error, units)
    assert needed is not None

    def reaches(number: int) -> bool:
        smallest = detectable(std_error * (units / number) ** 0.5)
        assert smallest is not None
        return smallest <= difference * (1 + 1e-9) and least_p(number) <= 0.05 + 1e-12

    assert reaches(needed)
    assert not reaches(needed - 1) or smaller_by_rounding(difference, std_error, units, needed)


def smaller_by_rounding(difference: float, std_error: float, units: int, needed: int) -> bool:
    exact = units * (2.801585 * std_error / difference) ** 2
    return abs(exact - (needed - 1)) < 1e-5 * needed


def test_never_fewer_units_than_a_test_needs() -> None:
    assert units_to_separate(100.0, 0.1, 8) == 6
    assert units_to_separate(100.0, 0.1, 8, confidence=0.9375) == 5


def test_what_can_not_be_told_is_none() -> None:
    assert detectable(None) is None
    assert detectable(float("nan")) is None
    for difference, std_error in ((0.0, 0.1), (None, 0.1), (0.1, None), (0.1, 0.0), (float("nan"), 0.1), (1e-300, 1.0)):
        assert units_to_separate(difference, std_error, 10) is None


def test_shares_are_checked() -> None:
    for shares in ({"confidence": 1.0}, {"power": 0.0}, {"power": 1.5}):
        with pytest.raises(InputError, match="above 0 and below 1"):
            detectable(0.1, **shares)
