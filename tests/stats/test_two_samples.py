"""Intervals of a gap between two independent samples, held to the textbook's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from boxscore.errors import InputError
from boxscore.stats import intervals, plans
from boxscore.stats.two_samples import Sample, gap_interval


def means(values: np.ndarray, replicates: int, seed: int) -> np.ndarray:
    """Bootstrap means of a sample."""
    draw = np.random.default_rng(seed)
    found: np.ndarray = values[draw.integers(0, len(values), (replicates, len(values)))].mean(axis=1)
    return found


def exactly(variance: float, replicates: int = 400) -> np.ndarray:
    """Replicates whose variance is exactly this."""
    values = np.random.default_rng(1).normal(size=replicates)
    found: np.ndarray = (values - values.mean()) / values.std(ddof=1) * variance**0.5
    return found


def test_student_is_welch() -> None:
    draw = np.random.default_rng(3)
    one, other = draw.normal(1.0, 2.0, 12), draw.normal(0.5, 0.7, 30)
    # The bootstrap's variance of a mean is s² (k - 1) / k².
    sides = [Sample(exactly(v.var(ddof=1) * (len(v) - 1) / len(v) ** 2), len(v)) for v in (one, other)]
    gap = float(one.mean() - other.mean())
    found = gap_interval(sides[0], sides[1], gap)
    welch = scipy_stats.ttest_ind(one, other, equal_var=False)
    low, high = welch.confidence_interval(0.95)
    assert found.low is not None
    assert found.high is not None
    # Degrees of freedom are rounded down, so that ours is a little wider.
    assert found.low <= low + 1e-12
    assert found.high >= high - 1e-12
    half = scipy_stats.t.ppf(0.975, int(welch.df)) * (high - gap) / scipy_stats.t.ppf(0.975, welch.df)
    assert found.high - gap == pytest.approx(half, rel=1e-9)


@pytest.mark.parametrize("method", ["percentile", "basic", "midpoint", "student"])
def test_the_other_way_round_it_is_the_negative(method: str) -> None:
    one, other = Sample(means(np.arange(9.0), 500, 1), 9), Sample(means(np.arange(20.0) / 4, 500, 2), 20)
    ours = gap_interval(one, other, 1.6, method=method)
    theirs = gap_interval(other, one, -1.6, method=method)
    assert ours.low == pytest.approx(-(theirs.high or 0))
    assert ours.high == pytest.approx(-(theirs.low or 0))


def test_bca_of_symmetric_samples_is_near_the_percentile() -> None:
    values = np.random.default_rng(5).normal(size=(2, 60))
    without = [np.array([np.delete(row, place).mean() for place in range(60)]) for row in values]
    one, other = (Sample(means(values[n], 4000, n), 60, without[n]) for n in (0, 1))
    point = float(values[0].mean() - values[1].mean())
    bca, plain = (gap_interval(one, other, point, method=method) for method in ("bca", "percentile"))
    assert bca.low == pytest.approx(plain.low, abs=0.05)
    assert bca.high == pytest.approx(plain.high, abs=0.05)


def test_bca_sees_on_which_side_the_skewness_is() -> None:
    skew = np.random.default_rng(6).exponential(size=50)
    even = np.random.default_rng(7).normal(size=50)
    without = {n: np.array([np.delete(v, place).mean() for place in range(50)]) for n, v in (("s", skew), ("e", even))}
    samples = {"s": Sample(means(skew, 4000, 1), 50, without["s"]), "e": Sample(means(even, 4000, 2), 50, without["e"])}
    point = float(skew.mean() - even.mean())
    ours = gap_interval(samples["s"], samples["e"], point, method="bca")
    theirs = gap_interval(samples["e"], samples["s"], -point, method="bca")
    assert ours.low == pytest.approx(-(theirs.high or 0), abs=0.01)
    assert ours.high == pytest.approx(-(theirs.low or 0), abs=0.01)


@pytest.mark.parametrize(
    ("one", "other", "point", "reason"),
    [
        (Sample([1.0, 2.0], 1), Sample([1.0, 2.0], 9), 0.0, intervals.ONE_UNIT),
        (Sample([1.0, 2.0], 9), Sample([1.0, 2.0], 9), None, intervals.NO_FIGURE),
        (Sample([np.nan, 2.0], 9), Sample([1.0, np.nan], 9), 0.0, intervals.NO_REPLICATES),
        (Sample([np.nan, 2.0], 9), Sample([1.0, 2.0], 9), 0.0, intervals.ONE_REPLICATE),
    ],
)
def test_what_does_not_exist_has_a_reason(one: Sample, other: Sample, point: float | None, reason: str) -> None:
    found = gap_interval(one, other, point)
    assert (found.low, found.high, found.reason) == (None, None, reason)


def test_samples_that_never_vary_have_an_interval_without_width() -> None:
    found = gap_interval(Sample([0.5] * 9, 4), Sample([0.25] * 9, 7), 0.25)
    assert (found.low, found.high, found.std_error) == (0.25, 0.25, 0.0)


def test_undefined_replicates_are_counted() -> None:
    found = gap_interval(Sample([np.nan, 1.0, 2.0, 3.0], 4), Sample([1.0, 1.0, np.nan, 2.0], 4), 0.0)
    assert found.undefined == 0.5


def test_bad_options_are_refused() -> None:
    with pytest.raises(InputError, match="is not known"):
        gap_interval(Sample([1.0, 2.0], 4), Sample([1.0, 2.0], 4), 0.0, method="normal")


@given(st.integers(0, 2**64 - 1), st.integers(0, 50))
def test_streams_are_seeds_of_their_own(seed: int, number: int) -> None:
    found = [plans.stream(seed, n) for n in range(number + 1)]
    assert found[0] == seed
    assert len(set(found)) == len(found)
    assert all(0 <= one < 2**64 for one in found)
