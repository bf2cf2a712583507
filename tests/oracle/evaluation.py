"""The whole evaluation: every label, area range, detection limit, threshold and recall point, from two lists."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.oracle.curves import at_recall_points, every_point
from tests.oracle.matching import is_ignored, match, ranked

Row = dict[str, Any]
Array = np.ndarray[Any, np.dtype[Any]]
AREA_RANGES = ((0.0, 1e10), (0.0, 1024.0), (1024.0, 9216.0), (9216.0, 1e10))
THRESHOLDS = tuple(np.linspace(0.5, 0.95, 10).tolist())
POINTS_101 = tuple(np.linspace(0.0, 1.0, 101).tolist())
POINTS_11 = tuple(np.linspace(0.0, 1.0, 11).tolist())


def without_labels(rows: Sequence[Row]) -> list[Row]:
    """All rows under label 0: by category id, then in the order of the file."""
    return [{**row, "category_id": 0} for row in sorted(rows, key=lambda row: row["category_id"])]


def outcomes(
    image_ids: Sequence[int],
    objects: Sequence[Row],
    detections: Sequence[Row],
    threshold: float,
    area_range: tuple[float, float],
    limit: int,
) -> list[Row]:
    """Rows of one label by descending score, then image id, then rank: image_id, rank, score, outcome."""
    rows: list[Row] = []
    for image_id in sorted(image_ids):
        here = [row for row in objects if row["image_id"] == image_id]
        first = ranked([row for row in detections if row["image_id"] == image_id], limit)
        found, _ = match(here, first, threshold, area_range)
        for rank, (row, outcome) in enumerate(zip(first, found, strict=True)):
            rows.append({"image_id": image_id, "rank": rank, "score": row["score"], "outcome": outcome})
    return sorted(rows, key=lambda row: -row["score"])


def copies(rows: Sequence[Row], weights: Mapping[int, int] | None) -> list[Row]:
    """Each row as many times as its image weighs, the copies next to the original; 0 leaves it out."""
    if weights is None:
        return list(rows)
    return [row for row in rows for _ in range(weights[row["image_id"]])]


def evaluate(
    image_ids: Sequence[int],
    objects: Sequence[Row],
    detections: Sequence[Row],
    labels: Sequence[int],
    *,
    thresholds: Sequence[float] = THRESHOLDS,
    area_ranges: Sequence[tuple[float, float]] = AREA_RANGES,
    limits: Sequence[int] = (1, 10, 100),
    points: Sequence[float] = POINTS_101,
    spaced: bool = True,
    detection_weights: Mapping[int, int] | None = None,
    object_weights: Mapping[int, int] | None = None,
) -> dict[str, Array]:
    """Arrays by name, -1 where a label has no object that counts.

    positives [labels, areas]; precision and scores [labels, areas, limits, thresholds, points]; recall and
    average_precision (every point) [labels, areas, limits, thresholds].
    """
    shape = (len(labels), len(area_ranges), len(limits), len(thresholds))
    result = {
        "positives": np.zeros(shape[:2], dtype=np.uint64),
        "precision": np.full((*shape, len(points)), -1.0),
        "scores": np.full((*shape, len(points)), -1.0),
        "recall": np.full(shape, -1.0),
        "average_precision": np.full(shape, -1.0),
    }
    for k, label in enumerate(labels):
        label_objects = [row for row in objects if row["category_id"] == label]
        label_detections = [row for row in detections if row["category_id"] == label]
        for a, area_range in enumerate(area_ranges):
            counted = [row for row in label_objects if not is_ignored(row, area_range)]
            positives = len(copies(counted, object_weights))
            result["positives"][k, a] = positives
            if positives == 0:
                continue
            for t, threshold in enumerate(thresholds):
                rows = outcomes(image_ids, label_objects, label_detections, threshold, area_range, max(limits))
                for m, limit in enumerate(limits):
                    kept = copies([row for row in rows if row["rank"] < limit], detection_weights)
                    values, scores = at_recall_points(kept, positives, points, spaced)
                    result["precision"][k, a, m, t] = values
                    result["scores"][k, a, m, t] = scores
                    true = sum(row["outcome"] == "true positive" for row in kept)
                    result["recall"][k, a, m, t] = true / positives
                    result["average_precision"][k, a, m, t] = every_point(kept, positives, spaced)
    return result


def mean(values: Array) -> float | None:
    """Mean of what exists; `values` run over labels first, and are summed by threshold, recall point, label."""
    flat = np.moveaxis(values, 0, -1).ravel()
    present = flat[flat > -1]
    return float(np.mean(present)) if len(present) else None


def summary(result: Mapping[str, Array], thresholds: Sequence[float] = THRESHOLDS) -> list[float | None]:
    """The 12 figures in COCO's order; limits and area ranges in the order of `evaluate`'s defaults."""
    precision, recall = result["precision"], result["recall"]

    def precision_at(threshold: float) -> float | None:
        chosen = [t for t, value in enumerate(thresholds) if value == threshold]
        return mean(precision[:, 0, -1, chosen])

    return [
        mean(precision[:, 0, -1]),
        precision_at(0.5),
        precision_at(0.75),
        *(mean(precision[:, area, -1]) for area in (1, 2, 3)),
        *(mean(recall[:, 0, limit]) for limit in (0, 1, 2)),
        *(mean(recall[:, area, -1]) for area in (1, 2, 3)),
    ]
