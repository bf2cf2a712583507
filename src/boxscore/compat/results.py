"""Results as pycocotools' `loadRes` takes them: the content of a file, a list of dicts, an array of seven columns."""

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


def load_results(truth: Mapping[str, Any], given: Any, *, copied: bool = True) -> dict[str, Any]:
    """The `dataset` of detections over the images and categories of a ground truth's `dataset`.

    The dicts of a list are copied (unless nobody else has them), their fields `id`, `area` and `iscrowd` overwritten.
    Raises InputError that names the first row that is no detection of a box, or images that are not the truth's.
    """
    rows = list(_checked(_rows(given, copied=copied)))
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


def _rows(given: Any, *, copied: bool) -> Sequence[Annotation]:
    if isinstance(given, np.ndarray):
        return _from_array(given)
    if isinstance(given, list | tuple):
        for place, row in enumerate(given):
            if not isinstance(row, Mapping):
                raise InputError(f"results[{place}] is a {type(row).__name__}; each detection must be a dict")
        return [{**row} for row in given] if copied else given
    raise InputError(
        f"results: {type(given).__name__} is given; give a path, a list of dicts, or an array with 7 columns"
    )


def text_of(path: str | PathLike[str], role: str) -> tuple[bytes, str]:
    """A file's content, unpacked, and its name for messages. Raises InputError for a path that can't be read."""
    with open_source(path, role) as source, memoryview(source.data) as view:
        return bytes(view), source.name


def parsed(text: bytes, name: str) -> Any:
    """The content of a JSON file. Raises InputError that names it."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"{name}: this is not JSON: {error}") from None


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
