"""What is refused says what is wrong, where, and what to do; what is left out is counted."""

from typing import Any

import numpy as np
import pytest

import boxscore
from boxscore.compat import COCO, COCOeval, Params
from boxscore.errors import InputError
from tests.compat.both import Row, box, silent, truth_of

PLAIN = truth_of([box(1, 5, 0, 0, 40, 40, id=7), box(2, 5, 0, 0, 40, 40, id=8)], [1, 2], [5, 6])


def evaluation(results: Any = None, truth: Row | None = None, **reading: str) -> COCOeval:
    coco = COCO(truth or PLAIN)
    rows = [box(1, 5, 0, 0, 40, 40, score=0.5)] if results is None else results
    return COCOeval(coco, coco.loadRes(rows), "bbox", reading=boxscore.Reading(**reading))


def message_of(call: Any) -> str:
    with pytest.raises(InputError) as refused:
        call()
    return str(refused.value)


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("segm", ["'segm'", "pycocotools' default", "iouType='bbox'", "masks"]),
        ("keypoints", ["'keypoints'", "iouType='bbox'", "use pycocotools"]),
        (None, ["None", "iouType='bbox'"]),
        ("boundary", ["'boundary'", "iouType='bbox'"]),
    ],
)
def test_q44_other_types_than_boxes(kind: Any, named: list[str]) -> None:
    for call in (lambda: COCOeval(None, None, kind), lambda: Params(kind)):
        assert all(name in message_of(call) for name in named)
    later = evaluation()
    later.params.iouType = kind
    assert all(name in message_of(later.evaluate) for name in named)


def test_the_default_type_is_refused_like_pycocotools_default_would_be() -> None:
    assert "iouType='bbox'" in message_of(lambda: COCOeval(COCO(PLAIN), COCO(PLAIN)))


@pytest.mark.parametrize("value", [0, 1])
def test_q44_use_segm(value: int) -> None:
    made = evaluation()
    made.params.useSegm = value
    assert "useSegm" in message_of(made.evaluate)
    assert "iouType='bbox'" in message_of(made.evaluate)


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("maxDets", [], "[]"),
        ("maxDets", [10, 0], "0"),
        ("maxDets", [1.5], "1.5"),
        ("maxDets", ["100"], "'100'"),
        ("maxDets", 100, "is 100; it must be a list"),
        ("iouThrs", [], "[]"),
        ("iouThrs", [0.5, "0.75"], "[1] is '0.75'"),
        ("iouThrs", [float("nan")], "[0] is nan"),
        ("recThrs", np.array([]), "not empty"),
        ("recThrs", [None], "[0] is None"),
        ("areaRng", [], "[]"),
        ("areaRng", [[0, 1, 2]], "[0, 1, 2]"),
        ("areaRng", [0, 1e5], "holds 0"),
        ("areaRng", [["a", "b"]], "['a', 'b']"),
        ("imgIds", [None], "None is no id"),
        ("catIds", [1.5], "1.5 is no id"),
    ],
)
def test_parameters(field: str, value: Any, shown: str) -> None:
    made = evaluation()
    setattr(made.params, field, value)
    message = message_of(made.evaluate)
    assert f"params.{field}" in message
    assert shown in message


def test_policies_that_mean_nothing_here() -> None:
    assert "boxes='xyxy' is not read here" in message_of(lambda: evaluation(boxes="xyxy"))


def test_the_order_of_the_steps() -> None:
    made = evaluation()
    assert "run evaluate() first" in message_of(made.accumulate)
    assert "run accumulate() first" in message_of(made.summarize)
    assert made.evalImgs == []
    assert made.ious == {}
    assert "run evaluate() first" in message_of(lambda: made.evaluateImg(1, 5, [0, 1e10], 100))


def test_objects_that_are_none() -> None:
    assert "cocoGt: none was given" in message_of(COCOeval(iouType="bbox").evaluate)
    made = evaluation()
    made.cocoDt = 3
    assert "cocoDt: int is no COCO object" in message_of(made.evaluate)


