"""A run whose names no tracker would allow as they are: blanks, slashes, capitals, letters of all kinds."""

from pathlib import Path
from typing import Any

import boxscore

LABELS = ["traffic light", "car", "Car", "vélo", "a/b=c__d", "🚗", "bus"]
"""`bus` has no object, so that its AP does not exist; two differ by a capital alone."""


def run_folder(folder: Path) -> Path:
    """A run with intervals, figures that do not exist, and something derived from it."""
    from boxscore.runs import write_derived

    images = range(12)
    boxes: list[dict[str, Any]] = []
    for image in images:
        for label in range(len(LABELS) - 1):
            box = [10.0 * label, 5.0 * image, 40.0 + image, 30.0 + label]
            boxes.append({"image_id": image, "category_id": label, "bbox": box})
    truth = [box | {"id": number, "area": 1200.0, "iscrowd": 0} for number, box in enumerate(boxes)]
    found = [
        box | {"bbox": [box["bbox"][0] + number % 7, *box["bbox"][1:]], "score": 1 / (1 + number % 11)}
        for number, box in enumerate(boxes)
        if number % 5
    ]
    content = {
        "images": [{"id": image, "width": 640, "height": 480} for image in images],
        "categories": [{"id": number, "name": name} for number, name in enumerate(LABELS)],
        "annotations": truth,
    }
    run = boxscore.evaluate(content, found).with_intervals(boxscore.Resampling(replicates=50))
    run.save(folder)
    write_derived(folder, "triage", {"share": 0.25})
    write_derived(folder, "gate", {"verdict": "fail", "failed": 1, "baseline": "runs/base", "checks": [{}, {}]})
    return folder
