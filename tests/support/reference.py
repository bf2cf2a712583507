"""pycocotools 2.0.11 on data held in memory, without its printing."""

import contextlib
import copy
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

Array = np.ndarray[Any, np.dtype[np.float64]]
Row = dict[str, Any]


def load(ground_truth: dict[str, Any]) -> Any:
    """A COCO object over a copy, since pycocotools writes into what it is given."""
    loaded = COCO()
    loaded.dataset = copy.deepcopy(ground_truth)
    loaded.createIndex()
    return loaded


def load_results(coco: Any, results: list[Row]) -> Any:
    """`loadRes`, which stops at an empty list, so that one is built by hand."""
    if results:
        return coco.loadRes(copy.deepcopy(results))
    return load({"images": coco.dataset["images"], "categories": coco.dataset["categories"], "annotations": []})


def run(
    ground_truth: dict[str, Any],
    results: list[Row],
    *,
    limits: Sequence[int] | None = None,
    thresholds: Sequence[float] | None = None,
    points: Sequence[float] | None = None,
    labels: Sequence[int] | None = None,
    label_agnostic: bool = False,
) -> Any:
    """A COCOeval that has evaluated, accumulated and summarized."""
    with contextlib.redirect_stdout(io.StringIO()):
        coco = load(ground_truth)
        evaluation = COCOeval(coco, load_results(coco, results), "bbox")
        if limits is not None:
            evaluation.params.maxDets = list(limits)
        if thresholds is not None:
            evaluation.params.iouThrs = np.array(thresholds)
        if points is not None:
            evaluation.params.recThrs = np.array(points)
        if labels is not None:
            evaluation.params.catIds = list(labels)
        evaluation.params.useCats = 0 if label_agnostic else 1
        evaluation.evaluate()
        evaluation.accumulate()
        if len(evaluation.params.maxDets) == 3:
            evaluation.summarize()
    return evaluation


def arrays(evaluation: Any) -> dict[str, Array]:
    """Its arrays by label, area, limit, threshold and recall point, as the kernel and the oracle order them."""
    found = evaluation.eval
    return {
        "precision": found["precision"].transpose(2, 3, 4, 0, 1),
        "scores": found["scores"].transpose(2, 3, 4, 0, 1),
        "recall": found["recall"].transpose(1, 2, 3, 0),
    }


def figures(evaluation: Any) -> list[float | None]:
    """The 12 figures, None where pycocotools says -1."""
    return [None if value == -1 else float(value) for value in evaluation.stats]


def match_bits(evaluation: Any, image_ids: Sequence[int], labels: Sequence[int]) -> dict[str, list[tuple[int, ...]]]:
    """Its matches as the kernel keeps them: per detection image, label, rank and the bits of matched and ignored."""
    found: dict[tuple[int, int, int], list[int]] = {}
    params = evaluation.params
    areas = [tuple(area) for area in params.areaRng]
    for entry in evaluation.evalImgs:
        if entry is None:
            continue
        area = areas.index(tuple(entry["aRng"]))
        image, label = image_ids.index(entry["image_id"]), labels.index(entry["category_id"])
        for t in range(len(params.iouThrs)):
            bit = 1 << (area * len(params.iouThrs) + t)
            for rank in range(len(entry["dtIds"])):
                row = found.setdefault((image, label, rank), [0, 0])
                row[0] |= bit * bool(entry["dtMatches"][t, rank])
                row[1] |= bit * bool(entry["dtIgnore"][t, rank])
    return {"detections": [(*key, *bits) for key, bits in found.items()]}
