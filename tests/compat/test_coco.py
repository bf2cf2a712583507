"""The index and the look-ups of `COCO`, beside pycocotools' own."""

import copy
import gzip
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.compat import COCO
from boxscore.errors import InputError
from tests.compat.both import box, silent, truth_of
from tests.strategies import CocoData, coco_data
from tests.support import reference


def theirs(data: CocoData) -> Any:
    with redirect_stdout(io.StringIO()):
        return reference.load(data.ground_truth)


@given(coco_data(), st.data())
def test_look_ups(data: CocoData, draw: st.DataObject) -> None:
    mine, other = COCO(data.ground_truth), theirs(data)
    images = draw.draw(st.one_of(st.sampled_from(data.image_ids), st.lists(st.sampled_from(data.image_ids))))
    labels = draw.draw(st.one_of(st.sampled_from(data.labels), st.lists(st.sampled_from(data.labels))))
    area = draw.draw(st.sampled_from(([], [0, 1024], [64, 1e5])))
    crowd = draw.draw(st.sampled_from((None, 0, 1, True)))
    # First of all: pycocotools' look-ups leave empty entries in its index.
    for name in ("anns", "imgs", "cats", "imgToAnns", "catToImgs"):
        assert getattr(mine, name) == getattr(other, name)
    for call in (
        lambda coco: coco.getAnnIds(images, labels, area, crowd),
        lambda coco: coco.getAnnIds(imgIds=images),
        lambda coco: coco.getAnnIds(catIds=labels, iscrowd=crowd),
        lambda coco: coco.getCatIds(catIds=labels),
        lambda coco: coco.getCatIds(catNms=[f"label {data.labels[0]}"]),
        lambda coco: sorted(coco.getImgIds(images, labels)),
        lambda coco: sorted(coco.getImgIds(catIds=labels)),
        lambda coco: coco.getImgIds(),
        lambda coco: coco.loadAnns(coco.getAnnIds(images)),
        lambda coco: coco.loadImgs(images),
        lambda coco: coco.loadCats(labels),
    ):
        assert call(mine) == call(other)


@given(coco_data())
def test_results(data: CocoData) -> None:
    if not data.results:
        assert COCO(data.ground_truth).loadRes([]).anns == {}
        return
    before = copy.deepcopy((data.ground_truth, data.results))
    mine = COCO(data.ground_truth).loadRes(data.results)
    assert before == (data.ground_truth, data.results), "what was given is not changed (Q41)"
    with redirect_stdout(io.StringIO()):
        other = theirs(data).loadRes(copy.deepcopy(data.results))
    for ann in other.anns.values():
        del ann["segmentation"]  # Not made here: nothing reads it
    assert mine.dataset == other.dataset
    assert mine.anns == other.anns
    assert (mine.imgToAnns, mine.catToImgs) == (other.imgToAnns, other.catToImgs)


def test_an_array_of_seven_columns() -> None:
    truth = COCO(truth_of([], [1, 2], [5]))
    rows = np.array([[2, 1.5, 2, 30, 40, 0.5, 5], [1, 0, 0, 10, 10, 0.25, 5]])
    found = truth.loadRes(rows)
    assert found.anns[1] == box(2, 5, 1.5, 2, 30, 40, score=0.5, area=1200.0, id=1, iscrowd=0)
    assert isinstance(found.anns[2]["image_id"], int)


def test_files(tmp_path: Path) -> None:
    content = truth_of([box(1, 5, 0, 0, 10, 10, id=1)], [1], [5])
    (tmp_path / "gt.json").write_text(json.dumps(content))
    (tmp_path / "gt.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))
    (tmp_path / "dt.json").write_text(json.dumps([box(1, 5, 0, 0, 10, 10, score=1)]))
    truth = COCO(tmp_path / "gt.json")
    assert truth.dataset == COCO(str(tmp_path / "gt.json.gz")).dataset == content
    assert truth.loadRes(str(tmp_path / "dt.json")).anns[1]["area"] == 100


def test_info_prints_what_the_file_says_of_itself() -> None:
    content = {"info": {"year": 2017, "version": "1.0"}, **truth_of([], [1], [5])}
    assert silent(COCO(content).info) == "year: 2017\nversion: 1.0\n"
    assert silent(COCO({}).info) == ""


def test_q60_ids_of_any_kind_are_looked_up() -> None:
    truth = COCO(
        truth_of([box("street", "car", 0, 0, 10, 10, id="a"), box(7, "car", 0, 0, 9, 9)], ["street", 7], ["car"])
    )
    assert truth.getAnnIds("street", "car") == ["a"]
    assert truth.loadAnns("a") == truth.loadAnns(["a"]) == truth.imgToAnns["street"]
    assert truth.loadImgs(np.int64(7)) == [{"id": 7}]
    assert len(truth.imgToAnns[7]) == 1, "an annotation without an id is found by its image"


def test_a_missing_area_is_that_of_the_box() -> None:
    truth = COCO({"images": [{"id": 1}], "annotations": [box(1, 5, 0, 0, 10, 10, id=3)], "categories": [{"id": 5}]})
    assert truth.getAnnIds(areaRng=[99, 101], iscrowd=0) == [3]
    assert COCO().getAnnIds() == COCO().getImgIds() == COCO().getCatIds() == []


@pytest.mark.parametrize(
    ("results", "named"),
    [
        ([box(3, 5, 0, 0, 1, 1, score=1)], ["results[0]", "image_id 3", "1 detection"]),
        ([box("1", 5, 0, 0, 1, 1, score=1)], ["'1'", "write ids alike"]),
        ([box(1, 5, 0, 0, 1, score=1)], ["results[0]", "bbox [0, 0, 1]", "four numbers"]),
        ([{"image_id": 1, "category_id": 5, "segmentation": {}, "score": 1}], ["segmentation", "pycocotools"]),
        ([{"image_id": 1, "caption": "a cat"}], ["caption", "pycocotools"]),
        ([{"image_id": 1, "bbox": [0, 0, 1, 1], "score": 1}], ["category_id is missing"]),
        ([[1, 0, 0, 1, 1, 1, 5]], ["results[0]", "dict"]),
        ({"annotations": []}, ["dict", "give a path, a list"]),
        (np.zeros((2, 6)), ["(2, 6)", "(n, 7)"]),
        (np.full((1, 7), np.nan), ["ids"]),
        ("nowhere.json", ["nowhere.json", "no such file"]),
    ],
)
def test_q61_results_that_are_refused(results: Any, named: list[str]) -> None:
    truth = COCO(truth_of([], [1], [5]))
    with pytest.raises(InputError) as refused:
        truth.loadRes(results)
    assert all(name in str(refused.value) for name in named), refused.value


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("[]", ["gt.json", "list", "loadRes"]),
        ("{", ["gt.json", "not JSON"]),
        ('{"annotations": [{"id": 1}]}', ["annotations[0]", "image_id is missing"]),
        ('{"images": [{"file_name": "a.jpg"}]}', ["images[0]", "id is missing", "file_name"]),
    ],
)
def test_files_that_are_refused(content: str, named: list[str], tmp_path: Path) -> None:
    (tmp_path / "gt.json").write_text(content)
    with pytest.raises(InputError) as refused:
        COCO(tmp_path / "gt.json")
    assert all(name in str(refused.value) for name in named), refused.value


@pytest.mark.parametrize("name", ["annToMask", "annToRLE", "showAnns", "download"])
def test_what_is_not_here_is_said_by_name(name: str) -> None:
    with pytest.raises(AttributeError, match=f"{name}.*use pycocotools"):
        getattr(COCO(), name)
