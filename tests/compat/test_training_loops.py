"""The ways in which training code calls the class: by batches and merged, step by step, one table a category."""

import copy
import io
import json
import pickle
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pycocotools import coco as reference_coco
from pycocotools import cocoeval as reference

from boxscore.compat import COCO, COCOeval
from tests.compat.both import same_arrays, silent, theirs
from tests.strategies import CocoData
from tests.test_pycocotools_agreement import seeded

Classes = tuple[Any, Any]
OURS: Classes = (COCO, COCOeval)
THEIRS: Classes = (reference_coco.COCO, reference.COCOeval)


@pytest.fixture(scope="module")
def data() -> CocoData:
    """Twelve images, one of them with neither objects nor detections."""
    made = seeded(images=12, objects=120, detections=500)
    made.ground_truth["images"].append({"id": 40})
    return made


def made_by_hand(coco_class: Any, ground_truth: dict[str, Any]) -> Any:
    """A data set filled in by hand, as conversions from other formats do."""
    made = coco_class()
    made.dataset = copy.deepcopy(ground_truth)
    made.createIndex()
    return made


class BatchEvaluator:
    """Evaluates a few images at a time and sums up in the end, with what several processes found put together."""

    def __init__(self, classes: Classes, ground_truth: dict[str, Any]) -> None:
        self.coco_class, eval_class = classes
        self.truth = made_by_hand(self.coco_class, ground_truth)
        self.evaluation = eval_class(self.truth, iouType="bbox")
        self.images: list[int] = []
        self.entries: list[Any] = []

    def update(self, images: list[int], rows: list[dict[str, Any]]) -> None:
        """One batch."""
        images = np.unique(images).tolist()
        with redirect_stdout(io.StringIO()):
            found = self.truth.loadRes(copy.deepcopy(rows)) if rows else self.coco_class()
            self.evaluation.cocoDt = found
            self.evaluation.params.imgIds = list(images)
            self.entries.append(self.evaluate())
        self.images.extend(images)

    def evaluate(self) -> Any:
        """Entries of a batch by category, area range, image."""
        self.evaluation.evaluate()
        params = self.evaluation.params
        shape = (-1, len(params.areaRng), len(params.imgIds))
        return np.asarray(self.evaluation.evalImgs, dtype=object).reshape(shape)

    def finish(self, others: "list[BatchEvaluator]") -> Any:
        """Everything that this and other processes saw, each image once."""
        sent = [pickle.loads(pickle.dumps((part.images, part.entries))) for part in others]
        images = np.array([image for ids, _ in [(self.images, None), *sent] for image in ids])
        entries = np.concatenate([*self.entries, *(batch for _, batches in sent for batch in batches)], axis=2)
        images, first = np.unique(images, return_index=True)
        self.evaluation.evalImgs = list(entries[..., first].flatten())
        self.evaluation.params.imgIds = list(images)
        self.evaluation._paramsEval = copy.deepcopy(self.evaluation.params)
        silent(self.evaluation.accumulate)
        return self.evaluation


class StepEvaluator(BatchEvaluator):
    """The same, taking the steps of `evaluate` itself, as older loops do."""

    def evaluate(self) -> Any:
        evaluation = self.evaluation
        params = evaluation.params
        params.imgIds = list(np.unique(params.imgIds))
        params.catIds = list(np.unique(params.catIds))
        params.maxDets = sorted(params.maxDets)
        evaluation._prepare()
        places = [(image, label) for image in params.imgIds for label in params.catIds]
        evaluation.ious = {place: evaluation.computeIoU(*place) for place in places}
        entries = [
            evaluation.evaluateImg(image, label, area, params.maxDets[-1])
            for label in params.catIds
            for area in params.areaRng
            for image in params.imgIds
        ]
        evaluation._paramsEval = copy.deepcopy(params)
        sizes = len(params.catIds), len(params.areaRng), len(params.imgIds)
        return np.asarray(entries, dtype=object).reshape(sizes)


