"""Plans: the same from the same seed, each part drawn for itself."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.scenes.rendering import PlanOptions, Randomisation, ScenePlan, plan_scene
from boxscore.scenes.rendering.draws import Draws, Part
from tests.scenes_rendering.made import NAMES

PARTS = tuple(field.name for field in fields(Randomisation))


def _plan(randomise: str, seed: int = 4, profile: str = "crowded") -> ScenePlan:
    return plan_scene(seed, 3, profile, PlanOptions(randomise=Randomisation.parse(randomise)))


def test_the_same_seed_and_number_give_the_same_plan() -> None:
    for profile in NAMES:
        assert _plan("all", profile=profile) == _plan("all", profile=profile)


def test_another_seed_number_or_attempt_gives_another_scene() -> None:
    plans = [
        plan_scene(1, 0, "dark"),
        plan_scene(2, 0, "dark"),
        plan_scene(1, 1, "dark"),
        plan_scene(1, 0, "dark", attempt=1),
    ]
    assert len({plan.scene_seed for plan in plans}) == 4
    assert len({plan.distance for plan in plans}) == 4


def test_what_is_drawn_does_not_change_with_numpy() -> None:
    # Written down once: these may change with the generator's version alone.
    plan = plan_scene(1, 0, "dark")
    assert plan.scene_seed == 4937170153392561
    assert (plan.distance, plan.pitch, plan.yaw, plan.ambient) == (2.067, -34.3099, 333.3578, 0.136)
    assert [(one.label, one.position) for one in plan.objects] == [
        ("sports ball", (-0.1466, -0.4606, 0.13)),
        ("lego", (-0.623, 0.3594, 0.1487)),
    ]


@pytest.mark.parametrize("part", PARTS)
def test_each_randomisation_changes_its_own_part_alone(part: str) -> None:
    plain, other = _plan("none"), _plan(part)
    changed = {field.name for field in fields(ScenePlan) if getattr(plain, field.name) != getattr(other, field.name)}
    own = {
        "textures": {"objects", "clutter"},
        "backgrounds": {"surroundings"},
        "lights": {"light"},
        "colour": {"objects", "clutter"},
        "noise": {"noise"},
        "blur": {"blur"},
        "scale": {"objects", "clutter"},
    }
    assert changed == own[part] | {"randomise"}
    if part != "scale":
        assert [one.position for one in plain.objects] == [one.position for one in other.objects]


def test_what_is_randomised_is_in_the_metadata() -> None:
    plain, other = _plan("none").metadata(), _plan("all").metadata()
    columns = {
        *("randomised", "textured", "mean_scale", "floor", "light_elevation", "light_azimuth", "light_strength"),
        *("noise", "blur"),
    }
    assert all(plain[name] != other[name] for name in columns - {"floor"})
    assert {_plan("backgrounds", seed).metadata()["floor"] for seed in range(40)} == {
        *("checks", "clouds", "dots", "stripes")
    }
    assert {_plan("lights", seed).metadata()["shadows"] for seed in range(40)} == {0, 1}
    assert plain.keys() == other.keys()
    assert (plain["profile"], plain["num_clutter"]) == ("crowded", len(_plan("none").clutter))


def test_labels_are_drawn_by_their_weights_within_the_rule_of_tiers() -> None:
    options = PlanOptions(label_weights={"duck": 50.0, "cup": 50.0})
    plans = [plan_scene(seed, 0, "crowded", options) for seed in range(100)]
    labels = [one.label for plan in plans for one in plan.objects]
    assert sum(label in {"cup", "duck"} for label in labels) / len(labels) > 0.8
    assert all({one.tier for one in plan.objects} == {"easy", "hard"} for plan in plans)


def test_a_label_of_weight_0_is_never_drawn_while_others_are_left() -> None:
    options = PlanOptions(label_weights={"duck": 0.0})
    labels = {one.label for seed in range(100) for one in plan_scene(seed, 0, "crowded", options).objects}
    assert "duck" not in labels
    assert len(labels) == 8


@given(st.sets(st.sampled_from(PARTS)))
def test_randomisation_reads_what_it_prints(names: set[str]) -> None:
    asked = Randomisation(**dict.fromkeys(names, True))
    assert Randomisation.parse(str(asked)) == asked


def test_all_and_none_are_understood_and_others_are_told() -> None:
    assert str(Randomisation.parse("all")) == ",".join(PARTS)
    assert Randomisation.parse("none") == Randomisation()
    assert Randomisation.parse("noise, blur") == Randomisation(noise=True, blur=True)
    with pytest.raises(InputError, match="randomise 'fog' is not known; give all, none, or some of textures"):
        Randomisation.parse("noise,fog")


@given(st.integers(0, 2**53), st.lists(st.integers(), max_size=20))
def test_a_shuffle_loses_nothing(seed: int, items: list[int]) -> None:
    assert sorted(Draws(seed, Part.LAYOUT).shuffled(items)) == sorted(items)


@given(st.integers(0, 2**53), st.integers(-50, 50), st.integers(0, 50))
def test_whole_numbers_lie_within_both_ends(seed: int, low: int, more: int) -> None:
    assert low <= Draws(seed, Part.LAYOUT).whole(low, low + more) <= low + more


def test_choices_follow_their_weights() -> None:
    draws = Draws(3, Part.LAYOUT)
    counts = dict.fromkeys("abc", 0)
    for _ in range(4000):
        counts[draws.one_of("abc", [1.0, 0.0, 3.0])] += 1
    assert counts["b"] == 0
    # Three standard deviations of a binomial of 4000 and 1/4 are 82.
    assert abs(counts["a"] - 1000) < 100
    assert draws.one_of("ab", [0.0, 0.0]) in "ab"
