"""Which pairs are compared, and which models stay together."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxscore
from boxscore.compare.pairing import check_pairs, groups_of, pairs_of

NAMES = ["a", "b", "c", "d"]


def test_pairs_of_a_leaderboard() -> None:
    order = [2, 0, 3, 1]
    assert pairs_of(order, "adjacent", NAMES) == [(2, 0), (0, 3), (3, 1)]
    assert pairs_of(order, "all", NAMES) == [(2, 0), (2, 3), (2, 1), (0, 3), (0, 1), (3, 1)]
    assert pairs_of(order, "d", NAMES) == [(2, 3), (0, 3), (1, 3)]


def test_a_model_may_be_called_all() -> None:
    assert pairs_of([0, 1, 2], "all", ["x", "all", "y"]) == [(0, 1), (2, 1)]


def test_an_unknown_choice_is_refused_with_those_there_are() -> None:
    assert check_pairs("c", NAMES) == "c"
    with pytest.raises(boxscore.InputError, match='adjacent, all, or the name of a model: "a", "b", "c", "d"'):
        check_pairs("e", NAMES)


def test_neighbours_that_are_not_separated_are_chains() -> None:
    pairs = [(0, 1), (1, 2), (2, 3)]
    assert groups_of([0, 1, 2, 3], pairs, [(0, 1), (1, 2)]) == [[0, 1, 2]]
    assert groups_of([0, 1, 2, 3], pairs, [(0, 1), (2, 3)]) == [[0, 1], [2, 3]]
    assert groups_of([0, 1, 2, 3], pairs, []) == []


def test_one_model_and_those_beside_it() -> None:
    assert groups_of([0, 1, 2, 3], [(0, 2), (1, 2), (3, 2)], [(1, 2), (3, 2)]) == [[1, 2, 3]]


def test_ends_of_a_chain_that_are_separated_make_two_groups() -> None:
    pairs = list(itertools.combinations(range(3), 2))
    assert groups_of([0, 1, 2], pairs, [(0, 1), (1, 2)]) == [[0, 1], [1, 2]]


@given(st.integers(3, 6), st.data())
def test_groups_of_all_pairs_are_the_largest_there_are(models: int, data: st.DataObject) -> None:
    pairs = list(itertools.combinations(range(models), 2))
    together = set(data.draw(st.lists(st.sampled_from(pairs), unique=True)))
    complete = [
        set(members)
        for size in range(2, models + 1)
        for members in itertools.combinations(range(models), size)
        if together.issuperset(itertools.combinations(members, 2))
    ]
    largest = [members for members in complete if not any(members < other for other in complete)]
    found = groups_of(list(range(models)), pairs, together)
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))
