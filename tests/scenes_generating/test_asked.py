"""What can be asked for, and what is refused by name."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import InputError
from boxscore.scenes.generating import Asked, scenes_of


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"count": 0}, "--count is 0"),
        ({"count": 2_000_000}, "--count is 2000000"),
        ({"seed": -1}, "--seed is -1:"),
        ({"min_visibility": 1.5}, "--min-visibility is 1.5: give a number from 0 to 1"),
        ({"min_visibility": float("nan")}, "--min-visibility is nan:"),
        ({"boxes": "drawn"}, "--boxes is 'drawn': give mask or projected"),
        ({"width": 10}, "--width is 10"),
        ({"height": 5000}, "--height is 5000"),
        ({"profiles": ("foggy",)}, "profile 'foggy' is not known; give one of baseline, crowded"),
        ({"profiles": ("dark", "far", "dark")}, "name each profile once"),
    ],
)
def test_what_cannot_be_made_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refused:
        Asked(**{"count": 10, "seed": 0, **wrong})
    assert said in str(refused.value)


def test_profiles_keep_their_order_and_weight() -> None:
    assert Asked(10, 0, profiles=("steep", "dark")).own_weights() == {"dark": 0.15, "steep": 0.10}
    assert list(Asked(10, 0).own_weights()) == ["baseline", "crowded", "dark", "far", "occluded", "steep"]


@pytest.mark.parametrize(
    ("text", "found"),
    [("17", (17,)), ("3, 5,10-12", (3, 5, 10, 11, 12)), ("2,1,1-2", (1, 2)), ("0-19", tuple(range(20)))],
)
def test_scenes_by_number(text: str, found: tuple[int, ...]) -> None:
    assert scenes_of(text, 20) == found


@given(st.sets(st.integers(0, 49), min_size=1))
def test_any_scenes_by_number(wanted: set[int]) -> None:
    assert set(scenes_of(",".join(map(str, wanted)), 50)) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("20", "there is no scene 20; scenes are numbered from 0, to 19 with --count 20"),
        ("5-3", "5-3 runs backwards; give 3-5"),
        ("a", "'a' is no scene"),
        ("", "'' is no scene"),
        ("1,,2", "'' is no scene"),
        ("-1", "'-1' is no scene"),
    ],
)
def test_no_scenes(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        scenes_of(text, 20)
    assert said in str(refused.value)
