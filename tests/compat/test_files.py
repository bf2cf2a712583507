"""Files whose dicts are made only when somebody looks at them, and files of which they are made at once."""

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore.compat import COCO, COCOeval
from boxscore.errors import InputError
from tests.compat.both import Row, box, prepared, same_arrays, theirs, truth_of
from tests.strategies import CocoData
from tests.test_pycocotools_agreement import seeded


@pytest.fixture(scope="module")
def data() -> CocoData:
    return seeded(images=6, objects=50, detections=150)


@pytest.fixture
def paths(data: CocoData, tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path, data.ground_truth, data.results)


def written(folder: Path, truth: Any, results: Any) -> tuple[Path, Path]:
    made = folder / "gt.json", folder / "dt.json"
    for path, content in zip(made, (truth, results), strict=True):
        path.write_text(json.dumps(content))
    return made


def test_dicts_are_those_of_the_file_when_it_was_read(paths: tuple[Path, Path], data: CocoData) -> None:
    truth = COCO(paths[0])
    found = truth.loadRes(paths[1])
    paths[0].write_text("{}")
    paths[1].unlink()
    assert found.anns == COCO(data.ground_truth).loadRes(data.results).anns
    assert truth.dataset == data.ground_truth


@pytest.mark.parametrize("name", ["dataset", "anns", "imgs", "cats", "imgToAnns", "catToImgs"])
def test_every_attribute_makes_the_dicts(name: str, paths: tuple[Path, Path], data: CocoData) -> None:
    truth = COCO(paths[0])
    assert name not in truth.__dict__
    assert getattr(truth, name) == getattr(COCO(data.ground_truth), name)
    assert set(truth.__dict__) >= {"dataset", "anns", "imgToAnns"}


def test_what_is_changed_is_what_is_evaluated(paths: tuple[Path, Path], data: CocoData) -> None:
    truth = COCO(paths[0])
    found = truth.loadRes(paths[1])
    for ann in found.anns.values():
        ann["score"] = 1 - ann["score"]
    turned = [{**row, "score": 1 - row["score"]} for row in data.results]
    same_arrays(prepared(COCOeval(truth, found, "bbox"), {}), theirs(CocoData(data.ground_truth, turned)))


def test_a_data_set_put_in_its_place(paths: tuple[Path, Path], data: CocoData) -> None:
    truth = COCO(paths[0])
    fewer = {**data.ground_truth, "annotations": data.ground_truth["annotations"][:20]}
    truth.dataset = fewer
    truth.createIndex()
    made = prepared(COCOeval(truth, truth.loadRes(paths[1]), "bbox"), {})
    same_arrays(made, theirs(CocoData(fewer, data.results)))


def test_copies_and_pickles(paths: tuple[Path, Path], data: CocoData) -> None:
    makers: list[Callable[[Any], Any]] = [copy.deepcopy, lambda coco: pickle.loads(pickle.dumps(coco))]
    for make in makers:
        truth = make(COCO(paths[0]))
        made = COCOeval(truth, make(truth.loadRes(paths[1])), "bbox")
        same_arrays(prepared(make(made), {}), theirs(data))


def test_one_file_and_one_list(paths: tuple[Path, Path], data: CocoData) -> None:
    truth = COCO(paths[0])
    same_arrays(prepared(COCOeval(truth, truth.loadRes(data.results), "bbox"), {}), theirs(data))
    other = COCO(data.ground_truth)
    same_arrays(prepared(COCOeval(other, other.loadRes(paths[1]), "bbox"), {}), theirs(data))


def test_detections_as_ground_truth(paths: tuple[Path, Path]) -> None:
    truth = COCO(paths[0])
    found = truth.loadRes(paths[1])
    made = COCOeval(found, truth.loadRes(paths[1]), "bbox")
    made.evaluate()
    made.accumulate()
    made.summarize()
    assert made.stats[1] > 0.99


PLAIN = box(1, 5, 0, 0, 40, 40)


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"annotations": [{**PLAIN, "id": 1}]}, {"area-missing"}),
        ({"annotations": [{**PLAIN, "id": 1, "area": 1600, "category_id": 9}]}, {"unknown-label"}),
        ({"annotations": [{**PLAIN, "id": 1, "area": 1600, "image_id": 9}]}, {"unknown-image"}),
        ({"annotations": [{**PLAIN, "id": "a", "area": 1600}]}, set()),
        ({"images": [{"id": 1, "width": 1}, {"id": 1, "width": 2}]}, set()),
    ],
)
def test_oddities_are_told_as_of_dicts(change: Row, codes: set[str], tmp_path: Path) -> None:
    content = {**truth_of([{**PLAIN, "id": 1}], [1], [5]), **change}
    paths = written(tmp_path, content, [{**PLAIN, "score": 0.5}])
    truth = COCO(paths[0])
    from_files = COCOeval(truth, truth.loadRes(paths[1]), "bbox")
    from_files.evaluate()
    other = COCO(content)
    from_dicts = COCOeval(other, other.loadRes([{**PLAIN, "score": 0.5}]), "bbox")
    from_dicts.evaluate()
    assert [note.to_dict() for note in from_files.notes] == [note.to_dict() for note in from_dicts.notes]
    assert {note.code for note in from_files.notes} == codes


@pytest.mark.parametrize(
    ("results", "named"),
    [
        ([{**PLAIN, "image_id": 9, "score": 1}], "image_id 9"),
        ([{**PLAIN, "image_id": "1", "score": 1}], "image_id '1'"),
        ([{"image_id": 1, "category_name": "label 5", "bbox": [0, 0, 1, 1], "score": 1}], "category_id is missing"),
        ([{"image_id": 1, "category_id": 5, "segmentation": {}, "score": 1}], "use pycocotools"),
        ({"annotations": []}, "list"),
    ],
)
def test_results_that_are_refused(results: Any, named: str, tmp_path: Path) -> None:
    paths = written(tmp_path, truth_of([{**PLAIN, "id": 1}], [1], [5]), results)
    with pytest.raises(InputError, match=named):
        COCO(paths[0]).loadRes(paths[1])


def test_numbers_that_are_not_finite(tmp_path: Path) -> None:
    paths = written(tmp_path, truth_of([{**PLAIN, "id": 1}], [1], [5]), [{**PLAIN, "score": float("nan")}])
    truth = COCO(paths[0])
    with pytest.raises(InputError, match="annotation 1 of image 1"):
        COCOeval(truth, truth.loadRes(paths[1]), "bbox").evaluate()
