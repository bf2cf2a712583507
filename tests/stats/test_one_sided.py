"""One-sided tests of drops, held to slow counting and to rates that are known."""

import itertools

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.stats import one_sided


def swapped_means(differences: np.ndarray) -> np.ndarray:
    """Mean differences under the patterns of swaps that leave unit 0 alone, [patterns, tests]."""
    signs = [(1, *rest) for rest in itertools.product((1, -1), repeat=len(differences) - 1)]
    return np.array([np.mean(np.array(one)[:, None] * differences, axis=0) for one in signs])


def test_exact_p_is_the_share_of_all_patterns_at_least_as_large() -> None:
    differences = np.array([[0.3], [0.1], [0.2], [-0.1], [0.4]])
    null = one_sided.of_swaps(swapped_means(differences), exact=True)
    observed = null.observed(differences.mean(axis=0))
    every = [np.mean(np.array(signs) * differences[:, 0]) for signs in itertools.product((1, -1), repeat=5)]
    share = np.mean([one >= differences.mean() - 1e-12 for one in every])
    assert one_sided.single(null, observed)[0] == pytest.approx(share)
    assert null.std_error[0] == pytest.approx(np.sqrt(np.mean(np.square(every))))


def test_step_down_holds_each_against_the_largest_of_those_behind_it() -> None:
    rng = np.random.default_rng(1)
    null = one_sided.Null(rng.normal(size=(500, 4)), np.ones(4))
    observed = np.array([1.0, 2.5, 0.2, 1.9])
    order = np.argsort(-observed)
    expected, before = np.empty(4), 0.0
    for place, test in enumerate(order):
        largest = null.statistics[:, order[place:]].max(axis=1)
        before = max(before, (np.count_nonzero(largest >= observed[test]) + 1) / 501)
        expected[test] = before
    assert one_sided.step_down(null, observed) == pytest.approx(expected)
    assert (one_sided.step_down(null, observed) >= one_sided.single(null, observed)).all()


def test_beyond_the_critical_value_lies_one_or_more_with_the_level_chance() -> None:
    null = one_sided.Null(np.random.default_rng(2).normal(size=(999, 3)), np.ones(3))
    largest = null.statistics.max(axis=1)
    found = one_sided.critical(null, 0.05)
    # A statistic just beyond it has p = (49 + 1) / 1000, one at it (50 + 1) / 1000.
    assert np.count_nonzero(largest > found) == 49
    beyond = np.array([found + 1e-6, -9.0, -9.0])
    assert one_sided.step_down(null, beyond)[0] == pytest.approx(0.05)
    assert one_sided.step_down(null, beyond - [2e-6, 0, 0])[0] == pytest.approx(0.051)
    assert one_sided.critical(null.of([]), 0.05) == np.inf


def test_no_difference_without_variance_is_no_drop_and_any_is_beyond_all() -> None:
    null = one_sided.of_swaps(np.zeros((100, 3)), exact=False)
    observed = null.observed([0.0, 0.1, -0.1])
    assert observed.tolist() == [0.0, np.inf, -np.inf]
    assert one_sided.single(null, observed) == pytest.approx([1.0, 1 / 101, 1.0])


def test_a_test_on_one_unit_has_no_null_and_p_1() -> None:
    drawn = np.random.default_rng(3).normal(size=(200, 2))
    null = one_sided.of_resamples(drawn, [1, 40])
    p = one_sided.step_down(null, null.observed([5.0, 5.0]))
    assert p[0] == 1.0
    assert p[1] == pytest.approx(1 / 201)
    with pytest.raises(InputError, match="1 replicates"):
        one_sided.of_resamples(drawn[:1], [9, 9])


def test_where_a_figure_does_not_exist_counts_against_its_own_test_alone() -> None:
    statistics = np.random.default_rng(4).normal(size=(99, 2))
    statistics[:9, 0] = np.nan
    null = one_sided.Null(statistics, np.ones(2))
    assert one_sided.single(null, np.array([99.0, 99.0])) == pytest.approx([10 / 100, 1 / 100])
    assert one_sided.step_down(null, np.array([99.0, 98.0]))[1] == pytest.approx(0.1)  # not below that of a larger one
    assert one_sided.step_down(null, np.array([98.0, 99.0]))[1] == pytest.approx(0.01)


@pytest.mark.parametrize("units", [4, 10, 40])
def test_of_few_units_a_true_drop_as_allowed_fails_at_the_level(units: int) -> None:
    """Normal differences, whose mean divided by its standard error is Student's t."""
    rng = np.random.default_rng(units)
    wrong = 0
    for _ in range(1500):
        differences = rng.normal(loc=0.3, size=units)
        copies = rng.multinomial(units, np.full(units, 1 / units), size=400)
        null = one_sided.of_resamples((copies @ differences / units)[:, None], [units], seed=1)
        wrong += bool(one_sided.single(null, null.observed([differences.mean() - 0.3]))[0] <= 0.05)
    assert 0.035 < wrong / 1500 < 0.065


def test_a_null_is_the_same_for_the_same_seed_and_pairs_its_tests() -> None:
    drawn = np.random.default_rng(5).normal(size=(300, 1)).repeat(2, axis=1)
    null = one_sided.of_resamples(drawn, [12, 12], seed=7)
    assert (null.statistics[:, 0] == null.statistics[:, 1]).all()
    assert (null.statistics == one_sided.of_resamples(drawn, [12, 12], seed=7).statistics).all()
    assert (null.turned.statistics == -null.statistics).all()