@pytest.mark.parametrize("kind", [BatchEvaluator, StepEvaluator])
@pytest.mark.parametrize("classes", [OURS, (reference_coco.COCO, COCOeval)], ids=["both classes", "COCOeval alone"])
def test_batches_of_two_processes(kind: type[BatchEvaluator], classes: Classes, data: CocoData) -> None:
    finished = []
    for used in (classes, THEIRS):
        # An image that a distributed sampler gave to both processes, and one batch without a detection.
        processes = [kind(used, data.ground_truth), kind(used, data.ground_truth)]
        for process, batch in ((0, [3, 1]), (1, [2, 4, 5]), (0, [8, 6, 7]), (1, [1, 9, 10, 11, 12]), (1, [40])):
            processes[process].update(batch, [row for row in data.results if row["image_id"] in batch])
        finished.append(processes[0].finish(processes[1:]))
    mine, other = finished
    assert silent(mine.summarize) == silent(other.summarize)
    assert mine.stats.tobytes() == other.stats.tobytes()
    same_arrays(mine, other)
    same_arrays(mine, theirs(data))


def test_a_table_by_category_after_a_whole_epoch(data: CocoData, tmp_path: Path) -> None:
    path = tmp_path / "coco_instances_results.json"
    path.write_text(json.dumps(data.results))
    tables = []
    for coco_class, eval_class in (OURS, THEIRS):
        with redirect_stdout(io.StringIO()):
            truth = made_by_hand(coco_class, data.ground_truth)
            found = truth.loadRes(str(path))
            evaluation = eval_class(truth, found, "bbox")
            evaluation.params.maxDets = [1, 10, 100]
            evaluation.evaluate()
            evaluation.accumulate()
        printed = io.StringIO()
        with redirect_stdout(printed):
            evaluation.summarize()
        names = ["AP", "AP50", "AP75", "APs", "APm", "APl"]
        figures = {name: float(value * 100) for name, value in zip(names, evaluation.stats, strict=False)}
        precisions = evaluation.eval["precision"]
        assert precisions.shape[2] == len(truth.getCatIds())
        for place, label in enumerate(truth.getCatIds()):
            precision = precisions[:, :, place, 0, -1]
            precision = precision[precision > -1]
            name = truth.loadCats(label)[0]["name"]
            figures[f"AP-{name}"] = float(np.mean(precision) * 100) if precision.size else float("nan")
        tables.append((figures, printed.getvalue()))
    assert tables[0] == tables[1]


class Subclass(COCOeval):
    """Projects derive from the class to print a table of their own."""

    def summarize(self) -> None:
        super().summarize()
        print(f"AP50: {self.stats[1]:.3f}")  # noqa: T201  as such projects do


def test_subclasses_copies_and_pickles(data: CocoData) -> None:
    truth = COCO(data.ground_truth)
    evaluation = Subclass(truth, truth.loadRes(data.results), "bbox")
    evaluation.evaluate()
    other = theirs(data)
    for made in (evaluation, copy.deepcopy(evaluation), pickle.loads(pickle.dumps(evaluation))):
        made.accumulate()
        same_arrays(made, other)
        assert silent(made.summarize).splitlines()[-1] == f"AP50: {made.stats[1]:.3f}"
        assert len(made.evalImgs) == len(other.evalImgs)


def test_params_of_pycocotools(data: CocoData) -> None:
    truth = COCO(data.ground_truth)
    evaluation = COCOeval(truth, truth.loadRes(data.results), "bbox")
    images, labels = evaluation.params.imgIds, evaluation.params.catIds
    evaluation.params = reference.Params(iouType="bbox")
    evaluation.params.imgIds, evaluation.params.catIds = images, labels
    evaluation.evaluate()
    evaluation.accumulate()
    same_arrays(evaluation, theirs(data))


@pytest.mark.parametrize("kept", [("dataset",), ("anns",), ("dataset", "anns", "imgToAnns")])
def test_objects_of_other_classes(kept: tuple[str, ...], data: CocoData) -> None:
    class Other:
        """Has some of the attributes of a COCO object."""

    truth = COCO(data.ground_truth)
    objects = []
    for coco in (truth, truth.loadRes(data.results)):
        other = Other()
        for name in kept:
            setattr(other, name, getattr(coco, name))
        objects.append(other)
    evaluation = COCOeval(None, objects[1], "bbox")
    evaluation.cocoGt = objects[0]
    evaluation.params.imgIds, evaluation.params.catIds = truth.getImgIds(), truth.getCatIds()
    evaluation.evaluate()
    evaluation.accumulate()
    same_arrays(evaluation, theirs(data))
