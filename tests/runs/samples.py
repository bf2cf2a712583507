"""Made-up data sets and their runs."""

import json
from pathlib import Path
from typing import Any

import boxscore

Row = dict[str, Any]


def ground_truth() -> dict[str, Any]:
    """Ids of both kinds, a crowd, an image without objects, a name that isn't ASCII."""
    return {
        "images": [
            {"id": 12, "file_name": "yard.jpg", "width": 640, "height": 480},
            {"id": 3, "file_name": "straße 🚗.jpg"},
            {"id": "night", "width": 320, "height": 240},
            {"id": 40},
        ],
        "categories": [{"id": 7, "name": "car"}, {"id": 2, "name": "vélo"}, {"id": 9, "name": "bus"}],
        "annotations": [
            annotation(1, 3, 7, [10, 10, 50, 40]),
            annotation(2, 3, 7, [80, 12, 20, 20]),
            annotation(3, 12, 2, [5.5, 7.25, 100, 110]),
            annotation(4, 12, 7, [200, 200, 60, 60], iscrowd=1),
            annotation(5, "night", 2, [30, 30, 12, 16]),
            annotation(6, "night", 7, [100, 40, 70, 50]),
        ],
    }


def annotation(number: int, image: int | str, label: int, box: list[float], *, iscrowd: int = 0) -> Row:
    """One object."""
    area = box[2] * box[3]
    return {"id": number, "image_id": image, "category_id": label, "bbox": box, "area": area, "iscrowd": iscrowd}


def results() -> list[Row]:
    """Good and bad detections, one of them beyond a limit of two."""
    rows: list[tuple[int | str, int, list[float], float]] = [
        (3, 7, [11, 10, 50, 40], 0.9),
        (3, 7, [82, 14, 20, 20], 0.6),
        (3, 7, [300, 10, 40, 40], 0.3),
        (12, 2, [0, 0, 100, 120], 0.75),
        (12, 7, [210, 205, 30, 30], 0.5),
        ("night", 2, [31, 29, 12, 16], 0.25),
        ("night", 2, [100, 40, 70, 50], 0.8),
        (40, 9, [1, 2, 3, 4], 0.125),
    ]
    return [{"image_id": i, "category_id": label, "bbox": box, "score": score} for i, label, box, score in rows]


def files(folder: Path) -> tuple[Path, Path]:
    """Both as files."""
    paths = folder / "gt.json", folder / "pred.json"
    for path, content in zip(paths, (ground_truth(), results()), strict=True):
        path.write_text(json.dumps(content))
    return paths


def run(**options: Any) -> boxscore.Run:
    """Their evaluation."""
    return boxscore.evaluate(ground_truth(), results(), **options)


def arrays() -> tuple[list[Row], list[Row], list[int | str]]:
    """The same as per-image arrays in COCO's box format: targets, predictions, ids in file order."""
    ids = [image["id"] for image in ground_truth()["images"]]
    fields = {"boxes": "bbox", "labels": "category_id"}
    truth = {"area": "area", "iscrowd": "iscrowd"}
    targets = [of_image(ground_truth()["annotations"], image, fields | truth) for image in ids]
    predictions = [of_image(results(), image, fields | {"scores": "score"}) for image in ids]
    return targets, predictions, ids


def of_image(rows: list[Row], image: int | str, fields: dict[str, str]) -> Row:
    """One image's rows, a list a field."""
    return {name: [row[field] for row in rows if row["image_id"] == image] for name, field in fields.items()}


def streamed() -> boxscore.Run:
    """The same evaluation in batches of one image, without boxes afterwards."""
    names = {category["id"]: category["name"] for category in ground_truth()["categories"]}
    evaluator = boxscore.Evaluator(labels=names, box_format="xywh")
    for target, prediction, image in zip(*arrays(), strict=True):
        evaluator.update([prediction], [target], image_ids=[image])
    return evaluator.result()
