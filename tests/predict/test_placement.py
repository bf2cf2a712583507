"""The one way back: the exact inverse of every preset's forward transform, in numbers and as painted."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.predict import card_presets
from boxscore.predict.card_parts import Input
from boxscore.predict.geometry import Geometry, geometry, rounded
from boxscore.predict.placement import Placement
from boxscore.predict.prepare import prepare_as

PRESETS = card_presets.shipped()
SIZES = st.integers(1, 5000)
COORDINATES = st.floats(-3000, 8000, allow_nan=False)
Pixels = np.ndarray[Any, np.dtype[Any]]


def settings_of(preset: str, side: int = 416, inverse: str | None = None) -> Input:
    own: dict[str, object] = {} if preset == "yunet" else {"size": side}
    if preset.endswith("-rect"):
        own["size"] = side // 32 * 32  # a whole number of strides
    if inverse is not None:
        own["inverse"] = inverse
    return card_presets.settings(preset, {"input": own})[0]


@given(
    preset=st.sampled_from(PRESETS),
    side=st.integers(32, 1400),
    width=SIZES,
    height=SIZES,
    boxes=st.lists(st.tuples(COORDINATES, COORDINATES, COORDINATES, COORDINATES), max_size=4),
)
def test_back_is_the_inverse_of_forth(
    preset: str, side: int, width: int, height: int, boxes: list[tuple[float, float, float, float]]
) -> None:
    found = geometry(settings_of(preset, side), width, height)
    there = found.placement.to_input(boxes)
    assert there.shape == (len(boxes), 4)
    np.testing.assert_allclose(found.placement.to_original(there), np.reshape(boxes, (-1, 4)), rtol=1e-12, atol=1e-6)


@given(preset=st.sampled_from(PRESETS), side=st.integers(32, 1400), width=SIZES, height=SIZES)
def test_the_picture_lies_within_the_input_where_it_is_said(preset: str, side: int, width: int, height: int) -> None:
    settings = settings_of(preset, side)
    found = geometry(settings, width, height)
    left, top = found.placement.left, found.placement.top
    assert left >= 0
    assert left + found.new[0] <= found.canvas[0]
    assert top >= 0
    assert top + found.new[1] <= found.canvas[1]
    if settings.align == "centre":
        assert 0 <= found.canvas[0] - found.new[0] - 2 * left <= 1
        assert 0 <= found.canvas[1] - found.new[1] - 2 * top <= 1
    assert found.canvas[0] % settings.stride == 0
    assert found.canvas[1] % settings.stride == 0
    corner = found.placement.to_input([[0, 0, width, height]])[0]
    # Less than a pixel: a new size is whole, and the ratio that boxes are divided by need not be.
    assert abs(corner[2] - left - found.new[0]) < allowance(settings, found, 0)
    assert abs(corner[3] - top - found.new[1]) < allowance(settings, found, 1)


def allowance(settings: Input, found: Geometry, axis: int) -> float:
    """How far, in pixels of the input, the far edge may lie from where the way back takes it to be."""
    if settings.inverse == "sides" or settings.resize in ("stretch", "none"):
        return 1e-6
    if min(found.new) == 1:
        return float("inf")  # a side kept at one pixel has a scale of its own
    if settings.inverse == "height":
        # The height's own rounding, as much larger as the picture is wider.
        return 1.0 + (max(1.0, found.placement.width / found.placement.height) if axis == 0 else 1e-6)
    return 0.5 + 1e-6 if settings.rounding in ("round", "half-up") else 1.0 + 1e-6


SHAPES = [(640, 427), (427, 640), (1920, 1080), (333, 500), (231, 199), (97, 61)]


@pytest.mark.parametrize(("width", "height"), SHAPES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_painted_rectangle_s_corners_return(preset: str, width: int, height: int) -> None:
    """Within half a pixel of the input, by the sides' own ratio; a preset that has another is told here by how much."""
    painted = (int(width * 0.21), int(height * 0.33), int(width * 0.83), int(height * 0.94))
    picture = np.zeros((height, width, 3), dtype=np.uint8)
    picture[painted[1] : painted[3], painted[0] : painted[2]] = 255
    for inverse in ("sides", None):
        settings = settings_of(preset, inverse=inverse)
        tensor, placement = prepare_as(settings, picture)
        seen = edges(tensor, settings)
        back = placement.to_original([seen])[0]
        off = np.abs(back - painted) * np.tile([placement.scale_x, placement.scale_y], 2)
        found = geometry(settings, width, height)
        beyond = [0.0 if inverse else allowance(settings, found, axis) for axis in (0, 1)] * 2
        assert (off <= 0.5 + np.array(beyond)).all(), (inverse, off)


def edges(tensor: Pixels, settings: Input) -> tuple[float, float, float, float]:
    """Where the rectangle's edges lie in the input, by where its levels cross the middle along its middle lines."""
    normal = settings.normalise
    levels = (tensor[0] * normal.std[0] + normal.mean[0]) * normal.divide
    lit = np.argwhere(levels > 200)
    row, column = (lit.min(axis=0) + lit.max(axis=0)) // 2
    left, right = crossings(levels[row], column)
    top, bottom = crossings(levels[:, column], row)
    return left, top, right, bottom


def crossings(line: Pixels, within: int, middle: float = 127.5) -> tuple[float, float]:
    before = max(i for i in range(within) if line[i] < middle)
    after = min(i for i in range(within, len(line)) if line[i] < middle)
    start = before + (middle - line[before]) / (line[before + 1] - line[before]) + 0.5
    end = after - (middle - line[after]) / (line[after - 1] - line[after]) + 0.5
    return float(start), float(end)


def test_nothing_is_clipped_unless_asked() -> None:
    placement = Placement(0.5, 0.25, 10, 20, 100, 80)
    beyond = [[0, 0, 500, 500], [15, 25, 20, 30]]
    np.testing.assert_array_equal(placement.to_original(beyond), [[-20, -80, 980, 1920], [10, 20, 20, 40]])
    np.testing.assert_array_equal(placement.to_original(beyond, clip=True), [[0, 0, 100, 80], [10, 20, 20, 40]])


def test_no_boxes_stay_no_boxes() -> None:
    assert Placement(1, 1, 0, 0, 10, 10).to_original([]).shape == (0, 4)


@pytest.mark.parametrize(
    ("how", "expected"), [("truncate", (2, 2, 3)), ("round", (2, 2, 4)), ("half-up", (2, 3, 4)), ("up", (3, 3, 4))]
)
def test_rounding_of_a_new_size(how: str, expected: tuple[int, int, int]) -> None:
    assert tuple(rounded(value, how) for value in (2.4, 2.5, 3.5)) == expected


@pytest.mark.parametrize(
    ("width", "height", "canvas"), [(640, 480, (672, 512)), (640, 368, (672, 384)), (368, 640, (416, 672))]
)
def test_val_adds_half_a_stride(width: int, height: int, canvas: tuple[int, int]) -> None:
    """368 is eleven strides and a half; upright, 1 / (640 / 368) is a last bit more than 0.575, and costs a stride."""
    settings = card_presets.settings("ultralytics-val-rect")[0]
    assert geometry(settings, width, height).canvas == canvas