@pytest.mark.parametrize(
    ("row", "named"),
    [
        (box(1, 5, 0, 0, 4, 4), ["cocoDt annotation 1 of image 1", "score is missing"]),
        (box(1, 5, 0, 0, 4, 4, score="0.5"), ["score is '0.5'", "a number"]),
        (box(1, 5, 0, 0, 4, 4, score=None), ["score is None"]),
        (box(1, 5, 0, 0, 4, 4, score=float("nan")), ["cocoDt annotation 1 of image 1", "NaN", "non_finite='drop'"]),
        (box(1, 5, 0, 0, float("inf"), 4, score=0.5), ["Infinity", "Reading"]),
    ],
)
def test_detections(row: Row, named: list[str]) -> None:
    message = message_of(evaluation([row]).evaluate)
    assert all(name in message for name in named), message


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"bbox": None}, ["cocoGt annotation 7 of image 1", "bbox is None", "four numbers"]),
        ({"bbox": [0, 0, "4", 4]}, ["bbox is [0, 0, '4', 4]"]),
        ({"bbox": [0, 0, 4]}, ["bbox is [0, 0, 4]"]),
        ({"area": "large"}, ["area is 'large'"]),
        ({"category_id": [5]}, ["category_id is [5]"]),
        ({"bbox": [0, 0, 10**400, 4]}, ["bbox"]),
    ],
)
def test_annotations(change: Row, named: list[str]) -> None:
    truth = truth_of([], [1], [5])
    truth["annotations"] = [box(1, 5, 0, 0, 4, 4, id=7, area=16, iscrowd=0) | change]
    made = COCOeval(COCO(PLAIN), COCO(PLAIN).loadRes([]), "bbox")
    made.cocoGt = type("Truth", (), {"dataset": truth})()
    message = message_of(made.evaluate)
    assert all(name in message for name in named), message


def test_q63_rows_that_are_dropped_on_request_are_counted() -> None:
    rows = [box(1, 5, 0, 0, 40, 40, score=0.5), box(2, 5, 0, 0, 40, 40, score=float("nan"))]
    made = evaluation(rows, non_finite="drop")
    made.evaluate()
    made.accumulate()
    assert [note.code for note in made.notes] == ["non-finite"]
    assert made.eval["recall"].max() == 0.5
    assert made.evalImgs[1]["dtIds"] == []


def test_q62_rows_that_nothing_claims_are_counted() -> None:
    truth = COCO(PLAIN)
    found = COCO()
    found.dataset = {
        "annotations": [
            box(1, 9, 0, 0, 40, 40, score=0.5, id=1),
            box(4, 5, 0, 0, 40, 40, score=0.7, id=2),
            box(4, 5, 0, 0, 40, 40, score=0.6, id=3),
        ]
    }
    found.createIndex()
    made = COCOeval(truth, found, "bbox")
    made.evaluate()
    notes = {note.code: note for note in made.notes}
    assert (notes["unknown-image"].count, notes["unknown-label"].count) == (2, 1)
    assert "image_id 4" in notes["unknown-image"].message
    assert "category_id 9" in notes["unknown-label"].message


def test_a_part_that_was_left_out_on_purpose_is_no_note() -> None:
    made = evaluation()
    made.params.imgIds, made.params.catIds = [2], [6]
    made.evaluate()
    assert made.notes == []


def test_entries_of_another_number_or_form() -> None:
    made = evaluation()
    made.evaluate()
    entries = made.evalImgs
    made.evalImgs = entries[:-1]
    assert "evalImgs has 15 entries; 2 categories, 4 area ranges and 2 images need 16" in message_of(made.accumulate)
    made.evalImgs = [None if entry is None else {**entry, "dtMatches": entry["dtMatches"][:3]} for entry in entries]
    assert "dtMatches" in message_of(made.accumulate)


def test_one_entry_that_was_not_evaluated() -> None:
    made = evaluation()
    made.evaluate()
    assert "params.maxDets" in message_of(lambda: made.evaluateImg(1, 5, [0, 1e10], 10))
    assert "params.areaRng" in message_of(lambda: made.evaluateImg(1, 5, [0, 7], 100))
    assert made.evaluateImg(1, 6, [0, 1e10], 100) is None


def test_q64_nothing_is_printed_but_the_table() -> None:
    made = evaluation()
    assert silent(made.evaluate) == silent(made.accumulate) == ""
    assert len(silent(made.summarize).splitlines()) == 12
    assert str(made) + "\n" == silent(made.summarize)
    assert "COCOeval" in str(evaluation())
