"""supervision: ground truth by its own reader of COCO files, results by hand, for which it has no reader.

Crowd flags and areas go along exactly where its reader passes them on.
"""

import json
from pathlib import Path
from typing import Any


def score(ground_truth: str, predictions: str) -> list[float | None]:
    """AP, AP at 0.5 and 0.75, and AP by size; its mean average precision has no recalls."""
    # Only its own environment has it, not the one where types are checked.
    import supervision  # type: ignore[import-not-found]  # as said above
    from supervision.metrics import MeanAveragePrecision  # type: ignore[import-not-found]  # as said above

    content = json.loads(Path(ground_truth).read_text(encoding="utf-8"))
    results = json.loads(Path(predictions).read_text(encoding="utf-8"))
    dataset = supervision.DetectionDataset.from_coco(
        images_directory_path=str(Path(ground_truth).parent), annotations_path=ground_truth
    )
    targets = [dataset.annotations[path] for path in dataset.image_paths]
    detections = [supervision.Detections(**columns) for columns in by_image(content, results)]
    found = MeanAveragePrecision().update(detections, targets).compute()
    sizes = (found.small_objects, found.medium_objects, found.large_objects)
    by_size = [None if size is None else size.map50_95 for size in sizes]
    return [found.map50_95, found.map50, found.map75, *by_size, *[None] * 6]


def by_image(content: dict[str, Any], results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns of `Detections` of each image; classes are numbered as the reader does, by ascending category id."""
    number = {category: i for i, category in enumerate(sorted(entry["id"] for entry in content["categories"]))}
    rows: dict[Any, list[dict[str, Any]]] = {}
    for result in results:
        rows.setdefault(result["image_id"], []).append(result)
    return [columns(rows.get(image["id"], []), number) for image in content["images"]]


def columns(results: list[dict[str, Any]], number: dict[Any, int]) -> dict[str, Any]:
    """The detections of one image, boxes as corners."""
    import numpy as np

    boxes = np.array([result["bbox"] for result in results], dtype=np.float64).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    return {
        "xyxy": boxes,
        "confidence": np.array([result["score"] for result in results], dtype=np.float64),
        "class_id": np.array([number[result["category_id"]] for result in results], dtype=int),
    }
