"""A COCO data set as per-image arrays."""

from typing import Any

from tests.strategies import CocoData

Images = list[dict[str, Any]]


def as_arrays(data: CocoData, box_format: str, kind: Any) -> tuple[Images, Images]:
    """Targets and predictions of all images in order of ids, boxes in the wanted form, columns made by `kind`."""

    def of_image(rows: list[dict[str, Any]], image: int, fields: dict[str, str]) -> dict[str, Any]:
        here = [row for row in rows if row["image_id"] == image]
        columns = {name: kind([row[field] for row in here]) for name, field in fields.items()}
        return columns | {"boxes": kind([converted(row["bbox"], box_format) for row in here])}

    annotations = data.ground_truth["annotations"]
    targets = {"labels": "category_id", "iscrowd": "iscrowd", "area": "area"}
    found = {"labels": "category_id", "scores": "score"}
    return (
        [of_image(annotations, image, targets) for image in data.image_ids],
        [of_image(data.results, image, found) for image in data.image_ids],
    )


def converted(box: list[float], box_format: str) -> list[float]:
    """A COCO box as corners, or by its centre."""
    x, y, w, h = box
    return {"xywh": [x, y, w, h], "xyxy": [x, y, x + w, y + h], "cxcywh": [x + w / 2, y + h / 2, w, h]}[box_format]


def label_names(data: CocoData) -> dict[int, str]:
    """Names by category id, as the file declares them."""
    return {category["id"]: category["name"] for category in data.ground_truth["categories"]}
