"""What `prepare` refuses, what it fills in around a picture, and the second input of a model."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.predict import card_presets
from boxscore.predict.card import load_card
from boxscore.predict.prepare import prepare, prepare_as, second_input
from tests.predict.cards import FULL, SHORT, written

GREY = np.zeros((8, 8), dtype=np.uint8)


@pytest.mark.parametrize(
    "picture",
    [GREY, np.zeros((8, 8, 4), np.uint8), np.zeros((8, 8, 3), np.float32), np.zeros((0, 8, 3), np.uint8), [[1, 2]]],
)
def test_what_is_no_rgb_picture_is_refused(picture: Any) -> None:
    settings = card_presets.settings("yolox")[0]
    with pytest.raises(InputError, match=r"it must be RGB, uint8 \[height, width, 3\]"):
        prepare_as(settings, picture)


def test_padding_by_channel_is_normalised_in_the_card_s_order(tmp_path: Path) -> None:
    text = FULL.replace("pad: 114", "pad: [10, 20, 30]").replace("channels: rgb", "channels: bgr")
    tensor, placement = prepare(load_card(written(tmp_path, text)), np.full((100, 200, 3), (250, 150, 50), np.uint8))
    assert (placement.left, placement.top) == (108.0, 110.0)
    padding = (np.array([10, 20, 30]) / 255 - [0.5, 0.4, 0.3]) / 0.25
    inside = (np.array([50, 150, 250]) / 255 - [0.5, 0.4, 0.3]) / 0.25
    for row, column, expected in ((0, 0, padding), (109, 200, padding), (110, 108, inside), (210, 150, padding)):
        np.testing.assert_allclose(tensor[:, row, column], expected, rtol=1e-6)


def test_the_picture_given_is_left_alone() -> None:
    picture = np.full((50, 40, 3), 7, np.uint8)
    tensor, _ = prepare_as(card_presets.settings("yunet")[0], picture)
    tensor += 1
    assert (picture == 7).all()


@pytest.mark.parametrize(
    ("stated", "expected", "kind"),
    [("orig_target_sizes", [640, 320], np.int64), ("{name: size, order: hw, type: float32}", [320, 640], np.float32)],
)
def test_the_second_input_is_the_size_of_the_input(
    tmp_path: Path, stated: str, expected: list[int], kind: type[np.generic]
) -> None:
    text = SHORT.replace("yolox", "deim") + f"input: {{size: [640, 320], second_input: {stated}}}\n"
    found = second_input(load_card(written(tmp_path, text)), np.zeros((2, 3, 320, 640), np.float32))
    (values,) = found.values()
    assert values.dtype == kind
    assert values.tolist() == [expected, expected]
    assert second_input(load_card(written(tmp_path)), np.zeros((2, 3, 320, 416), np.float32)) == {}
