"""Profiles: how many scenes each gets, and that what is drawn stays within its ranges."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.scenes.rendering import (
    LABELS,
    PROFILES,
    PlanOptions,
    ScenePlan,
    plan_scene,
    profile_counts,
    profile_named,
    profile_of,
)
from boxscore.scenes.rendering.catalogue import CLUTTER, kinds_of
from tests.scenes_rendering.made import NAMES

STATED = {
    # distance, pitch, ambient, objects, clutter, spread
    "baseline": ((2, 3), (-45, -20), (0.5, 0.9), (1, 3), (0, 0), 1.5),
    "crowded": ((2.5, 4), (-45, -20), (0.5, 0.9), (5, 8), (3, 6), 1.5),
    "dark": ((2, 3), (-45, -20), (0.05, 0.25), (1, 4), (0, 0), 1.5),
    "far": ((4, 6.5), (-45, -20), (0.5, 0.9), (2, 5), (0, 0), 1.0),
    "occluded": ((2, 3.5), (-45, -20), (0.5, 0.9), (2, 4), (0, 0), 1.5),
    "steep": ((2, 3), (-80, -55), (0.5, 0.9), (2, 5), (0, 0), 1.5),
}
SEEDS = 250


@pytest.fixture(scope="module", params=NAMES)
def plans(request: pytest.FixtureRequest) -> list[ScenePlan]:
    return [plan_scene(seed, seed % 7, request.param) for seed in range(SEEDS)]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (100, [30, 15, 15, 15, 15, 10]),
        (20, [6, 3, 3, 3, 3, 2]),
        (1, [1, 0, 0, 0, 0, 0]),
        (7, [3, 1, 1, 1, 1, 0]),  # whole parts of 2.1, 1.05 four times and 0.7; one is left
        (1000, [300, 150, 150, 150, 150, 100]),
    ],
)
def test_counts_are_the_whole_parts_and_the_rest_goes_to_the_first(count: int, expected: list[int]) -> None:
    assert list(profile_counts(count).values()) == expected
    assert tuple(profile_counts(count)) == NAMES


@given(
    st.integers(1, 5000),
    st.dictionaries(st.sampled_from(NAMES), st.floats(0, 1e6, allow_nan=False), min_size=1),
)
def test_counts_sum_to_what_was_asked_for_and_follow_the_weights(count: int, weights: dict[str, float]) -> None:
    total = sum(weights.values())
    if not total:
        with pytest.raises(InputError, match="all 0"):
            profile_counts(count, weights)
        return
    counts = profile_counts(count, weights)
    assert sum(counts.values()) == count
    assert all(weights[name] > 0 for name in counts)
    assert all(abs(number - count * weights[name] / total) <= 1 + 1e-6 for name, number in counts.items())


def test_scenes_are_numbered_profile_by_profile() -> None:
    counts = profile_counts(20)
    assert [profile_of(index, counts) for index in range(20)] == [
        name for name, number in counts.items() for _ in range(number)
    ]


@pytest.mark.parametrize("index", [-1, 20])
def test_a_number_beyond_the_set_is_refused(index: int) -> None:
    with pytest.raises(InputError, match=rf"scene {index} is not among the 20 scenes"):
        profile_of(index, profile_counts(20))


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"dusk": 1.0}, "'dusk' is not known; give one of baseline, crowded"),
        ({"dark": -1.0}, r"weights.dark is -1.0"),
        ({"dark": math.nan}, r"weights.dark is nan"),
        ({"dark": 0.0}, "all 0"),
    ],
)
def test_wrong_weights_are_told(weights: dict[str, float], told: str) -> None:
    with pytest.raises(InputError, match=told):
        profile_counts(10, weights)


def test_no_scenes_are_refused() -> None:
    with pytest.raises(InputError, match="count is 0"):
        profile_counts(0)


def test_the_weights_are_the_stated_ones() -> None:
    assert [(one.name, one.weight) for one in PROFILES] == [
        *(("baseline", 0.30), ("crowded", 0.15), ("dark", 0.15)),
        *(("far", 0.15), ("occluded", 0.15), ("steep", 0.10)),
    ]


def test_camera_and_light_stay_within_the_ranges_and_use_them(plans: list[ScenePlan]) -> None:
    distance, pitch, ambient, *_ = STATED[plans[0].profile]
    for field, (low, high) in (("distance", distance), ("pitch", pitch), ("ambient", ambient), ("yaw", (0, 360))):
        drawn = [getattr(plan, field) for plan in plans]
        assert all(low <= value <= high for value in drawn), field
        # A uniform sample of 250 comes within a tenth of each end, but for one in 10^11.
        tenth = (high - low) / 10
        assert min(drawn) < low + tenth, field
        assert max(drawn) > high - tenth, field


def test_every_number_of_objects_and_clutter_occurs_and_no_other(plans: list[ScenePlan]) -> None:
    *_, objects, clutter, _ = STATED[plans[0].profile]
    assert {len(plan.objects) for plan in plans} == set(range(objects[0], objects[1] + 1))
    assert {len(plan.clutter) for plan in plans} == set(range(clutter[0], clutter[1] + 1))


def test_of_two_objects_or_more_at_least_one_is_of_each_tier(plans: list[ScenePlan]) -> None:
    for plan in plans:
        tiers = {one.tier for one in plan.objects}
        assert tiers <= {"easy", "hard"}
        assert len(plan.objects) == 1 or tiers == {"easy", "hard"}


def test_objects_are_of_the_catalogue_and_clutter_is_not(plans: list[ScenePlan]) -> None:
    assert {one.label for plan in plans for one in plan.objects} == set(LABELS)
    found = {(one.label, one.tier) for plan in plans for one in plan.clutter}
    assert found <= {(kind.label, "clutter") for kind in CLUTTER}
    assert not {kind.label for kind in CLUTTER} & set(LABELS)


def test_bodies_are_dropped_within_the_spread_above_the_floor(plans: list[ScenePlan]) -> None:
    half = STATED[plans[0].profile][-1] / 2
    for plan in plans:
        for one in (*plan.objects, *plan.clutter):
            assert abs(one.position[0]) <= half
            assert abs(one.position[1]) <= half
            assert 0 < one.position[2] < 0.5
            assert math.hypot(*one.orientation) == pytest.approx(1)


def test_occluders_stand_in_occluded_scenes_alone(plans: list[ScenePlan]) -> None:
    for plan in plans:
        assert bool(plan.occluders) == (plan.profile == "occluded")
        assert all(board.target < len(plan.objects) and board.along > 0 for board in plan.occluders)


def test_names_are_unique_in_a_scene(plans: list[ScenePlan]) -> None:
    for plan in plans:
        names = [one.name for one in (*plan.objects, *plan.clutter)]
        assert len(set(names)) == len(names)


def test_the_catalogue_has_the_stated_tiers() -> None:
    assert [kind.label for kind in kinds_of("easy")] == ["cup", "bottle", "bowl", "teddy bear", "sports ball"]
    assert [kind.label for kind in kinds_of("hard")] == ["cube", "duck", "lego", "domino"]


def test_an_unknown_profile_is_told_with_those_there_are() -> None:
    with pytest.raises(InputError, match="profile 'foggy' is not known; give one of baseline, crowded, dark, far"):
        plan_scene(1, 0, "foggy")
    assert profile_named("far").spread == 1.0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [((-1, 0), "seed is -1"), ((1, -1), "index is -1"), ((1.5, 0), "seed is 1.5"), ((1, True), "index is True")],
)
def test_a_wrong_seed_or_number_is_told(arguments: tuple[int, int], told: str) -> None:
    with pytest.raises(InputError, match=told):
        plan_scene(*arguments, "dark")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"width": 8}, "width is 8"),
        ({"height": 0}, "height is 0"),
        ({"label_weights": {"cup": -1.0}}, "label_weights.cup is -1.0"),
    ],
)
def test_wrong_options_are_told(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        PlanOptions(**wrong)  # type: ignore[arg-type]  # wrong on purpose
