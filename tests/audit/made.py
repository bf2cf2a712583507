"""Small data sets in COCO's form, made for one fault each."""

import copy
import random
from typing import Any

Json = dict[str, Any]

NAMES = ["person", "cat", "boat", "car", "bottle"]


def pair(images: int = 8, seed: int = 0) -> tuple[Json, list[Json]]:
    """Ground truth and detections that fit it well: an object of each label in each image, found within a pixel."""
    draw = random.Random(seed)
    ground_truth: Json = {
        "images": [{"id": i, "width": 640, "height": 480, "file_name": f"{i}.jpg"} for i in range(images)],
        "categories": [{"id": i, "name": name} for i, name in enumerate(NAMES)],
        "annotations": [],
    }
    results: list[Json] = []
    for image in range(images):
        for label in range(len(NAMES)):
            box = [draw.randint(40, 480), draw.randint(40, 320), draw.randint(30, 120), draw.randint(30, 120)]
            row = {"image_id": image, "category_id": label, "bbox": box}
            number = len(ground_truth["annotations"])
            ground_truth["annotations"].append(row | {"id": number, "area": box[2] * box[3], "iscrowd": 0})
            found = [box[0] + 0.5, box[1] + 0.25, box[2], box[3]]
            results.append(row | {"bbox": found, "score": round(draw.uniform(0.01, 0.99), 6)})
    return ground_truth, results


def as_corners(rows: list[Json]) -> list[Json]:
    """The rows with x1, y1, x2, y2 in the place of x, y, width, height."""
    changed = copy.deepcopy(rows)
    for row in changed:
        x, y, w, h = row["bbox"]
        row["bbox"] = [x, y, x + w, y + h]
    return changed


def as_centre(rows: list[Json]) -> list[Json]:
    """The rows with the centre in the place of the corner."""
    changed = copy.deepcopy(rows)
    for row in changed:
        x, y, w, h = row["bbox"]
        row["bbox"] = [x + w / 2, y + h / 2, w, h]
    return changed


def as_shares(rows: list[Json], width: int = 640, height: int = 480) -> list[Json]:
    """The rows with boxes in shares of the image's size."""
    changed = copy.deepcopy(rows)
    for row in changed:
        row["bbox"] = [value / size for value, size in zip(row["bbox"], [width, height] * 2, strict=True)]
    return changed


def renumbered(rows: list[Json], numbers: list[int]) -> list[Json]:
    """The rows with category `i` as `numbers[i]`."""
    return [row | {"category_id": numbers[row["category_id"]]} for row in copy.deepcopy(rows)]
