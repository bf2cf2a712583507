"""What is drawn or enumerated: nothing is missing, nothing twice, and probabilities are the multinomial ones."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.stats import plans
from tests.stats import oracle


@pytest.mark.parametrize("units", range(1, 7))
def test_enumeration_is_all_ordered_draws(units: int) -> None:
    weights, probabilities = plans.multisets(units)
    rows = [tuple(row) for row in weights.tolist()]
    expected = oracle.multisets(units)
    assert len(rows) == len(set(rows))
    assert dict(zip(rows, probabilities.tolist(), strict=True)) == {
        row: float(chance) for row, chance in expected.items()
    }


@pytest.mark.parametrize(("units", "multisets"), [(1, 1), (2, 3), (3, 10), (7, 1716), (8, 6435)])
def test_few_units_are_enumerated(units: int, multisets: int) -> None:
    plan = plans.bootstrap(np.arange(units), units, replicates=7, seed=3)
    assert plan.exact
    assert plan.replicates == multisets
    assert plan.weights is not None
    assert plan.probabilities is not None
    assert plan.weights.dtype == np.uint32
    assert plan.weights.shape == (multisets, units)
    assert (plan.weights.sum(axis=1) == units).all()
    assert math.isclose(math.fsum(plan.probabilities), 1.0, rel_tol=0, abs_tol=1e-12)


@pytest.mark.parametrize("units", [9, 20, 5000])
def test_many_units_are_left_to_the_kernel(units: int) -> None:
    plan = plans.bootstrap(np.arange(units), units, replicates=70, seed=3)
    assert (plan.exact, plan.replicates, plan.seed) == (False, 70, 3)
    assert plan.weights is None
    assert plan.probabilities is None


def test_how_many_are_enumerated_can_be_set() -> None:
    assert plans.bootstrap([0, 1, 2], 3, most_exact=10).exact
    assert not plans.bootstrap([0, 1, 2], 3, most_exact=9).exact
    assert plans.swaps([0, 1, 2], 3, most_exact=4).exact
    assert not plans.swaps([0, 1, 2], 3, most_exact=3).exact


@pytest.mark.parametrize("units", range(1, 9))
def test_swaps_are_half_of_all_patterns(units: int) -> None:
    plan = plans.swaps(np.arange(units), units)
    assert plan.exact
    assert plan.weights is not None
    rows = [tuple(row) for row in plan.weights.tolist()]
    assert rows[0] == (0,) * units
    complements = [tuple(1 - swapped for swapped in row) for row in rows]
    assert sorted(rows + complements) == sorted(itertools.product((0, 1), repeat=units))


@pytest.mark.parametrize(("units", "exact"), [(15, True), (16, False), (4000, False)])
def test_swaps_beyond_the_limit_are_left_to_the_kernel(units: int, *, exact: bool) -> None:
    plan = plans.swaps(np.arange(units), units, replicates=30, seed=9)
    assert plan.exact is exact
    assert (plan.weights is None) is not exact
    assert plan.replicates == (2**14 if exact else 30)
    assert plan.seed == (None if exact else 9)


@settings(max_examples=60)
@given(st.integers(1, 60), st.integers(1, 30), st.integers(0, 2**64 - 1))
def test_blocks_part_the_units(units: int, most: int, seed: int) -> None:
    plan = plans.blocks(np.arange(units), units, most=most, seed=seed)
    assert plan.weights is not None
    assert plan.replicates == len(plan.weights) == min(units, most)
    assert plan.weights.max(initial=0) <= 1
    left_out = 1 - plan.weights.astype(int)
    assert (left_out.sum(axis=0) == 1).all()
    sizes = left_out.sum(axis=1)
    assert sizes.max() - sizes.min() <= 1
    again = plans.blocks(np.arange(units), units, most=most, seed=seed)
    assert again.weights is not None
    assert np.array_equal(plan.weights, again.weights)


def test_blocks_depend_on_the_seed_alone() -> None:
    found = plans.blocks(np.arange(10), 10, most=3, seed=1).weights
    other = plans.blocks(np.arange(10), 10, most=3, seed=2).weights
    assert found is not None
    assert other is not None
    assert not np.array_equal(found, other)
    # Written down, so that another version of NumPy can't change it unseen.
    assert [np.flatnonzero(row == 0).tolist() for row in found] == BLOCKS_OF_SEED_1


BLOCKS_OF_SEED_1 = [[1, 4, 7, 8], [2, 5, 6], [0, 3, 9]]


def test_units_of_images_are_kept() -> None:
    plan = plans.bootstrap([0, 0, 2, 1, 2], 3)
    assert plan.units.dtype == np.uint32
    assert plan.units.tolist() == [0, 0, 2, 1, 2]


@pytest.mark.parametrize(
    ("units", "number", "told"),
    [
        ([0, 2], 3, "0 to 2"),
        ([0, 3], 3, "0 to 2"),
        ([0, -1], 1, "0 to 0"),
        ([], 0, "one image or more"),
        ([0.5], 1, "whole numbers"),
        ([[0], [1]], 2, "one an image"),
    ],
)
def test_units_that_make_no_sense_are_refused(units: Any, number: int, told: str) -> None:
    for make in (plans.bootstrap, plans.swaps, plans.blocks):
        with pytest.raises(InputError, match=told):
            make(units, number)


def test_numbers_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="replicates"):
        plans.bootstrap([0, 1], 2, replicates=0)
    with pytest.raises(InputError, match="blocks"):
        plans.blocks([0, 1], 2, most=0)
    for seed in (-1, 2**64):
        with pytest.raises(InputError, match="seed"):
            plans.swaps([0, 1], 2, seed=seed)
