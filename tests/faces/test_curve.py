"""The picture of the curve: what it takes up, and what its legends show."""

import copy
import itertools
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from boxscore.faces import Options, min_size
from boxscore.report import size_curve
from tests.faces.made import PatternEmbedder, people


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    images = people(tmp_path_factory.mktemp("images"))
    return min_size(images, [PatternEmbedder()], Options(sizes=(6, 12, 24), actors=8)).to_dict()


def several(content: dict[str, Any], number: int) -> dict[str, Any]:
    return content | {"embedders": [copy.deepcopy(content["embedders"][0]) for _ in range(number)]}


def drawn(content: dict[str, Any]) -> Image.Image:
    return Image.open(BytesIO(size_curve.png(content)))


def test_a_picture_is_small_and_the_same_each_time(content: dict[str, Any]) -> None:
    first = size_curve.png(content)
    assert first == size_curve.png(content)
    assert len(first) < 120_000
    assert drawn(content).mode == "RGB"


def test_many_embedders_stand_three_abreast(content: dict[str, Any]) -> None:
    three, four = drawn(several(content, 3)), drawn(several(content, 4))
    assert four.width == three.width
    assert four.height == pytest.approx(2 * three.height, rel=0.1)


def test_the_legend_of_dashes_shows_dashes(content: dict[str, Any]) -> None:
    """Beside the lower picture there is a stroke for each of four sizes, and for counted and modelled."""
    picture = drawn(content).convert("L")
    strokes = picture.crop((picture.width - 158, picture.height // 2, picture.width - 130, picture.height))
    rows = [row for row in range(strokes.height) if min(strokes.crop((0, row, strokes.width, row + 1)).tobytes()) < 210]
    assert sum(later - earlier > 3 for earlier, later in itertools.pairwise(rows)) + 1 == 4 + 2
