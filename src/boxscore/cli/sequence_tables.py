"""Misses in a row and flicker, for people."""

from __future__ import annotations

from boxscore.cli.tables import aligned, figure
from boxscore.model.measure import threshold_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MOST_OBJECTS = 20


def sequences(found: Mapping[str, Any]) -> list[str]:
    """A table of labels, and one of the objects that are missed longest."""
    lines = [f"Images in order ({found['order']}), at IoU {threshold_text(found['iou'])}: longest runs of images"]
    body = [
        [
            one["label"],
            str(one["images"]),
            _run(one["any_missed"]),
            _run(one["none_found"]),
            *([str(one["objects"]), str(one["changes"]), figure(one["flicker"])] if found["track_by"] else []),
        ]
        for one in found["labels"]
        if one["images"]
    ]
    head = [
        "label",
        "images",
        "with a miss",
        "none found",
        *(["objects", "changes", "flicker"] if found["track_by"] else []),
    ]
    lines += aligned(head, body)
    if not found["track_by"]:
        return [*lines, "no field of the objects says which are the same one (track_id, object_id, …)"]
    objects = [one for one in found["objects"] if one["longest_missed"]["length"]]
    rows = [
        [
            f"{one['label']} {one['track']}",
            one["group"],
            str(one["images"]),
            str(one["found"]),
            _run(one["longest_missed"]),
            str(one["changes"]),
        ]
        for one in objects[:_MOST_OBJECTS]
    ]
    lines += ["", *aligned(["object", "group", "images", "found", "missed in a row", "changes"], rows)]
    more = len(objects) - _MOST_OBJECTS
    return [*lines, f"{more} more objects are missed in shorter runs"] if more > 0 else lines


def _run(one: Mapping[str, Any]) -> str:
    if not one["length"]:
        return "0"
    where = str(one["first"]) if one["length"] == 1 else f"{one['first']}..{one['last']}"
    return f"{one['length']} ({where})"
