"""Intervals against slow oracles, SciPy's and each other, and the reasons why there are none."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from boxscore.errors import InputError
from boxscore.stats import intervals, plans
from boxscore.stats.intervals import METHODS, interval
from boxscore.stats.quantiles import repeated_quantiles, weighted_quantiles
from tests.stats import oracle

VALUES = st.floats(-1e3, 1e3, allow_nan=False).map(lambda value: round(value, 6))
SHARES = st.floats(0.001, 0.999)


def exponential(count: int = 60, replicates: int = 999) -> tuple[Any, Any]:
    """Data of skew distribution, and the means of resamples of it."""
    random = np.random.default_rng(5)
    data = random.exponential(size=count)
    return data, data[random.integers(count, size=(replicates, count))].mean(axis=1)


def left_out_means(data: Any) -> Any:
    return (data.sum() - data) / (len(data) - 1)


@given(st.lists(st.tuples(VALUES, st.floats(1e-3, 1.0)), min_size=1, max_size=12), SHARES)
def test_weighted_quantiles_are_the_oracles(rows: list[tuple[float, float]], share: float) -> None:
    values, weights = (np.array(column) for column in zip(*rows, strict=True))
    expected = oracle.weighted_quantile(values.tolist(), weights.tolist(), share)
    assert weighted_quantiles(values, weights, (share,))[0] == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.tuples(VALUES, st.floats(1e-3, 1.0)), min_size=2, max_size=12), st.randoms())
def test_weighted_quantiles_do_not_know_the_order(rows: list[tuple[float, float]], random: Any) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    found = []
    for order in (rows, shuffled):
        values, weights = (np.array(column) for column in zip(*order, strict=True))
        found.append(weighted_quantiles(values, weights, (0.1, 0.5, 0.9)))
    np.testing.assert_allclose(found[0], found[1], atol=1e-9)


@given(st.lists(st.tuples(VALUES, st.integers(0, 5)), min_size=1, max_size=12), SHARES)
def test_repeated_quantiles_are_those_of_the_values_written_out(rows: list[tuple[float, int]], share: float) -> None:
    values, times = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    times[0] += 1
    expected = np.quantile(np.repeat(values, times.astype(int)), share)
    assert repeated_quantiles(values, times, (share,))[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("units", [2, 3, 4])
@pytest.mark.parametrize("method", ["percentile", "midpoint", "basic"])
def test_enumerated_intervals_are_those_of_all_draws(units: int, method: str) -> None:
    data = np.array([0.1, 0.5, 0.35, 0.9])[:units]
    weights, probabilities = plans.multisets(units)
    point = float(data.mean())
    found = interval(
        weights @ data / units, point, method=method, num_units=units, probabilities=probabilities, confidence=0.9
    )
    expected = oracle.multisets(units)
    rows = [(float(np.dot(row, data)) / units, float(chance)) for row, chance in expected.items()]
    mean = sum(value * chance for value, chance in rows)
    if method == "midpoint":
        values, chances = [row[0] for row in rows], [row[1] for row in rows]
        low, high = (oracle.weighted_quantile(values, chances, share) for share in (0.05, 0.95))
    else:
        low, high = np.quantile([data[list(draw)].mean() for draw in product(range(units), repeat=units)], (0.05, 0.95))
    assert found.mean == pytest.approx(mean)
    assert found.std_error == pytest.approx(sum(chance * (value - mean) ** 2 for value, chance in rows) ** 0.5)
    assert found.bias == pytest.approx(mean - point)
    bounds = (2 * point - high, 2 * point - low) if method == "basic" else (low, high)
    assert (found.low, found.high) == pytest.approx(bounds)


def test_the_published_clip_intervals_rule() -> None:
    # Three clips: ten multisets; weights 1/27 three times, 3/27 six times, 6/27 once. The 2.5 % quantile of figures 0
    # to 9, the lightest first: the first value stands at 0.5/27, the second at 1.5/27.
    values = np.arange(10.0)
    probabilities = np.array([1, 1, 1, 3, 3, 3, 3, 3, 3, 6]) / 27
    found = interval(values, 4.0, num_units=3, method="midpoint", probabilities=probabilities)
    assert found.low == pytest.approx(0.025 * 27 - 0.5)
    assert found.high == 9.0


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
def test_agrees_with_scipy(method: str, confidence: float) -> None:
    data, means = exponential()
    found = interval(
        means,
        float(data.mean()),
        method=method,
        confidence=confidence,
        num_units=len(data),
        left_out=left_out_means(data),
    )
    drawn = drawn_by_scipy(data, means, method, confidence)
    assert found.low == pytest.approx(drawn.confidence_interval.low, rel=1e-12)
    assert found.high == pytest.approx(drawn.confidence_interval.high, rel=1e-12)
    assert found.std_error == pytest.approx(drawn.standard_error, rel=1e-12)


@pytest.mark.parametrize("units", [2, 3, 6])
def test_student_of_an_enumerated_mean_is_the_textbooks(units: int) -> None:
    data = np.array([0.1, 0.5, 0.35, 0.9, 0.2, 0.4])[:units]
    weights, probabilities = plans.multisets(units)
    means, point = weights @ data / units, float(data.mean())
    found = interval(means, point, method="student", num_units=units, probabilities=probabilities, confidence=0.9)
    expected = scipy_stats.t.interval(0.9, units - 1, loc=point, scale=data.std(ddof=1) / units**0.5)
    assert (found.low, found.high) == pytest.approx(expected)


def test_student_needs_two_replicates() -> None:
    found = interval([0.5, np.nan], 0.5, method="student", num_units=30)
    assert (found.low, found.reason) == (None, intervals.ONE_REPLICATE)


class Drawn:
    """Replicates already drawn, as `scipy.stats.bootstrap` takes them."""

    def __init__(self, replicates: Any) -> None:
        self.bootstrap_distribution = replicates


def drawn_by_scipy(data: Any, replicates: Any, method: str, confidence: float = 0.95) -> Any:
    given: Any = Drawn(replicates)
    scipys: Any = "BCa" if method == "bca" else method
    return scipy_stats.bootstrap(
        (data,), np.mean, n_resamples=0, bootstrap_result=given, method=scipys, confidence_level=confidence
    )


def test_ties_with_the_figure_count_by_half_as_scipys() -> None:
    data = np.array([0.0] * 12 + [1.0] * 18)
    means = np.random.default_rng(2).choice(data, size=(500, 30)).mean(axis=1)
    found = interval(means, 0.6, method="bca", num_units=30, left_out=left_out_means(data))
    drawn = drawn_by_scipy(data, means, "bca")
    assert (found.low, found.high) == pytest.approx(tuple(drawn.confidence_interval), abs=1e-12)


@given(st.lists(VALUES, min_size=30, max_size=60), st.floats(0.1, 10), st.floats(-5, 5))
def test_scale_and_shift(data: list[float], scale: float, shift: float) -> None:
    values = np.array(data)
    for method in METHODS:
        point = float(np.median(values))
        found = interval(values, point, method=method, num_units=30, left_out=values[:25])
        moved = interval(
            scale * values + shift,
            scale * point + shift,
            method=method,
            num_units=30,
            left_out=scale * values[:25] + shift,
        )
        if found.low is None or found.high is None:
            continue
        if moved.low is None:  # a figure that is not below the point any more, by rounding
            continue
        tolerance = 1e-6 * max(1.0, np.ptp(scale * values))
        assert moved.low == pytest.approx(scale * found.low + shift, abs=tolerance)
        assert moved.high == pytest.approx(scale * found.high + shift, abs=tolerance)


@given(st.lists(VALUES, min_size=2, max_size=40), st.lists(st.booleans(), min_size=40, max_size=40))
def test_replicates_without_a_figure_are_left_out_and_told(data: list[float], holes: list[bool]) -> None:
    values = np.array(data)
    holed = np.where(holes[: len(values)], np.nan, values)
    found = interval(holed, 0.5, num_units=12, method="percentile")
    kept = values[~np.isnan(holed)]
    assert found.undefined == pytest.approx(1 - len(kept) / len(values))
    if len(kept) == 0:
        assert (found.low, found.reason) == (None, intervals.NO_REPLICATES)
        return
    plain = interval(kept, 0.5, num_units=12, method="percentile")
    assert (found.low, found.high, found.mean, found.std_error) == (plain.low, plain.high, plain.mean, plain.std_error)


def test_probabilities_of_what_is_left_are_scaled() -> None:
    found = interval(
        [np.nan, 1.0, 2.0], 1.5, num_units=3, method="percentile", probabilities=np.array([0.5, 0.25, 0.25])
    )
    assert (found.undefined, found.mean, found.std_error) == (0.5, 1.5, 0.5)


def test_no_interval_of_one_unit() -> None:
    for method in METHODS:
        found = interval([0.7], 0.7, num_units=1, method=method, probabilities=np.ones(1))
        assert (found.low, found.high, found.std_error, found.bias) == (None, None, None, None)
        assert found.reason == intervals.ONE_UNIT


def test_no_interval_of_no_figure() -> None:
    found = interval([np.nan, np.nan], None, num_units=2)
    assert (found.low, found.reason, found.undefined) == (None, intervals.NO_FIGURE, 1.0)


def test_bca_is_refused_below_20_units() -> None:
    data, means = exponential(19)
    found = interval(means, float(data.mean()), method="bca", num_units=19, left_out=left_out_means(data))
    assert (found.low, found.high) == (None, None)
    assert found.reason is not None
    assert "20" in found.reason
    assert found.std_error is not None  # only the bounds are missing


@pytest.mark.parametrize("point", [-1.0, 0.0, 1.0, 2.0])
def test_bca_is_refused_where_all_replicates_lie_on_one_side(point: float) -> None:
    values = np.linspace(0.0, 1.0, 50)
    found = interval(values, point, method="bca", num_units=50, left_out=values)
    assert (found.low, found.reason is not None) == (None, True)
    assert "one side" in str(found.reason)
    assert interval(values, point, method="percentile", num_units=50).low is not None


def test_bca_is_refused_without_influence() -> None:
    found = interval(np.linspace(0, 1, 50), 0.5, method="bca", num_units=50, left_out=np.full(50, 0.5))
    assert "acceleration" in str(found.reason)


def test_bca_is_refused_where_the_skew_is_too_large() -> None:
    values = np.r_[np.zeros(1), np.full(5000, 1.0)] + np.linspace(0, 1e-3, 5001)
    found = interval(values, 0.5, method="bca", num_units=50, left_out=[0.0] * 49 + [1.0], confidence=0.9999)
    assert "too skew" in str(found.reason)


def test_bca_needs_the_left_out() -> None:
    with pytest.raises(InputError, match="left out"):
        interval(np.linspace(0, 1, 50), 0.5, method="bca", num_units=50)


def test_no_variance_is_an_interval_of_one_value() -> None:
    found = interval(np.full(100, 0.1), 0.1, num_units=50, method="percentile")
    assert (found.low, found.high, found.std_error, found.bias, found.mean) == (0.1, 0.1, 0.0, 0.0, 0.1)


def test_what_is_asked_is_checked() -> None:
    with pytest.raises(InputError, match="percentile, midpoint, basic, bca, student"):
        interval([1.0], 1.0, num_units=5, method="normal")
    for confidence in (0.0, 1.0, float("nan"), 95.0):
        with pytest.raises(InputError, match=r"0\.95"):
            interval([1.0], 1.0, num_units=5, confidence=confidence)


def test_few_units_are_cautioned_of() -> None:
    assert intervals.caution(10) is None
    assert "9 clips" in str(intervals.caution(9, "clip"))
    assert "one group" in str(intervals.caution(1))
