"""p of swaps and its adjustment against brute force, and what no difference, no figure and no variance give."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from boxscore.errors import InputError
from boxscore.stats import plans
from boxscore.stats.swap_tests import least_p, max_t
from tests.stats import oracle

DIFFERENCE = st.integers(-8, 8).map(lambda eighths: eighths / 8)


def under_swaps(differences: Any) -> Any:
    """Sums of paired differences [units, pairs] under all patterns of swaps, [patterns, pairs]."""
    weights = plans.swaps(np.arange(len(differences)), len(differences)).weights
    assert weights is not None
    return (1.0 - 2.0 * weights) @ differences


@settings(max_examples=60)
@given(st.lists(DIFFERENCE, min_size=1, max_size=9))
def test_exact_p_is_that_of_all_patterns(differences: list[float]) -> None:
    column = np.array(differences)[:, None]
    p, adjusted = max_t(column.sum(axis=0), under_swaps(column), exact=True)
    assert p[0] == pytest.approx(oracle.swap_p(differences))
    assert adjusted[0] == p[0]
    assert p[0] >= least_p(len(differences))


def test_exact_p_is_scipys() -> None:
    a, b = np.random.default_rng(4).normal(size=(2, 8)) + np.array([[0.6], [0.0]])
    expected = permutation_test((a, b), lambda x, y: np.sum(x - y), permutation_type="samples", n_resamples=1000)
    column = (a - b)[:, None]
    assert max_t(column.sum(axis=0), under_swaps(column), exact=True)[0][0] == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(("units", "least"), [(1, 1.0), (3, 0.25), (5, 0.0625), (6, 0.03125), (8, 0.0078125)])
def test_the_smallest_p_there_is(units: int, least: float) -> None:
    assert least_p(units) == least
    column = np.ones((units, 1))
    assert max_t(column.sum(axis=0), under_swaps(column), exact=True)[0][0] == least


@settings(max_examples=60)
@given(
    st.integers(1, 4).flatmap(
        lambda pairs: st.lists(st.lists(DIFFERENCE, min_size=pairs, max_size=pairs), min_size=1, max_size=6)
    ),
    st.booleans(),
)
def test_adjusted_p_is_the_literal_step_down(rows: list[list[float]], exact: bool) -> None:
    differences = np.array(rows)
    replicates = under_swaps(differences)
    observed = differences.sum(axis=0)
    p, adjusted = max_t(observed, replicates, exact=exact)
    assert adjusted.tolist() == pytest.approx(oracle.step_down(observed.tolist(), replicates.tolist(), exact=exact))
    assert (adjusted >= p).all()


@settings(max_examples=40)
@given(st.integers(2, 4), st.integers(0, 2**32), st.floats(0.01, 100.0))
def test_adjusting_knows_neither_order_nor_units_of_measure(pairs: int, seed: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    replicates, observed = random.normal(size=(50, pairs)), random.normal(size=pairs)
    _, adjusted = max_t(observed, replicates, exact=False)
    order = random.permutation(pairs)
    assert max_t(observed[order], replicates[:, order], exact=False)[1].tolist() == adjusted[order].tolist()
    scales = np.where(np.arange(pairs) == 0, scale, 1.0)
    assert max_t(observed * scales, replicates * scales, exact=False)[1] == pytest.approx(adjusted)
    assert max_t(-observed, -replicates, exact=False)[1].tolist() == adjusted.tolist()


def test_drawn_p_is_never_zero() -> None:
    p, adjusted = max_t([9.0], np.linspace(-1, 1, 999)[:, None], exact=False)
    assert p[0] == adjusted[0] == 1 / 1000


def test_no_difference_without_variance_has_p_1() -> None:
    for exact in (True, False):
        p, adjusted = max_t([0.0, 1e-16], np.zeros((8, 2)), exact=exact)
        assert p.tolist() == adjusted.tolist() == [1.0, 1.0]


def test_a_difference_without_variance_is_beyond_all_replicates() -> None:
    p, _ = max_t([0.5], np.zeros((99, 1)), exact=False)
    assert p[0] == 1 / 100


def test_no_difference_beside_a_large_one() -> None:
    differences = np.array([[1.0, 0.0]] * 8)
    p, adjusted = max_t(differences.sum(axis=0), under_swaps(differences), exact=True)
    assert p.tolist() == adjusted.tolist() == [2.0**-7, 1.0]


def test_a_pair_without_a_difference_takes_no_part() -> None:
    random = np.random.default_rng(1)
    replicates, observed = random.normal(size=(99, 3)), np.array([1.5, np.nan, 2.0])
    p, adjusted = max_t(observed, replicates, exact=False)
    assert np.isnan(p[1])
    assert np.isnan(adjusted[1])
    alone = max_t(observed[[0, 2]], replicates[:, [0, 2]], exact=False)
    assert p[[0, 2]].tolist() == alone[0].tolist()
    assert adjusted[[0, 2]].tolist() == alone[1].tolist()


def test_replicates_without_a_figure_count_against_their_pair_alone() -> None:
    replicates = np.tile(np.linspace(-1, 1, 100)[:, None], (1, 2))
    replicates[:10, 1] = np.nan
    p, adjusted = max_t([5.0, 4.0], replicates, exact=False)
    assert p.tolist() == [1 / 101, 11 / 101]
    assert adjusted.tolist() == [1 / 101, 11 / 101]


def test_rounding_does_not_break_ties() -> None:
    p, _ = max_t([0.3], np.array([[0.1 + 0.2], [-0.3], [0.1], [-0.1 - 0.2 + 1e-15]]), exact=True)
    assert p[0] == 0.75


def test_false_separations_are_rare_in_the_whole_family() -> None:
    # Four equal models of which some are compared: the smallest adjusted p is below 0.05 in 5 % of data sets.
    random = np.random.default_rng(11)
    rejected = 0
    for _ in range(400):
        scores = random.normal(size=(9, 4))
        differences = scores[:, :3] - scores[:, 1:]
        _, adjusted = max_t(differences.sum(axis=0), under_swaps(differences), exact=True)
        rejected += adjusted.min() <= 0.05
    assert rejected <= 34  # 20 expected; more than 34 in one run of 500


@pytest.mark.parametrize(("observed", "replicates"), [([1.0], [[1.0, 2.0]]), ([1.0], [1.0]), ([], []), (1.0, [[1.0]])])
def test_shapes_that_do_not_fit_are_refused(observed: Any, replicates: Any) -> None:
    with pytest.raises(InputError, match="fit"):
        max_t(observed, replicates, exact=True)
