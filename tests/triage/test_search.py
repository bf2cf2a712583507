"""The search for conditions: what is there is found, and what is not there is not, more often than is said."""

import numpy as np
import pytest
from numpy.typing import NDArray

from boxscore.slices.slice import Slice
from boxscore.triage.conditions import conditions_of
from boxscore.triage.findings import Outcome
from boxscore.triage.halves import shuffled
from boxscore.triage.search import search

Bools = NDArray[np.bool_]


def condition(column: str, value: str, mask: Bools) -> Slice:
    return Slice(f"{column}={value}", column, "image", mask, condition=((column, value),))


def misses(rate: NDArray[np.float64], rng: np.random.Generator) -> Outcome:
    objects = rng.poisson(6, len(rate)) + 1
    return Outcome("missed objects", rng.binomial(objects, rate), objects)


def metadata(images: int, rng: np.random.Generator) -> list[Slice]:
    return conditions_of({f"column{n}": rng.choice(["a", "b"], images).tolist() for n in range(4)})


def each(images: int) -> NDArray[np.uint32]:
    return np.arange(images, dtype=np.uint32)


def test_a_pair_of_conditions_is_found_and_told_by_the_other_half() -> None:
    rng = np.random.default_rng(1)
    rain, night = rng.random(400) < 0.5, rng.random(400) < 0.5
    conditions = [condition("weather", "rain", rain), condition("hour", "night", night), *metadata(400, rng)]
    found = search([misses(np.where(rain & night, 0.5, 0.2), rng)], conditions, each(400))
    assert found.findings[0].name == "weather=rain & hour=night"
    first = found.findings[0]
    assert first.images == first.units == int((rain & night).sum())
    assert first.held_out["rate"] == pytest.approx(0.5, abs=0.06)
    assert first.held_out["rest"] == pytest.approx(0.2, abs=0.04)
    assert 0 < first.held_out["std_error"] < 0.05
    assert first.p_value == 0.001


def test_where_there_is_nothing_something_is_told_no_more_often_than_stated() -> None:
    told = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        outcome = misses(np.full(120, 0.3), rng)
        false = Outcome("false detections", rng.poisson(1.0, 120), np.ones(120))
        found = search([outcome, false], metadata(120, rng), each(120), permutations=99, level=0.1, seed=seed)
        assert found.family > 40
        told += bool(found.findings)
    # 10 % of 200 is 20; four standard deviations above is 37.
    assert 4 <= told <= 37


def test_images_of_a_group_count_as_one_unit() -> None:
    rng = np.random.default_rng(5)
    told = {"image": 0, "group": 0}
    for seed in range(60):
        groups = np.repeat(np.arange(60, dtype=np.uint32), 5)
        hard = rng.random(60) * 0.6
        outcome = misses(hard[groups], rng)
        # A value for each clip, as a day's weather is: images of a clip all fail together, whatever the weather.
        conditions = [condition("weather", "rain", (rng.random(60) < 0.5)[groups])]
        for kind, units in (("image", each(300)), ("group", groups)):
            found = search([outcome], conditions, units, kind=kind, permutations=99, seed=seed)
            told[kind] += bool(found.findings)
    assert told["group"] <= 9  # 5 % of 60 is 3
    assert told["image"] > told["group"]


def test_few_units_are_not_searched() -> None:
    rng = np.random.default_rng(3)
    few = np.arange(200) < 19
    found = search([misses(np.where(few, 0.9, 0.1), rng)], [condition("site", "b", few)], each(200))
    assert (found.findings, found.family) == ([], 0)
    assert found.reason == "no condition holds for 20 of the 200 images and lacks for as many"
    enough = np.arange(200) < 40
    found = search([misses(np.where(enough, 0.9, 0.1), rng)], [condition("site", "b", enough)], each(200))
    assert [one.name for one in found.findings] == ["site=b"]


def test_without_failures_or_conditions_there_is_a_reason() -> None:
    rng = np.random.default_rng(3)
    half = np.arange(100) < 50
    assert (
        search([misses(np.zeros(100), rng)], [condition("a", "b", half)], each(100)).reason == "there are no failures"
    )
    assert search([misses(np.ones(100), rng)], [], each(100)).reason is not None


def test_p_values_are_those_of_a_plain_loop() -> None:
    rng = np.random.default_rng(8)
    half = rng.random(60) < 0.5
    outcome = misses(np.where(half, 0.4, 0.2), rng)
    found = search([outcome], [condition("a", "b", half)], each(60), permutations=199, level=1.0, seed=4)
    rows = np.sort(shuffled(60, 4)[:30])
    events, base, inside = outcome.events[rows], outcome.base[rows], half[rows]
    excess = events - base * events.sum() / base.sum()
    observed = excess[inside].sum()
    dealt = [excess[order][inside].sum() for order in shuffled(30, 5, 199)]
    expected = (1 + sum(one >= observed - 1e-9 for one in dealt)) / 200
    assert found.findings[0].p_value == pytest.approx(expected)


def test_conditions_of_metadata() -> None:
    values = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, None]
    made = conditions_of(
        {
            "light": values,
            "night": [True, False] * 4,
            "same": ["x"] * 8,
            "twin": [False, True] * 4,
            "id": list(range(8)),
            "name": [f"n{n}" for n in range(8)],
        }
    )
    names = [one.name for one in made]
    assert [name for name in names if name.startswith("light")] == [
        "light<=1.5",
        "light>1.5",
        "light<=3.5",
        "light>3.5",
        "light<=4.5",
        "light>4.5",
    ]
    assert [name for name in names if name.startswith(("night", "same", "twin"))] == ["night=False", "night=True"]
    above = made[names.index("light>1.5")]
    assert above.mask.tolist() == [False, False, True, True, True, True, True, False]


def test_orders_are_a_seeds_alone() -> None:
    assert shuffled(5, 1).tolist() == shuffled(5, 1).tolist()
    assert sorted(shuffled(1000, 2).tolist()) == list(range(1000))
    assert shuffled(4, 3, 7).shape == (7, 4)
    assert shuffled(0, 0).shape == (0,)
