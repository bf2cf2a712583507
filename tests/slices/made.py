"""A made-up data set with fields to slice by, and the files of a part of it."""

import random
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
CATEGORIES = [{"id": 1, "name": "cup"}, {"id": 2, "name": "duck"}, {"id": 3, "name": "lego"}]


def ground_truth(images: int = 24, seed: int = 0) -> dict[str, Any]:
    """Images with weather, distance and hour; objects with tier and a track; one crowd, one label rare."""
    rng = random.Random(seed)
    stated, annotations = [], list[Row]()
    for number in range(images):
        weather = ("rain", "sun", "fog")[number % 3]
        stated.append(
            {
                "id": number,
                "file_name": f"clip{number // 8}/{number:03d}.png",
                "width": 400,
                "height": 300,
                "weather": weather,
                "distance": (0.5, 3.0, 3.5, 5.0, 7.25)[number % 5],
                "hour": number % 24,
                "clip": f"c{number // 8}",
                "frame": number % 8,
            }
        )
        for k in range(rng.randrange(0, 4)):
            label = rng.choice((1, 1, 2)) if weather != "fog" else rng.choice((1, 3))
            box = [10 + 90 * k, 20, rng.choice((20, 40, 80)), rng.choice((20, 50, 120))]
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": number,
                    "category_id": label,
                    "bbox": box,
                    "area": box[2] * box[3],
                    "iscrowd": int(number == 4 and k == 0),
                    "tier": rng.choice(("easy", "hard")),
                    "track_id": label * 10 + k,
                }
            )
    return {"images": stated, "annotations": annotations, "categories": CATEGORIES}


def results(truth: dict[str, Any], seed: int = 1) -> list[Row]:
    """Most objects found, somewhat displaced; some as another label; some made up."""
    rng = random.Random(seed)
    rows = []
    for entry in truth["annotations"]:
        x, y, w, h = entry["bbox"]
        if rng.random() < 0.8:
            shift = rng.choice((0, 2, 4, 9))
            label = entry["category_id"] if rng.random() < 0.85 else rng.choice((1, 2, 3))
            rows.append(_detection(entry["image_id"], label, [x + shift, y, w, h], rng))
    made_up = [image["id"] for image in truth["images"] if rng.random() < 0.4]
    return rows + [_detection(image, rng.choice((1, 2, 3)), [5, 200, 40, 60], rng) for image in made_up]


def _detection(image: int, label: int, box: list[int], rng: random.Random) -> Row:
    score = rng.choice((0.125, 0.25, 0.5, 0.625, 0.875))
    return {"image_id": image, "category_id": label, "bbox": box, "score": score}


def only(truth: dict[str, Any], found: list[Row], keep: Callable[[Row], bool]) -> tuple[dict[str, Any], list[Row]]:
    """Ground truth and results of the images that are kept."""
    images = [image for image in truth["images"] if keep(image)]
    ids = {image["id"] for image in images}
    annotations = [entry for entry in truth["annotations"] if entry["image_id"] in ids]
    part = {"images": images, "annotations": annotations, "categories": truth["categories"]}
    return part, [row for row in found if row["image_id"] in ids]
