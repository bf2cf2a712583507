"""Each preset against its recipe written out plainly: every pixel, on real pictures of several shapes and sizes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from boxscore.predict import card_presets
from boxscore.predict.card_parts import Input
from boxscore.predict.prepare import prepare_as
from tests.oracle.recipes import RECIPES

SIDES = (320, 608)
SHAPES = {(640, 429), (383, 640), (612, 612), (320, 240)}
# What rounding to whole levels may cost, in levels. OpenCV's linear weights have 11 bits, a quarter of a level in two
# passes; Pillow rounds after each of its two passes; floats are not rounded at all.
ROUNDING = {
    "opencv-linear": 0.5 + 0.3,
    "opencv-area": 0.5 + 0.001,
    "pillow-bilinear": 1.0 + 0.001,
    "opencv-linear-float": 0.001,
    "pillow-bilinear-float": 0.001,
}
Pixels = np.ndarray[Any, np.dtype[Any]]


@pytest.fixture(scope="module")
def pictures(data_folder: Path) -> list[Pixels]:
    found: dict[tuple[int, int], Pixels] = {}
    for path in sorted((data_folder / "coco_val164" / "images").iterdir()):
        with Image.open(path) as picture:
            if picture.size in SHAPES and picture.size not in found:
                found[picture.size] = np.asarray(picture.convert("RGB"))
    assert found.keys() == SHAPES
    return list(found.values())


def test_every_preset_has_a_recipe() -> None:
    assert card_presets.shipped() == sorted(RECIPES)


def settings_of(preset: str, side: int) -> tuple[Input, dict[str, int]]:
    """A preset's settings at a size, and what its recipe is told of it."""
    if preset == "yunet":
        return card_presets.settings(preset)[0], {}
    return card_presets.settings(preset, {"input": {"size": side}})[0], {"side": side}


def in_levels(settings: Input, difference: Pixels) -> Pixels:
    unit = settings.normalise.divide * np.array(settings.normalise.std)
    return difference * unit[:, np.newaxis, np.newaxis]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("preset", sorted(RECIPES))
def test_pixels_and_placement_are_the_recipe_s(preset: str, side: int, pictures: list[Pixels]) -> None:
    settings, told = settings_of(preset, side)
    compared = 0
    for picture in pictures:
        height, width = picture.shape[:2]
        if "area" in settings.interpolation and min(side / width, side / height) > 1:
            continue  # area is another filter where a picture grows
        if settings.resize == "stretch" and "area" in settings.interpolation and side > min(width, height):
            continue
        compared += 1
        found, placement = prepare_as(settings, picture)
        expected, placed = RECIPES[preset](picture, **told)
        assert found.dtype == np.float32
        assert found.shape == expected.shape
        assert (placement.width, placement.height) == (width, height)
        stated = (placement.scale_x, placement.scale_y, placement.left, placement.top)
        np.testing.assert_allclose(stated, placed, rtol=1e-15)
        off = np.abs(in_levels(settings, found - expected))
        assert off.max() <= ROUNDING[settings.interpolation]
        # Rounding is spread evenly from 0 to its most; were pixels' places off by a fraction, the mean would show it.
        assert off.mean() <= ROUNDING[settings.interpolation] * 0.52
    assert compared or "area" in settings.interpolation


@pytest.mark.parametrize("preset", ["yolox", "rf-detr", "deim"])
def test_another_filter_is_seen(preset: str, pictures: list[Pixels]) -> None:
    """The comparison above can fail: linear without and with antialiasing are far apart on a photograph."""
    settings, told = settings_of(preset, 320)
    other = "opencv-linear" if settings.interpolation.startswith("pillow") else "pillow-bilinear"
    changed = card_presets.settings(preset, {"input": {"size": 320, "interpolation": other}})[0]
    found, _ = prepare_as(changed, pictures[0])
    expected, _ = RECIPES[preset](pictures[0], **told)
    assert np.abs(in_levels(settings, found - expected)).max() > 20


@pytest.mark.parametrize("preset", ["nanodet", "fastestdet"])
def test_a_picture_that_grows_by_area_keeps_its_flat_regions(preset: str) -> None:
    settings, _ = settings_of(preset, 352)
    flat = np.full((96, 96, 3), (200, 100, 50), dtype=np.uint8)
    found, _ = prepare_as(settings, flat)
    normal = settings.normalise
    levels = (np.array([50, 100, 200]) / normal.divide - normal.mean) / normal.std
    np.testing.assert_allclose(found, np.broadcast_to(levels[:, None, None], (3, 352, 352)), rtol=1e-6)
