"""A scene as rows: what its part of the ground truth and of the manifest says."""

import hashlib
import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore.scenes.rendering import LABELS, RenderedScene, SeenObject

Row = dict[str, Any]

IDS_PER_SCENE = 1000
"""Ids of annotations are numbered by scene, so that a scene's rows don't depend on which other scenes there are."""


@dataclass(frozen=True)
class Record:
    """A scene that was made: COCO rows of its image and annotations, and its entry in the manifest."""

    image: Row
    annotations: list[Row]
    entry: Row

    @property
    def scene(self) -> int:
        """Its number in the set."""
        number: int = self.entry["scene"]
        return number

    def to_dict(self) -> Row:
        """As JSON holds it."""
        return {"image": self.image, "annotations": self.annotations, "entry": self.entry}


def file_name(index: int, count: int) -> str:
    """Of a scene's picture; all of a set are equally long, so that they sort by number."""
    return f"scene_{index:0{max(4, len(str(count - 1)))}d}.png"


def record_of(scene: RenderedScene, name: str, picture: bytes) -> Record:
    """The record of a rendered scene whose picture is the file `name` with these bytes."""
    plan, index = scene.plan, scene.plan.index
    columns = scene.metadata()
    # No condition that a slice or a search could go by; the manifest has it.
    columns.pop("scene_seed", None)
    image = {"id": index, "file_name": name, "width": plan.width, "height": plan.height, **columns}
    entry = {
        "scene": index,
        "file": name,
        "sha256": hashlib.sha256(picture).hexdigest(),
        # Of the pixels: another version of the encoder gives other bytes of the same picture.
        "pixels_sha256": hashlib.sha256(np.ascontiguousarray(scene.picture).tobytes()).hexdigest(),
        "profile": plan.profile,
        "scene_seed": plan.scene_seed,
    }
    return Record(image, [_annotation(one, index) for one in scene.objects], entry)


def encoded(scene: RenderedScene) -> bytes:
    """The picture as PNG."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(scene.picture).save(buffer, "PNG", compress_level=_COMPRESSION)
    return buffer.getvalue()


_COMPRESSION = 4
"""More takes twice the time and saves a few percent."""


def categories() -> list[Row]:
    """COCO's rows of the labels, ids from 1."""
    from boxscore.scenes.rendering import CATALOGUE

    tiers = {kind.label: kind.tier for kind in CATALOGUE}
    return [{"id": number, "name": name, "supercategory": tiers[name]} for number, name in enumerate(LABELS, 1)]


def _annotation(one: SeenObject, index: int) -> Row:
    return {
        "id": index * IDS_PER_SCENE + one.object_id + 1,
        "image_id": index,
        "category_id": LABELS.index(one.label) + 1,
        "bbox": list(one.box),
        "area": one.pixel_area,
        "iscrowd": 0,
        "ignore": int(one.ignore),
        "tier": one.tier,
        "visible_fraction": one.visible_fraction,
        "full_bbox": list(one.full_box),
        "whole_bbox": list(one.whole_box),
        "aabb_bbox": list(one.aabb_box),
        "full_area": one.full_area,
        "truncated": int(one.truncated),
        "distance": one.distance,
        "scale": one.scale,
        "texture": one.texture,
        "object_id": one.object_id,
    }
