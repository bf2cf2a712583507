"""Scenes of a COCO file as the simulator's detectors see them: they can look at scenes that it did not draw itself."""

import json
import os
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.scenes.boxes import Floats
from boxscore.scenes.checks import check_seed
from boxscore.scenes.ground_truth import GroundTruth, Images
from boxscore.scenes.objects import Integers, Objects
from boxscore.scenes.scene_spec import SceneSpec
from boxscore.scenes.streams import Purpose, stream

Row = Mapping[str, Any]

PLAIN_LIGHT, LIGHT_SPREAD = 0.7, 0.2
"""Ambient light of an image of average difficulty, and how much less of it makes one standard deviation more."""
_VISIBLE = ("visible_fraction", "visible")
"""Fields of an annotation that may say which share of the object is to be seen."""


def read_back(
    given: str | os.PathLike[str] | Mapping[str, Any], seed: int, harder: Mapping[Any, float] | None = None
) -> GroundTruth:
    """The ground truth of a COCO file, or of its content, for `simulate_detections`.

    An image is the more difficult the darker its field `ambient_light` is (none: of average difficulty), and by what
    `harder` adds to it, by image id, in standard deviations. An object's visible share is its field `visible_fraction`
    or `visible`; its area is its box's where no field says so; its hardness is drawn from `seed`. Raises InputError for
    a file that lacks images or categories, and for an annotation of one that is not there.
    """
    check_seed(seed)
    name = "the ground truth" if isinstance(given, Mapping) else os.fspath(given)
    content = _content(given, name)
    images: Sequence[Row] = content["images"]
    spec = SceneSpec(
        images=len(images),
        labels=tuple(row["name"] for row in content["categories"]),
        objects_per_image=len(content["annotations"]) / len(images),
        image_sizes=tuple(dict.fromkeys((int(row["width"]), int(row["height"])) for row in images)),
        crowd_rate=0.0,
        clip_length=1,
    )
    rows: Sequence[Row] = content["annotations"]
    image = _positions(name, rows, "image", [row["id"] for row in images])
    label = _positions(name, rows, "category", [row["id"] for row in content["categories"]])
    objects = _objects(rows, image, label, seed, len(images))
    return GroundTruth(spec, seed, _images(images, harder or {}), objects)


def _content(given: str | os.PathLike[str] | Mapping[str, Any], name: str) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        content: Any = given
    else:
        try:
            with open(given, encoding="utf-8") as file:  # noqa: PTH123  a text or a path
                content = json.load(file)
        except (OSError, ValueError) as error:
            raise InputError(f"{name} can't be read: {error}; give a COCO file of scenes") from None
    if not isinstance(content, Mapping):
        raise InputError(f"{name} holds a {type(content).__name__}; give a COCO file of scenes, which is an object")
    lacking = [key for key in ("images", "annotations", "categories") if not isinstance(content.get(key), list)]
    if lacking or not content["images"] or not content["categories"]:
        what = lacking[0] if lacking else "images or categories"
        raise InputError(f"{name} has no {what}; give a COCO file of scenes")
    return content


def _images(rows: Sequence[Row], harder: Mapping[Any, float]) -> Images:
    ids = np.arange(1, len(rows) + 1, dtype=np.int64)
    light = np.array([float(row.get("ambient_light", PLAIN_LIGHT)) for row in rows])
    more = np.array([float(harder.get(row["id"], 0.0)) for row in rows])
    sides = np.array([(row["width"], row["height"]) for row in rows], dtype=np.int64)
    return Images(ids, ids - 1, sides[:, 0], sides[:, 1], (PLAIN_LIGHT - light) / LIGHT_SPREAD + more)


def _positions(name: str, rows: Sequence[Row], of: str, ids: Sequence[Any]) -> Integers:
    """Where among `ids` each annotation's `image_id` or `category_id` stands."""
    # The first of equal ids.
    numbers = {one: number for number, one in reversed(list(enumerate(ids)))}
    found = []
    for place, row in enumerate(rows):
        given = row.get(f"{of}_id")
        number = numbers.get(given) if isinstance(given, Hashable) else None
        if number is None:
            which = f"id {shown(row['id'])}" if "id" in row else f"number {place + 1}"
            raise InputError(
                f"{name}, annotation with {which}: {of}_id is {shown(given)}, and there is no such {of}; add the {of} "
                "or leave the annotation out"
            )
        found.append(number)
    return np.array(found, dtype=np.int64)


def _objects(given: Sequence[Row], images: Integers, labels: Integers, seed: int, count: int) -> Objects:
    """Annotations in the order of their images."""
    order = np.argsort(images, kind="stable")
    rows, image = [given[place] for place in order.tolist()], images[order]
    box: Floats = np.array([row["bbox"] for row in rows], dtype=np.float64).reshape(-1, 4)
    # A box needs an extent to have a size; one without is as small as one can be.
    box[:, 2:] = np.maximum(box[:, 2:], 1.0)
    return Objects(
        image=image,
        label=labels[order],
        box=box,
        area=np.array([float(row.get("area", w * h)) for row, (w, h) in zip(rows, box[:, 2:].tolist(), strict=True)]),
        crowd=np.array([bool(row.get("iscrowd", 0)) for row in rows], dtype=np.bool_),
        visible=np.array([_visible(row) for row in rows]),
        hardness=_hardness(image, count, seed),
    )


def _visible(row: Row) -> float:
    return float(next((row[name] for name in _VISIBLE if name in row), 1.0))


def _hardness(image: Integers, images: int, seed: int) -> Floats:
    """Drawn image by image, so that it is the same whatever other images hold."""
    counts = np.bincount(image, minlength=images).tolist()
    drawn = [stream(seed, Purpose.HARDNESS, number).standard_normal(count) for number, count in enumerate(counts)]
    return np.concatenate(drawn)
