"""Moments: steps, random ones, middles of scenes, a source's own; and what makes none."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.presence.moments import Sampling, clock, moments_of, scene_at
from boxscore.presence.timeline import spans_of
from tests.presence.written import timeline

NOBODY = timeline({"Ann": []}, source="prediction")


def made(truth: Any = None, prediction: Any = NOBODY, **how: Any) -> Any:
    stated = timeline({"Ann": [(0, 10)]}, scenes=[(0, 4), (4, 10)], duration=10) if truth is None else truth
    return moments_of(stated, prediction, Sampling(**how))


def test_steps_begin_at_the_start_and_stop_before_the_end() -> None:
    assert made().time.tolist() == list(range(10))
    assert made(step=4.0).time.tolist() == [0.0, 4.0, 8.0]
    assert made(step=2.5).time.tolist() == [0.0, 2.5, 5.0, 7.5]
    assert made(step=30.0).time.tolist() == [0.0]


def test_image_ids_are_milliseconds() -> None:
    assert made(step=0.25, duration=1.0).milliseconds == [0, 250, 500, 750]
    assert made(step=1 / 3, duration=1.0).milliseconds == [0, 333, 667]


@given(st.integers(1, 300), st.integers(0, 2**64 - 1))
def test_random_moments_are_different_milliseconds_by_the_seed_alone(count: int, seed: int) -> None:
    first, second = made(random=count, seed=seed), made(random=count, seed=seed)
    assert first.time.tolist() == second.time.tolist()
    assert len(set(first.milliseconds)) == count
    assert first.milliseconds == sorted(first.milliseconds)
    assert set(first.milliseconds) <= set(range(10_000))
    assert np.allclose(first.time * 1000, first.milliseconds, atol=1e-6)


def test_other_seeds_draw_others_and_all_can_be_drawn() -> None:
    assert made(random=20, seed=1).milliseconds != made(random=20, seed=2).milliseconds
    assert made(random=50, duration=0.05).milliseconds == list(range(50))


def test_random_moments_are_spread_evenly() -> None:
    counts = np.histogram(made(random=4000, seed=3).time, bins=10, range=(0, 10))[0]
    # A tenth of 4,000 has a standard deviation of 19.
    assert abs(counts - 400).max() < 80


def test_middles_of_scenes() -> None:
    assert made(scene_anchored=True).time.tolist() == [2.0, 7.0]


def test_a_source_with_moments_of_its_own_is_asked_at_those() -> None:
    truth = timeline({"Ann": [(0, 9)]}, samples=[1.5, 4.0, 8.5], scenes=[(0, 3), (3, 6), (6, 9)], duration=9)
    assert made(truth).time.tolist() == [1.5, 4.0, 8.5]
    assert "says nothing at others" in made(truth, step=0.1).notes[0]
    assert set(made(truth, random=2, seed=5).time) < {1.5, 4.0, 8.5}
    assert len(made(truth, random=2, seed=5)) == 2
    assert made(truth, duration=5.0).time.tolist() == [1.5, 4.0]


def test_scene_anchored_takes_the_annotated_moment_next_to_the_middle() -> None:
    truth = timeline({"Ann": []}, samples=[1.0, 4.0, 8.0, 11.0], scenes=[(0, 10), (10, 20), (20, 30)], duration=30)
    found = made(truth, scene_anchored=True)
    assert found.time.tolist() == [4.0, 11.0]
    assert found.notes == ("1 scene has no annotated moment",)


def test_moments_between_scenes_are_groups_of_their_own() -> None:
    truth = timeline({"Ann": []}, scenes=[(1, 3), (5, 6)], duration=8)
    assert made(truth).group == (
        *("no scene 1",),
        *("scene 0", "scene 0"),
        *("no scene 2", "no scene 2"),
        "scene 1",
        *("no scene 3", "no scene 3"),
    )


def test_blocks() -> None:
    assert made(block=4.0).group == ("block 0",) * 4 + ("block 1",) * 4 + ("block 2",) * 2
    assert made(block=4.0).grouped_by == "block"
    assert made(timeline({"Ann": [(0, 150)]})).group[59:61] == ("block 0", "block 1")


def test_of_scenes_that_overlap_the_one_that_began_last() -> None:
    scenes = spans_of([(0.0, 100.0, "a"), (10.0, 20.0, "b")])
    assert scene_at(scenes, np.array([5.0, 10.0, 19.9, 20.0, 50.0, 100.0])).tolist() == [0, 1, 1, 0, 0, -1]


def test_the_length_is_as_given_else_as_stated_else_the_last_end() -> None:
    truth = timeline({"Ann": [(0, 7)]})
    stated = timeline({"Ann": [(0, 9)]}, source="prediction", duration=12)
    assert made(truth, stated, duration=3.0).duration == 3.0
    assert made(truth, stated).duration == 12.0
    assert made(truth).duration == 7.0
    assert made(timeline({"Ann": [(0, 7)]}, duration=20), stated).duration == 20.0


@pytest.mark.parametrize(("whole", "text"), [(0, "0:00:00"), (65_250, "0:01:05.250"), (7_322_000, "2:02:02")])
def test_clock(whole: int, text: str) -> None:
    assert clock(whole) == text


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"step": 0.0}, "step is 0"),
        ({"step": float("nan")}, "step is nan"),
        ({"step": -1.0}, "step is -1"),
        ({"step": 0.001, "duration": 1e6}, "which makes 1,000,000,000 moments"),
        ({"random": 0}, "random is 0"),
        ({"random": 20, "duration": 0.01}, "have 10 milliseconds to draw"),
        ({"step": 1.0, "random": 5}, "step and random are both given"),
        ({"scene_anchored": True, "step": 1.0}, "step and scene-anchored are both given"),
        ({"duration": 0.0}, "duration is 0"),
        ({"block": float("inf")}, "block is inf"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_refusals(how: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(**how)


def test_refuses_what_has_no_scenes_no_end_or_no_moment() -> None:
    with pytest.raises(InputError, match=r"table.made: scene-anchored moments .* has none"):
        made(timeline({"Ann": [(0, 3)]}), scene_anchored=True)
    with pytest.raises(InputError, match="nothing says how long the film is"):
        made(timeline({"Ann": []}))
    with pytest.raises(InputError, match="no moment to score before 1 s"):
        made(timeline({"Ann": []}, samples=[2.0]), duration=1.0)
