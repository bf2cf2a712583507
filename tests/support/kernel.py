"""The kernel called with plain data: one line from dictionaries to its arrays."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore import _kernel
from tests.oracle.evaluation import AREA_RANGES, POINTS_101, THRESHOLDS

Array = np.ndarray[Any, np.dtype[Any]]
Row = dict[str, Any]


@dataclass(frozen=True)
class Tables:
    """What the kernel made of a data set."""

    dataset: _kernel.Dataset
    detections: _kernel.Detections
    labels: list[int]


def tables(ground_truth: Mapping[str, Any], results: list[Row], threads: int = 1) -> Tables:
    """Through the parser, as a file would come; labels are numbered by ascending category id."""
    labels = sorted(category["id"] for category in ground_truth["categories"])
    raw = _kernel.parse_ground_truth(json.dumps(ground_truth).encode(), threads)
    dataset, _ = _kernel.build_dataset(raw, [labels.index(int(use[0])) for use in raw.category_uses])
    raw_detections = _kernel.parse_results(json.dumps(results).encode(), threads)
    uses = [labels.index(int(use[1])) for use in raw_detections.label_uses]
    detections, _ = _kernel.build_detections(raw_detections, dataset, uses, threads=threads)
    return Tables(dataset, detections, labels)


def match(
    given: Tables,
    *,
    thresholds: Sequence[float] = THRESHOLDS,
    area_ranges: Sequence[tuple[float, float]] = AREA_RANGES,
    limit: int = 100,
    **options: Any,
) -> _kernel.Matches:
    """`match_detections` with COCO's defaults."""
    return _kernel.match_detections(
        given.dataset,
        given.detections,
        iou_thresholds=thresholds,
        area_ranges=area_ranges,
        max_detections=limit,
        **options,
    )


def weights(values: Sequence[int]) -> Array:
    """Weights as the kernel takes them, one an image in canonical order."""
    return np.array(values, dtype=np.uint32)


def accumulate(
    matches: _kernel.Matches,
    num_labels: int,
    *,
    limits: Sequence[int] = (1, 10, 100),
    points: Sequence[float] = POINTS_101,
    num_areas: int = len(AREA_RANGES),
    **options: Any,
) -> _kernel.Curves:
    """`accumulate` with every array kept."""
    kept = {"every_limit": True, "scores": True, "every_point": True} | options
    return _kernel.accumulate(
        matches, num_labels=num_labels, num_areas=num_areas, limits=limits, recall_points=points, **kept
    )


def arrays(curves: _kernel.Curves) -> dict[str, Array]:
    """All arrays of the curves in their shapes: labels, areas, limits, thresholds, recall points."""
    shape = (curves.num_labels, curves.num_areas, curves.num_limits, curves.num_thresholds)
    found = {
        "positives": np.asarray(curves.positives).reshape(shape[:2]),
        "recall": np.asarray(curves.recall).reshape(shape),
    }
    kept = {"precision": curves.precision, "scores": curves.scores}
    for name, column in kept.items():
        if column is not None:
            found[name] = np.asarray(column).reshape(shape[0], shape[1], -1, shape[3], curves.num_points)
    if curves.average_precision is not None:
        found["average_precision"] = np.asarray(curves.average_precision).reshape(shape[0], shape[1], -1, shape[3])
    return found


def evaluate(ground_truth: Mapping[str, Any], results: list[Row], **options: Any) -> dict[str, Array]:
    """Parse, match and accumulate with COCO's defaults."""
    given = tables(ground_truth, results)
    return arrays(accumulate(match(given), len(given.labels), **options))
