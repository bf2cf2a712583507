"""Recipes: their text, and what each step does to pixels."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from boxscore.errors import InputError
from boxscore.faces.degrade import Recipe, degraded
from tests.faces.made import picture

FACE = picture(1, 0)


def at(text: str, side: int = 12, key: str = "k", face: NDArray[np.uint8] = FACE) -> NDArray[np.uint8]:
    return degraded(face, side, Recipe.parse(text), key)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("area", "area"),
        ("bicubic", "bicubic"),
        ("jpeg:40", "area+jpeg:40"),
        ("bicubic, blur:0.8 ,noise:4,jpeg:30", "bicubic+blur:0.8+noise:4+jpeg:30"),
        ("area+jpeg:90+jpeg:10", "area+jpeg:90+jpeg:10"),
    ],
)
def test_a_recipe_prints_as_it_is_read(text: str, printed: str) -> None:
    assert str(Recipe.parse(text)) == printed
    assert Recipe.parse(printed) == Recipe.parse(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "there is no step ''"),
        ("areaa", "there is no step 'areaa'"),
        ("jpeg", "jpeg takes a whole number from 1 to 100"),
        ("jpeg:0", "from 1 to 100"),
        ("jpeg:40.5", "a whole number"),
        ("blur:nan", "blur takes a number"),
        ("noise:-1", "noise takes a number"),
        ("blur:1+bicubic", "comes first"),
    ],
)
def test_a_wrong_recipe_is_quoted(text: str, part: str) -> None:
    with pytest.raises(InputError) as refused:
        Recipe.parse(text)
    assert part in str(refused.value)
    assert repr(text) in str(refused.value)


def test_area_means_over_whole_pixels() -> None:
    face = np.zeros((8, 8, 3), np.uint8)
    face[:4] = 200
    face[4:, :4] = 100
    assert at("area", 2, face=face)[..., 0].tolist() == [[200, 200], [100, 0]]


@pytest.mark.parametrize("text", ["area", "bicubic", "area+blur:1", "area+jpeg:80", "area+noise:2"])
@pytest.mark.parametrize("side", [1, 7, 12, 47])
def test_the_side_is_the_one_asked_for_and_nothing_is_mutated(text: str, side: int) -> None:
    before = FACE.copy()
    found = at(text, side)
    assert found.shape == (side, side, 3)
    assert found.dtype == np.uint8
    assert (before == FACE).all()


@given(level=st.integers(0, 255), side=st.integers(1, 30), text=st.sampled_from(["area", "bicubic", "area+blur:2"]))
def test_a_plain_face_stays_plain(level: int, side: int, text: str) -> None:
    assert (at(text, side, face=np.full((31, 31, 3), level, np.uint8)) == level).all()


@given(side=st.integers(1, 47))
def test_the_mean_level_survives_area(side: int) -> None:
    assert abs(float(at("area", side).mean()) - float(FACE.mean())) < 1


def test_noise_is_as_strong_as_asked_for_and_drawn_from_its_key() -> None:
    grey = np.full((100, 100, 3), 128, np.uint8)
    first, again, other = (at("noise:5", 99, key, grey) for key in ("a", "a", "b"))
    assert (first == again).all()
    assert (first != other).any()
    assert abs(float(first.astype(float).std()) - 5) < 0.1
    assert abs(float(first.mean()) - 128) < 0.1


def test_blur_is_the_gaussian_of_its_deviation() -> None:
    point = np.zeros((41, 41, 3), np.uint8)
    point[20, 20] = 255
    found = at("blur:2", 41, face=point)[20, :, 0].astype(float)
    expected = 255 * np.exp(-((np.arange(41) - 20) ** 2) / 8) / (2 * np.pi * 4)
    assert np.abs(found - expected).max() <= 1


def test_worse_jpeg_is_farther_from_the_face() -> None:
    losses = [np.abs(at(f"jpeg:{quality}", 40).astype(int) - at("area", 40)).mean() for quality in (95, 50, 5)]
    assert losses == sorted(losses)
    assert losses[0] < losses[-1]


def test_steps_are_done_in_their_order() -> None:
    assert (at("noise:20+blur:1") != at("blur:1+noise:20")).any()
