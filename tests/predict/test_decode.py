"""From outputs to detections in the picture's pixels, by what the card says of suppression, floors, clipping, top-k."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boxscore.errors import InputError
from boxscore.predict.card import Card, load_card
from boxscore.predict.decode import Found, decode
from boxscore.predict.placement import Placement
from tests.support.cards import write_card

HALF_SIZE = Placement(0.5, 0.5, 0.0, 8.0, 128, 96)
"""A picture of 128 x 96, halved and laid at (0, 8) of an input of 64 x 64."""


def card(folder: Path, *, classes: Sequence[str] = ("cat", "dog"), floors: Any = None, **output: Any) -> Card:
    model = folder / "model.onnx"
    model.write_bytes(b"no graph is read here")
    fields: dict[str, Any] = {"decoder": "end-to-end", "nms": "none"} | output
    more: dict[str, Any] = {f"output__{name}": value for name, value in fields.items()}
    if floors is not None:
        more["floors"] = floors
    return load_card(write_card(folder, model, "yolox", 64, classes, **more))


def rows(*detections: Sequence[float]) -> NDArray[np.float32]:
    """One picture's output [1, n, 6] of x1, y1, x2, y2, score, label in pixels of the input."""
    return np.array([detections], np.float32)


def one(card: Card, output: NDArray[Any], **options: float) -> Found:
    (found,) = decode(card, [output], [HALF_SIZE], **options)
    return found


def test_boxes_come_back_in_pixels_of_the_picture_and_reach_beyond_it(tmp_path: Path) -> None:
    found = one(card(tmp_path), rows([10, 18, 20, 28, 0.5, 1], [-4, 2, 70, 20, 0.9, 0]))
    assert found.boxes.tolist() == [[-8, -12, 140, 24], [20, 20, 40, 40]]
    assert found.scores.tolist() == pytest.approx([0.9, 0.5])
    assert found.labels.tolist() == [0, 1]
    assert [str(part.dtype) for part in (found.boxes, found.scores, found.labels)] == ["float64", "float64", "int64"]


def test_boxes_are_clipped_where_the_card_says_so(tmp_path: Path) -> None:
    found = one(card(tmp_path, clip=True), rows([-4, 2, 70, 20, 0.9, 0]))
    assert found.boxes.tolist() == [[0, 0, 128, 24]]


def test_suppression_sees_clipped_boxes_unless_the_card_says_otherwise(tmp_path: Path) -> None:
    # Outside of the picture the two have nothing in common, within it they are the same.
    output = rows([-60, 18, 10, 28, 0.9, 0], [0, 18, 10, 28, 0.8, 0])
    nms = {"iou": 0.5}
    assert len(one(card(tmp_path, clip=True, nms=nms), output)) == 1
    late = one(card(tmp_path, clip=True, nms=nms, options={"clip_after_nms": True}), output)
    assert late.boxes.tolist() == [[0, 20, 20, 40]] * 2


def test_least_score_is_inclusive_and_the_caller_may_give_another(tmp_path: Path) -> None:
    output = rows([0, 8, 9, 9, 0.25, 0], [0, 8, 9, 9, 0.125, 0], [0, 8, 9, 9, 0.009, 0])
    assert one(card(tmp_path), output).scores.tolist() == [0.25, 0.125]
    assert one(card(tmp_path, least_score=0.125), output).scores.tolist() == [0.25, 0.125]
    assert one(card(tmp_path), output, least=0.2).scores.tolist() == [0.25]
    assert len(one(card(tmp_path), output, least=0.0)) == 3


def test_top_k_goes_over_all_labels_and_the_first_of_equal_scores_stays(tmp_path: Path) -> None:
    output = rows([0, 8, 1, 9, 0.5, 1], [0, 8, 2, 9, 0.75, 0], [0, 8, 3, 9, 0.5, 0])
    found = one(card(tmp_path, top_k=2), output)
    assert found.labels.tolist() == [0, 1]
    assert found.boxes[:, 2].tolist() == [4, 2]


def test_suppression_within_labels_or_over_all(tmp_path: Path) -> None:
    output = rows([0, 8, 10, 18, 0.9, 0], [0, 8, 10, 18, 0.8, 1], [0, 8, 10, 18, 0.7, 1])
    assert one(card(tmp_path, nms={"iou": 0.5}), output).scores.tolist() == pytest.approx([0.9, 0.8])
    assert len(one(card(tmp_path, nms={"iou": 0.5, "per_label": False}), output)) == 1


