"""Small data sets with several models of known order."""

import json
import random
from pathlib import Path
from typing import Any

import boxscore

Row = dict[str, Any]

LABELS = ("car", "van")
SKILLS = {"good": 0.95, "fair": 0.6, "poor": 0.2}
"""Share of the objects that each model finds."""


def ground_truth(images: int, clips: int = 0) -> Row:
    """Two objects of each label an image; `clips` puts the images into so many of them in turn."""
    return {
        "images": [
            {"id": i, "file_name": f"clip{i % clips}_{i}.jpg" if clips else f"{i}.jpg", "width": 400, "height": 400}
            | ({"clip": f"c{i % clips}"} if clips else {})
            for i in range(images)
        ],
        "categories": [{"id": k, "name": name} for k, name in enumerate(LABELS)],
        "annotations": [
            {"id": 4 * i + n + 1, "image_id": i, "category_id": n % 2, "bbox": box(n), "area": 1600, "iscrowd": 0}
            for i in range(images)
            for n in range(4)
        ],
    }


def box(number: int) -> list[int]:
    """Boxes that do not overlap."""
    return [10 + 90 * number, 20, 40, 40]


def predictions(images: int, skill: float, seed: int = 1) -> list[Row]:
    """Each object found with a chance of `skill`, and a false positive an image in half of them."""
    draw = random.Random(seed)
    rows: list[Row] = []
    for i in range(images):
        rows += [
            {"image_id": i, "category_id": n % 2, "bbox": box(n), "score": draw.uniform(0.3, 1.0)}
            for n in range(4)
            if draw.random() < skill
        ]
        if draw.random() < 0.5:
            rows.append({"image_id": i, "category_id": 0, "bbox": [300, 300, 30, 30], "score": draw.uniform(0.1, 0.8)})
    return rows


def runs(images: int, clips: int = 0, **options: Any) -> dict[str, boxscore.Run]:
    """The three models, evaluated."""
    truth = ground_truth(images, clips)
    return {
        name: boxscore.evaluate(truth, predictions(images, skill, seed), **options)
        for seed, (name, skill) in enumerate(SKILLS.items())
    }


def files(folder: Path, images: int, clips: int = 0) -> list[Path]:
    """Ground truth and the three models' predictions as files."""
    contents = {"gt": ground_truth(images, clips)} | {
        name: predictions(images, skill, seed) for seed, (name, skill) in enumerate(SKILLS.items())
    }
    paths = []
    for name, content in contents.items():
        paths.append(folder / f"{name}.json")
        paths[-1].write_text(json.dumps(content))
    return paths
