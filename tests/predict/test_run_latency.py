"""Percentiles and their intervals by order statistics, against the binomial distribution of another package."""

import numpy as np
import pytest
from scipy.stats import binom

from boxscore.predict.latency import percentiles, ranks


@pytest.mark.parametrize("count", [1, 5, 30, 299, 1000, 5000])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_ranks_are_the_nearest_that_the_binomial_distribution_allows(count: int, share: float) -> None:
    low, high = ranks(count, share, 0.95)
    below = binom.cdf(np.arange(count), count, share)  # P(B < rank), of the ranks from 1
    fitting_low = np.flatnonzero(below <= 0.025) + 1
    fitting_high = np.flatnonzero(1 - below <= 0.025) + 1
    assert low == (None if not len(fitting_low) else fitting_low[-1])
    assert high == (None if not len(fitting_high) else fitting_high[0])


def test_intervals_hold_the_true_percentile_as_often_as_they_say() -> None:
    random = np.random.default_rng(4)
    held = {"p50": 0, "p90": 0}
    truth = {"p50": np.log(2), "p90": np.log(10)}
    for _ in range(1500):
        found = percentiles(random.exponential(size=80))
        for name in held:
            low, high = found[name].low, found[name].high
            assert low is not None
            assert high is not None
            held[name] += low <= truth[name] <= high
    assert all(0.94 <= count / 1500 <= 0.99 for count in held.values()), held


def test_values_are_those_of_numpy() -> None:
    values = np.random.default_rng(6).exponential(size=41)
    found = percentiles(values)
    for name, percent in (("p50", 50), ("p90", 90), ("p99", 99)):
        assert found[name].value == pytest.approx(np.percentile(values, percent))


def test_too_few_pictures_give_no_end_and_say_so() -> None:
    found = percentiles(range(1, 101))
    assert found["p99"].high is None
    assert found["p99"].low is not None
    assert found["p99"].reason == "the upper end needs more than 100 pictures"
    assert found["p50"].reason is None
    nothing = percentiles([])["p50"]
    assert (nothing.value, nothing.low, nothing.high) == (None, None, None)
    assert nothing.reason == "no pictures besides those of the warm-up"
