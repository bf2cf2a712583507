"""Simulated scenes and detections as COCO rows and COCO files."""

import os
from collections.abc import Iterator
from typing import Any

from boxscore.io.coco_write import Row, write_ground_truth, write_results
from boxscore.scenes.detections import Detections
from boxscore.scenes.ground_truth import GroundTruth

CHUNK = 4096
"""Rows turned from columns into Python objects at a time."""


def as_coco_ground_truth(truth: GroundTruth) -> dict[str, list[Any]]:
    """The ground truth as the dictionary that a COCO file holds.

    Beside COCO's own fields, images say their `clip` and annotations their `visible` share.
    """
    return {
        "images": list(_image_rows(truth)),
        "annotations": list(_annotation_rows(truth)),
        "categories": list(_category_rows(truth)),
    }


def as_coco_results(detections: Detections) -> list[Row]:
    """The detections as the list that a COCO results file holds."""
    return list(_result_rows(detections))


def write_coco_ground_truth(truth: GroundTruth, path: str | os.PathLike[str]) -> None:
    """Write the ground truth as a COCO file; see `as_coco_ground_truth`."""
    write_ground_truth(
        path, images=_image_rows(truth), annotations=_annotation_rows(truth), categories=_category_rows(truth)
    )


def write_coco_results(detections: Detections, path: str | os.PathLike[str]) -> None:
    """Write the detections as a COCO results file, image by image, by descending score."""
    write_results(path, _result_rows(detections))


def _image_rows(truth: GroundTruth) -> Iterator[Row]:
    images = truth.images
    columns = (images.image_id, images.width, images.height, images.clip)
    for image_id, width, height, clip in zip(*(column.tolist() for column in columns), strict=True):
        yield {
            "id": image_id,
            "file_name": f"{image_id:08d}.jpg",
            "width": width,
            "height": height,
            "clip": f"clip-{clip:05d}",
        }


def _annotation_rows(truth: GroundTruth) -> Iterator[Row]:
    objects = truth.objects
    columns = (
        truth.images.image_id[objects.image],
        objects.label + 1,
        objects.box,
        objects.area,
        objects.crowd.astype(int),
        objects.visible.round(4),
    )
    names = ("image_id", "category_id", "bbox", "area", "iscrowd", "visible")
    for number, row in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        yield {"id": number + 1, **dict(zip(names, row, strict=True))}


def _category_rows(truth: GroundTruth) -> Iterator[Row]:
    return ({"id": number + 1, "name": name} for number, name in enumerate(truth.spec.labels))


def _result_rows(detections: Detections) -> Iterator[Row]:
    image_ids = detections.truth.images.image_id
    for first in range(0, len(detections.score), CHUNK):
        rows = slice(first, first + CHUNK)
        columns = (
            image_ids[detections.image[rows]],
            detections.label[rows] + 1,
            detections.box[rows],
            detections.score[rows],
        )
        for image_id, category_id, box, score in zip(*(column.tolist() for column in columns), strict=True):
            yield {"image_id": image_id, "category_id": category_id, "bbox": box, "score": score}
