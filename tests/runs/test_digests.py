"""The two digests: equal where runs may meet, different where anything that decides a figure is."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore
from boxscore.runs import digests
from tests.runs import samples
from tests.strategies import CocoData, Shape, coco_data
from tests.support.arrays import as_arrays, label_names

Change = Callable[[dict[str, Any]], object]


def identity(ground_truth: dict[str, Any], **options: Any) -> str:
    found = boxscore.evaluate(ground_truth, [], **options).data_identity
    assert found is not None
    return found


def compatibility(run: boxscore.Run) -> str:
    return digests.compatibility(run.protocol, run.labels, label_agnostic=run.label_agnostic)


def renumber(ground_truth: dict[str, Any]) -> None:
    for row in ground_truth["annotations"]:
        row["category_id"] *= 10
    for category in ground_truth["categories"]:
        category["id"] *= 10


SAME: dict[str, Change] = {
    "order of images": lambda gt: gt["images"].reverse(),
    "order of objects of different images": lambda gt: gt["annotations"].sort(key=lambda row: str(row["image_id"])),
    "order of categories": lambda gt: gt["categories"].reverse(),
    "annotation ids": lambda gt: [row.update(id=row["id"] + 100) for row in gt["annotations"]],
    "category ids in the same order": renumber,
    "file names": lambda gt: gt["images"][0].update(file_name="other.jpg"),
    "a whole float as id": lambda gt: gt["images"][0].update(id=12.0),
    "an image listed twice": lambda gt: gt["images"].append(dict(gt["images"][0])),
}
OTHER: dict[str, Change] = {
    "a box": lambda gt: gt["annotations"][0]["bbox"].__setitem__(0, 10.000000000000002),
    "an area": lambda gt: gt["annotations"][0].update(area=1999.0),
    "a crowd flag": lambda gt: gt["annotations"][3].update(iscrowd=0),
    "an ignore flag": lambda gt: gt["annotations"][3].update(ignore=1),
    "a label": lambda gt: gt["annotations"][0].update(category_id=2),
    "a label's name": lambda gt: gt["categories"][0].update(name="lorry"),
    "one object less": lambda gt: gt["annotations"].pop(),
    "one empty image more": lambda gt: gt["images"].append({"id": 41}),
    "an image's id": lambda gt: gt["images"][3].update(id=41),
    "an image id as text": lambda gt: gt["images"][3].update(id="40"),
    "order of objects that may tie": lambda gt: gt["annotations"].__setitem__(slice(0, 2), gt["annotations"][1::-1]),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_data_identity_stays(change: Change) -> None:
    changed = samples.ground_truth()
    change(changed)
    assert identity(changed) == identity(samples.ground_truth())


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_data_identity_changes(change: Change) -> None:
    changed = samples.ground_truth()
    change(changed)
    assert changed != samples.ground_truth()
    assert identity(changed) != identity(samples.ground_truth())


def test_detections_take_no_part_in_data_identity() -> None:
    assert samples.run().data_identity == identity(samples.ground_truth())


@settings(max_examples=30)
@given(data=coco_data(Shape(degenerate=True)), random=st.randoms(use_true_random=False), threads=st.integers(1, 4))
def test_data_identity_whatever_the_threads_and_the_order_of_images(data: CocoData, random: Any, threads: int) -> None:
    shuffled = copy.deepcopy(data.ground_truth)
    random.shuffle(shuffled["images"])
    runs = [
        boxscore.evaluate(data.ground_truth, data.results, threads=1),
        boxscore.evaluate(shuffled, data.results, threads=threads),
    ]
    assert runs[0].data_identity == runs[1].data_identity
    assert compatibility(runs[0]) == compatibility(runs[1])


@settings(max_examples=30)
@given(data=coco_data(Shape(grid_only=True)), agnostic=st.booleans())
def test_data_identity_of_files_arrays_and_streams_is_one(data: CocoData, agnostic: bool) -> None:
    ground_truth = copy.deepcopy(data.ground_truth)
    for row in ground_truth["annotations"]:
        row["ignore"] = 0  # arrays have no such field
    targets, predictions = as_arrays(data, "xywh", list)
    evaluator = boxscore.Evaluator(label_names(data), box_format="xywh", label_agnostic=agnostic)
    for image, target, prediction in zip(data.image_ids, targets, predictions, strict=True):
        evaluator.update([prediction], [target], image_ids=[image])
    assert evaluator.result().data_identity == identity(ground_truth, label_agnostic=agnostic)


def test_compatibility_is_of_what_decides_a_figure() -> None:
    plain = compatibility(samples.run())
    assert compatibility(samples.run(threads=2)) == plain
    assert compatibility(samples.streamed()) == plain
    same = samples.run().protocol.override(iou_thresholds=samples.run().protocol.iou_thresholds)
    assert digests.compatibility(same, samples.run().labels, label_agnostic=False) == plain
    others = [
        samples.run(iou=0.5),
        samples.run(max_detections=[1, 10, 200]),
        samples.run(label_agnostic=True),
        samples.run(labels=["car"], reading=boxscore.Reading(unknown_labels="drop")),
        samples.run(reading=boxscore.Reading(area="box")),
    ]
    assert len({plain, *map(compatibility, others)}) == len(others) + 1
