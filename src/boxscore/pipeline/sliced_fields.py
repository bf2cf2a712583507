"""The names of all columns that a run can be sliced by, for those who named another."""

from __future__ import annotations

import json

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.pipeline.run import Run

_MOST_ENTRIES = 1000
"""Entries of a file that are looked at: fields are alike in all."""

_COCO_OWN = {"images": ("id",), "annotations": ("id", "image_id", "category_id", "bbox", "segmentation", "iscrowd")}


def available(run: Run) -> tuple[list[str], list[str]]:
    """Names of the columns of images, and of those of objects."""
    of_images = [] if run.metadata is None else list(run.metadata.columns)
    of_objects = [] if run.attributes is None else list(run.attributes.columns)
    if run.dataset is not None and run.dataset.origin is None:
        of_objects += run.dataset.attributes
    elif run.dataset is not None:
        content = _content(run)
        of_images += _scalars(content, "images")
        of_objects += _scalars(content, "annotations")
    of_images += ["image_id", *(["file_name"] if any(name is not None for name in run.file_names) else [])]
    if run.dataset is not None:
        of_images += ["width", "height"]
        of_objects += ["area", "size", "crowd", "ignore", "difficult", "group_of"]
    return list(dict.fromkeys(of_images)), list(dict.fromkeys(of_objects))


def _content(run: Run) -> dict[str, object]:
    """The file once more, this time by Python's reader: slow, and only to tell what it holds."""
    from boxscore.io.source import open_source

    origin = None if run.dataset is None else run.dataset.origin
    if isinstance(origin, dict):
        return origin
    if origin is None:
        return {}
    try:
        with open_source(origin, "ground truth") as source:
            content = json.loads(bytes(source.data))
    except (InputError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _scalars(content: dict[str, object], section: str) -> list[str]:
    entries = content.get(section)
    found: dict[str, None] = {}
    for entry in entries[:_MOST_ENTRIES] if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            found |= {name: None for name, value in entry.items() if isinstance(value, str | int | float)}
    return [name for name in found if name not in _COCO_OWN[section]]
