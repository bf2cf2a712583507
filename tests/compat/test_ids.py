"""Ids, flags and areas that pycocotools stumbles over, and data sets in which something is empty."""

import copy
from typing import Any

import numpy as np
import pytest

from boxscore.compat import COCO, COCOeval
from tests.compat.both import Changes, Row, box, ours, same_arrays, same_entries, silent, theirs, truth_of
from tests.strategies import CocoData
from tests.test_pycocotools_agreement import seeded


@pytest.fixture(scope="module")
def data() -> CocoData:
    return seeded(images=8, objects=90, detections=300)


def figures(data: CocoData, changes: Changes | None = None) -> list[float]:
    made = ours(data, changes)
    silent(made.summarize)
    return list(made.stats)


def perfect(ids: list[Any], images: list[Any] | None = None, categories: list[Any] | None = None) -> CocoData:
    """As many objects as ids, each found exactly."""
    images, categories = images or [1, 2], categories or [5]
    rows = [
        box(images[place % len(images)], categories[place % len(categories)], 50.0 * place, 0, 40, 40)
        for place in range(len(ids))
    ]
    stated: list[Row] = [row if i is None else {**row, "id": i} for row, i in zip(rows, ids, strict=True)]
    return CocoData(truth_of(stated, images, categories), [{**row, "score": 0.5} for row in rows])


@pytest.mark.parametrize(
    ("ids", "shown"),
    [
        ([0, 1, 2], [np.inf, 1, 2]),
        ([-4, 1, 2], [-4, 1, 2]),
        (["a", "", "7"], [np.inf, np.inf, np.inf]),
        ([0, "0", 3], [np.inf, np.inf, 3]),
        ([None, None, 3], [np.inf, np.inf, 3]),
    ],
)
def test_q57_annotation_ids_that_floats_do_not_show(ids: list[Any], shown: list[float]) -> None:
    made = ours(perfect(ids))
    silent(made.summarize)
    assert made.stats[0] == pytest.approx(1, abs=1e-12)
    entries = [entry for entry in made.evalImgs[:2] if entry is not None]
    seen = {i: value for entry in entries for i, value in zip(entry["gtIds"], entry["dtMatches"][0], strict=True)}
    assert seen == dict(zip(ids, shown, strict=True))
    assert all((entry["dtMatches"] != 0).all() for entry in entries)
    made.accumulate()
    silent(made.summarize)
    assert made.stats[0] == pytest.approx(1, abs=1e-12), "also when summed up from the entries"


def test_text_ids_of_images_and_categories() -> None:
    # Mixed with integers pycocotools can't sort them.
    data = perfect(["a", "b", "c"], images=["street", 3], categories=["car", 7])
    made = ours(data)
    assert made.params.imgIds == [3, "street"]
    assert made.params.catIds == [7, "car"]
    silent(made.summarize)
    assert made.stats[0] == pytest.approx(1, abs=1e-12)
    assert {(entry["image_id"], entry["category_id"]) for entry in made.evalImgs if entry} == {
        (3, 7),
        ("street", "car"),
    }


def test_repeated_annotation_ids() -> None:
    data = perfect([4, 4, 4])
    assert figures(data)[0] == pytest.approx(1, abs=1e-12)
    other = theirs(data)
    silent(other.summarize)
    assert other.stats[0] < 0.9


@pytest.mark.parametrize("first", [0, -5])
def test_q58_detection_ids_that_are_not_positive(first: int) -> None:
    # In pycocotools a ground truth stays free when the id of the detection that took it isn't above 0.
    data = perfect([1])
    truth = COCO(data.ground_truth)
    found = COCO()
    row = box(1, 5, 0, 0, 40, 40, area=1600)
    found.dataset = {"annotations": [{**row, "id": first, "score": 0.9}, {**row, "id": first + 1, "score": 0.8}]}
    found.createIndex()
    evaluation = COCOeval(truth, found, "bbox")
    evaluation.evaluate()
    entry = evaluation.evalImgs[0]
    assert (entry["dtMatches"] > 0).tolist() == [[True, False]] * 10
    assert (entry["gtMatches"] == (np.inf if first == 0 else first)).all()


def test_missing_crowd_flags_and_areas() -> None:
    data = perfect([1, 2])
    bare = copy.deepcopy(data.ground_truth)
    for row in bare["annotations"]:
        del row["iscrowd"], row["area"]
    made, whole = ours(CocoData(bare, data.results)), theirs(data)
    same_arrays(made, whole)
    same_entries(made, whole)
    assert [note.code for note in made.notes if note.code == "area-missing"] == ["area-missing"]


def test_no_detections(data: CocoData) -> None:
    empty = CocoData(data.ground_truth, [])
    made = ours(empty)
    same_arrays(made, theirs(empty))
    silent(made.summarize)
    assert (made.stats == 0).all()


def test_an_empty_object_of_detections(data: CocoData) -> None:
    made = COCOeval(COCO(data.ground_truth), COCO(), "bbox")
    made.evaluate()
    made.accumulate()
    same_arrays(made, theirs(CocoData(data.ground_truth, [])))


@pytest.mark.parametrize("field", ["imgIds", "catIds"])
def test_nothing_to_evaluate(field: str, data: CocoData) -> None:
    made = ours(data, {field: []})
    silent(made.summarize)
    assert (made.stats == -1).all()
    assert made.evalImgs == []
    made.accumulate()
    assert made.eval["recall"].size == 0 or (made.eval["recall"] == -1).all()


def test_image_ids_of_both_signs_and_64_bits() -> None:
    images = [-1, 2**63 + 1, 2**63 + 2]
    assert figures(perfect([1, 2, 3], images=images))[0] == pytest.approx(1, abs=1e-12)
