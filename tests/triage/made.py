"""Small data for triage: runs of a few boxes, and simulated scenes with faults planted in them."""

from pathlib import Path
from typing import Any

import boxscore
from boxscore.pipeline.run import Run
from boxscore.scenes import (
    DetectorSpec,
    GroundTruth,
    SceneSpec,
    as_coco_ground_truth,
    as_coco_results,
    simulate_detections,
    simulate_ground_truth,
)

Box = tuple[float, float, float, float]

GOOD = DetectorSpec(recall=0.95, confusion_rate=0.0, duplicate_rate=0.0, background_rate=0.3, crowd_detections=0.0)
"""A detector without the faults that tests plant."""


def run_of(objects: list[tuple[str, Box]], detections: list[tuple[str, Box, float]], **options: Any) -> Run:
    """One image with these objects and detections."""
    names = sorted({label for label, *_ in [*objects, *detections]})
    ids = {name: number for number, name in enumerate(names, 1)}
    truth = {
        "images": [{"id": 1, "width": 1000, "height": 1000}],
        "annotations": [
            {"id": n, "image_id": 1, "category_id": ids[label], "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
            for n, (label, box) in enumerate(objects, 1)
        ],
        "categories": [{"id": number, "name": name} for name, number in ids.items()],
    }
    found = [
        {"image_id": 1, "category_id": ids[label], "bbox": box, "score": score} for label, box, score in detections
    ]
    return boxscore.evaluate(truth, found, **options)


def scenes(images: int = 300, seed: int = 7, **spec: Any) -> GroundTruth:
    """Simulated scenes of three frequent labels, without crowds."""
    labels = ("car", "bus", "truck")
    return simulate_ground_truth(
        SceneSpec(images=images, labels=labels, label_skew=0.0, crowd_rate=0.0, clip_length=1, **spec), seed
    )


def detected(truth: GroundTruth, detector: DetectorSpec, seed: int = 3) -> Run:
    """What a simulated detector finds, evaluated."""
    found = as_coco_results(simulate_detections(truth, detector, seed))
    return boxscore.evaluate(as_coco_ground_truth(truth), found)


def write_metadata(path: Path, columns: dict[str, list[Any]]) -> Path:
    """A CSV of metadata of images."""
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
