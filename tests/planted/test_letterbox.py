"""Pads and overlaps worked by hand."""

import pytest

from boxscore.planted.letterbox import pad_of, shifted_overlap


@pytest.mark.parametrize(
    ("picture", "given", "pad"),
    [
        ((640, 480), (640, 640), (0, 80)),  # 160 rows are left over, half of them above
        ((640, 480), (416, 416), (0, 80)),  # 416 x 312 leaves 104 rows; 52 above are 52 / 0.65 of the picture's
        ((640, 480), (320, 256), (0, 16)),  # 320 x 240 leaves 16 rows; 8 above are 16 of the picture's
        ((480, 640), (640, 640), (80, 0)),
        ((640, 480), (320, 240), (0, 16)),  # no pad: the default
        ((640, 480), (640, 480), (0, 16)),
    ],
)
def test_pads(picture: tuple[int, int], given: tuple[int, int], pad: tuple[float, float]) -> None:
    assert pad_of(picture, given) == pytest.approx(pad)


def test_overlaps() -> None:
    assert shifted_overlap([3, 4, 10, 10], (0, 0)) == 1
    assert shifted_overlap([3, 4, 10, 10], (0, 5)) == pytest.approx(50 / 150)
    assert shifted_overlap([3, 4, 10, 10], (5, 5)) == pytest.approx(25 / 175)
    assert shifted_overlap([3, 4, 10, 10], (0, 10)) == 0
    assert shifted_overlap([3, 4, 0, 10], (0, 1)) == 0
