"""Results as pycocotools' `loadRes` takes them: a path, a list of dicts, or an array of seven columns."""

import json
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError
from boxscore.io.source import open_source
from boxscore.model.notes import listed

Annotation = dict[str, Any]


def load_results(truth: Mapping[str, Any], given: Any) -> dict[str, Any]:
    """The `dataset` of detections over the images and categories of a ground truth's `dataset`.

    The dicts of a list are copied, their fields `id`, `area` and `iscrowd` overwritten in the copy.
    Raises InputError that names the first row that is no detection of a box, or images that are not the truth's.
    """
    rows = list(_checked(_rows(given)))
    _refuse_unknown_images(rows, truth)
    for place, row in enumerate(rows):
        box = row["bbox"]
        row["area"] = box[2] * box[3]
        row["id"] = place + 1
        row["iscrowd"] = 0
    return {
        "info": dict(truth.get("info") or {}),
        "images": list(truth.get("images", ())),
        "categories": [dict(category) for category in truth.get("categories", ())],
        "annotations": rows,
    }


def _rows(given: Any) -> Sequence[Annotation]:
    if isinstance(given, str | PathLike):
        return _from_file(given)
    if isinstance(given, np.ndarray):
        return _from_array(given)
    if isinstance(given, list | tuple):
        for place, row in enumerate(given):
            if not isinstance(row, Mapping):
                raise InputError(f"results[{place}] is a {type(row).__name__}; each detection must be a dict")
        return [{**row} for row in given]
    raise InputError(
        f"results: {type(given).__name__} is given; give a path, a list of dicts, or an array with 7 columns"
    )


def _from_file(path: str | PathLike[str]) -> Sequence[Annotation]:
    with open_source(path, "predictions") as source, memoryview(source.data) as view:
        try:
            content = json.loads(bytes(view))
        except ValueError as error:
            raise InputError(f"{source.path or source.name}: this is not JSON: {error}") from None
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        raise InputError(f"{source.name}: results must be a list of objects, one a detection")
    return content


def _from_array(rows: npt.NDArray[Any]) -> list[Annotation]:
    if rows.ndim != 2 or rows.shape[1] != 7:
        raise InputError(
            f"results: the array has shape {rows.shape}; it must be (n, 7): image id, x, y, width, height, score, "
            "category id"
        )
    # Text (and other objects) are no numbers, NaN no id.
    if rows.dtype.kind not in "fiu" or not np.isfinite(rows[:, [0, 6]]).all():
        raise InputError("results: the array must hold numbers, and its first and last column ids")
    return [
        {"image_id": int(image), "bbox": [x, y, w, h], "score": score, "category_id": int(category)}
        for image, x, y, w, h, score, category in rows.tolist()
    ]


def _checked(rows: Sequence[Annotation]) -> Iterator[Annotation]:
    for place, row in enumerate(rows):
        box = row.get("bbox")
        if box is None or not hasattr(box, "__len__") or len(box) != 4:
            raise InputError(f"results[{place}] {_without_box(row)}")
        if "image_id" not in row or "category_id" not in row:
            field = "image_id" if "image_id" not in row else "category_id"
            raise InputError(f"results[{place}]: {field} is missing (it has {', '.join(map(str, row))}); add it")
        yield row


def _without_box(row: Annotation) -> str:
    if row.get("bbox") is not None:
        return f"has bbox {row['bbox']!r}; it must be four numbers, x, y, width, height"
    other = next((field for field in ("segmentation", "keypoints", "caption") if field in row), None)
    if other is None:
        return f"has no bbox (it has {', '.join(map(str, row))}); add it, as x, y, width, height"
    return f"has {other} but no bbox; boxes alone are evaluated here: add bbox, or use pycocotools for {other}"


def _refuse_unknown_images(rows: Sequence[Annotation], truth: Mapping[str, Any]) -> None:
    unknown = {row["image_id"]: None for row in rows}.keys() - {image["id"] for image in truth.get("images", ())}
    if unknown:
        rows_with = sum(row["image_id"] in unknown for row in rows)
        first = next(place for place, row in enumerate(rows) if row["image_id"] in unknown)
        raise InputError(
            f"results[{first}]: image_id {rows[first]['image_id']!r} is not among the images of the ground truth "
            f"({rows_with} detections, images {listed([repr(image) for image in unknown])}); use the ground truth that "
            "these detections were made for, write ids alike in both (1 is not '1'), or leave such rows out"
        )
