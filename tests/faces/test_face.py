"""Faces cut from pictures, aligned, and brought to an embedder's input."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from boxscore.errors import InputError
from boxscore.faces.alignment import scale_of, similarity
from boxscore.faces.degrade import Recipe
from boxscore.faces.embedder import FaceInput
from boxscore.faces.face import Square, cut, prepared, whole_picture

RAMP = np.repeat(np.arange(100, dtype=np.uint8)[None, :, None], 60, axis=0).repeat(3, axis=2)
"""60 × 100 pixels whose level is their column."""


def test_without_a_detector_the_middle_square_is_the_face() -> None:
    square = whole_picture(100, 60)
    assert (square.x, square.y, square.side) == (50, 30, 60)
    face = cut(RAMP, square, FaceInput(size=60, margin=0.5), found=False)
    assert face.side == 60
    assert face.pixels[0, :, 0].tolist() == list(range(20, 80))


def test_a_margin_is_kept_round_a_found_face_and_edges_go_on() -> None:
    face = cut(RAMP, Square(10, 30, 20), FaceInput(size=20, margin=0.5), found=True)
    assert face.side == 20
    assert face.pixels.shape == (40, 40, 3)
    assert face.pixels[0, :, 0].tolist() == [0] * 10 + list(range(30))


@pytest.mark.parametrize(("size", "native"), [(None, True), (59, False), (60, True), (61, True)])
def test_a_size_at_or_above_the_own_one_is_native(size: int | None, native: bool) -> None:
    face = cut(RAMP, whole_picture(100, 60), FaceInput(size=30), found=False)
    assert face.is_native_at(size) is native
    noisy = Recipe.parse("area+noise:30")
    same = prepared(face, FaceInput(size=30), size, noisy, "k") == prepared(face, FaceInput(size=30), None, noisy, "k")
    assert same.all() == native


def test_the_face_and_not_its_margin_has_the_size_asked_for() -> None:
    settings = FaceInput(size=100, margin=0.5)
    face = cut(RAMP, Square(50, 30, 20), settings, found=True)
    # 40 pixels round a face of 20 become 20 round one of 10: each of them then covers 5 of the input's 100.
    found = prepared(face, settings, 10, Recipe(), "k")
    assert found.shape == (100, 100, 3)
    assert len(np.unique(found[0, :, 0])) >= 20
    assert found[0, 2, 0] == pytest.approx(RAMP[0, 30, 0] + 0.5, abs=1)
    assert found[0, 97, 0] == pytest.approx(RAMP[0, 69, 0] - 0.5, abs=1)


points = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=5, max_size=5, unique=True)


@given(points, st.floats(-3, 3), st.floats(0.1, 4), st.floats(-50, 50), st.floats(-50, 50))
def test_a_similarity_is_found_again(
    given_points: list[tuple[float, float]], turn: float, scale: float, x: float, y: float
) -> None:
    at = np.array(given_points)
    if at.std(axis=0).sum() < 1:
        return
    matrix = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    found = similarity(at, at @ matrix.T + (x, y))
    assert np.allclose(found[:, :2], matrix, atol=1e-6)
    assert np.allclose(found[:, 2], (x, y), atol=1e-3)
    assert scale_of(found) == pytest.approx(scale)


def test_a_mirrored_face_is_turned_and_never_mirrored() -> None:
    at = np.array([[0, 0], [2, 0], [1, 1], [0, 2], [2, 2.5]])
    assert np.linalg.det(similarity(at, at * (-1, 1))[:, :2]) > 0


def test_points_in_one_place_are_refused() -> None:
    with pytest.raises(InputError, match="in one place"):
        similarity(np.ones((5, 2)), np.arange(10.0).reshape(5, 2))


@pytest.mark.parametrize("size", [None, 40, 20])
def test_five_points_lie_where_the_embedder_wants_them(size: int | None) -> None:
    """Dots painted at a turned face's points are found at the embedder's points, however small the face was."""
    onto = np.array([[20.0, 25], [44, 25], [32, 36], [23, 46], [41, 46]])
    turn = np.deg2rad(20)
    matrix = 1.5 * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    at = (onto - 32) @ matrix.T + 100
    rows, columns = np.mgrid[:200, :200] + 0.5
    picture = np.zeros((200, 200, 3))
    for x, y in at:
        picture += 220 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 18)[:, :, None]
    settings = FaceInput(size=64, alignment="five-point", points=tuple(map(tuple, onto)))
    face = cut(picture.clip(0, 255).astype(np.uint8), Square(100, 100, 80, at), settings, found=True)
    found = prepared(face, settings, size, Recipe(), "k")[..., 0].astype(float)
    for x, y in onto:
        near = found[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5]
        weights = np.clip(near - 40, 0, None)
        rows, columns = np.mgrid[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5] + 0.5
        assert (weights * columns).sum() / weights.sum() == pytest.approx(x, abs=0.4)
        assert (weights * rows).sum() / weights.sum() == pytest.approx(y, abs=0.4)