def test_after_the_floors_a_box_below_its_floor_suppresses_no_other_label(tmp_path: Path) -> None:
    output = rows([0, 8, 10, 18, 0.5, 0], [0, 8, 10, 18, 0.4, 1])
    floors = {"default": 0.3, "labels": {"cat": 0.6}}
    before = card(tmp_path, floors=floors, nms={"iou": 0.5, "per_label": False})
    assert one(before, output).labels.tolist() == [0]
    after = card(tmp_path, floors=floors, nms={"iou": 0.5, "per_label": False, "before_floor": False})
    assert one(after, output).labels.tolist() == [1]


def test_the_best_after_suppression_of_more_than_are_kept(tmp_path: Path) -> None:
    # Ten boxes of one object before two others: the best two aren't among the best eight rows.
    same = [[0, 8, 10, 18, 0.9 - row / 100, 0] for row in range(10)]
    output = rows(*same, [30, 30, 40, 40, 0.3, 0], [50, 50, 60, 60, 0.2, 0])
    found = one(card(tmp_path, nms={"iou": 0.5}, top_k=2), output)
    assert found.scores.tolist() == pytest.approx([0.9, 0.3])


def test_query_by_label_without_suppression(tmp_path: Path) -> None:
    boxes = np.array([[[0.5, 0.5, 0.5, 0.5], [0.25, 0.25, 0.1, 0.1]]], np.float32)
    logits = np.array([[[2.0, 1.0], [3.0, -9.0]]], np.float32)
    (found,) = decode(card(tmp_path, decoder="detr", score="sigmoid", top_k=2), [boxes, logits], [HALF_SIZE])
    assert found.labels.tolist() == [0, 0]
    assert found.boxes[1].tolist() == [32, 16, 96, 80]
    # The query's second label is kept, too, where there is room for it.
    (more,) = decode(card(tmp_path, decoder="detr", score="sigmoid", top_k=300), [boxes, logits], [HALF_SIZE])
    assert more.labels.tolist() == [0, 0, 1]


def test_half_precision_is_decoded_in_single(tmp_path: Path) -> None:
    output = rows([10, 18, 20, 28, 0.5, 1]).astype(np.float16)
    assert one(card(tmp_path), output).boxes.tolist() == [[20, 20, 40, 40]]


def test_a_picture_without_detections(tmp_path: Path) -> None:
    found = one(card(tmp_path, nms={"iou": 0.5}), rows([0, 0, 0, 0, 0, 0]))
    assert (found.boxes.shape, len(found)) == ((0, 4), 0)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_numbers_that_are_not_finite_are_refused(wrong: float, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the model gives"):
        one(card(tmp_path), rows([wrong, 0, 1, 1, 0.5, 0]))
    with pytest.raises(InputError, match="the model gives"):
        one(card(tmp_path), rows([0, 0, 1, 1, wrong, 0]))


def test_an_unknown_option_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"output.options.one_lable: .* one_label"):
        one(card(tmp_path, options={"one_lable": True}), rows([0, 0, 1, 1, 0.5, 0]))


OWN = """
import numpy as np
def corners(outputs, card):
    return [(picture[:, :4] * 2, picture[:, 4], picture[:, 5] + len(card.classes) - 2) for picture in outputs[0]]
def short(outputs, card):
    return [(picture[:, :4], picture[:, 4]) for picture in outputs[0]]
def beyond(outputs, card):
    return [(picture[:, :4], picture[:, 4], picture[:, 5] + 7) for picture in outputs[0]]
"""


def test_a_function_of_ones_own_beside_the_card(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    nms = {"iou": 0.5}
    found = one(card(tmp_path, decoder="mine:corners", nms=nms), rows([5, 9, 10, 14, 0.5, 1], [5, 9, 10, 14, 0.4, 1]))
    assert found.boxes.tolist() == [[20, 20, 40, 40]]
    assert found.labels.tolist() == [1]


@pytest.mark.parametrize(
    ("decoder", "told"),
    [
        ("mine:short", r"mine:short gives arrays \[1, 4\], \[1\]; it must give"),
        ("mine:beyond", "labels from 7.* the card has 2 classes"),
        ("mine:absent", "mine has no function 'absent'"),
        ("nowhere:decode", "nowhere:decode can't be imported .* put nowhere.py beside the card"),
        ("broken:decode", "broken:decode can't be imported .ZeroDivisionError"),
    ],
)
def test_a_function_that_can_not_be_used_is_refused(decoder: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    (tmp_path / "broken.py").write_text("1 / 0")
    with pytest.raises(InputError, match=told):
        one(card(tmp_path, decoder=decoder), rows([0, 0, 1, 1, 0.5, 0]))
