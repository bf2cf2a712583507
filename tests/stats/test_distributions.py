"""Normal and Student's distribution against SciPy's."""

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from boxscore.stats.distributions import MOST_SUMMED, normal_quantile, normal_share, student_quantile

SHARES = st.floats(1e-12, 1 - 1e-9)


@given(SHARES)
def test_normal_is_scipys(share: float) -> None:
    found = normal_quantile(share)
    assert found == pytest.approx(float(special.ndtri(share)), rel=1e-12, abs=1e-12)
    assert normal_share(found) == pytest.approx(share, rel=1e-12)


@given(st.floats(0.001, 0.9999), st.integers(1, 2 * MOST_SUMMED))
def test_student_is_scipys(confidence: float, freedom: int) -> None:
    expected = float(special.stdtrit(freedom, 0.5 + confidence / 2))
    assert student_quantile(confidence, freedom) == pytest.approx(expected, rel=1e-9)


def test_student_where_the_sum_ends_and_the_series_begins() -> None:
    for freedom in (MOST_SUMMED - 1, MOST_SUMMED, MOST_SUMMED + 1, 100_000):
        for confidence in (0.5, 0.95, 0.999999):
            expected = float(special.stdtrit(freedom, 0.5 + confidence / 2))
            assert student_quantile(confidence, freedom) == pytest.approx(expected, rel=1e-10)


def test_closed_forms() -> None:
    assert student_quantile(0.95, 2) == pytest.approx((2 * 0.95**2 / (1 - 0.95**2)) ** 0.5, rel=1e-12)
    assert student_quantile(0.9, 1) == pytest.approx(math.tan(0.9 * math.pi / 2), rel=1e-12)


def test_an_interval_does_not_import_scipy() -> None:
    code = """
import sys
from boxscore.stats.intervals import METHODS, interval
from boxscore.stats.power import detectable
for method in METHODS:
    assert interval(range(50), 20.0, method=method, num_units=30, left_out=range(30)).low is not None
assert detectable(1.0) is not None
assert "scipy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
