"""Fields of the objects in answers: four numbers of a box, however they stand, labels and scores."""

from __future__ import annotations

import math
import re

from boxscore.model.given import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.model.labels import Id

    Numbers = tuple[float, float, float, float]

_CORNERS = {
    ("x1", "y1", "x2", "y2"): "xyxy",
    ("xmin", "ymin", "xmax", "ymax"): "xyxy",
    ("x_min", "y_min", "x_max", "y_max"): "xyxy",
    ("left", "top", "right", "bottom"): "xyxy",
    ("x", "y", "w", "h"): "xywh",
    ("x", "y", "width", "height"): "xywh",
    ("left", "top", "width", "height"): "xywh",
    ("cx", "cy", "w", "h"): "cxcywh",
}
"""Boxes whose numbers have names, which say their order."""

_MOST = 1e9
"""No picture has so many pixels in a row; a model that repeats itself writes such numbers."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def four(box: object) -> tuple[Numbers, str | None] | None:
    """Four numbers that could be of a picture, and their order where they have names; None for anything else."""
    if isinstance(box, dict):
        return named({folded(key): field for key, field in box.items()})
    if isinstance(box, str):
        box = _NUMBER.findall(box)
    if isinstance(box, list) and len(box) == 2 and all(isinstance(one, list) and len(one) == 2 for one in box):
        box = [*box[0], *box[1]]
    if not isinstance(box, list) or len(box) != 4:
        return None
    a, b, c, d = (number_of(value) for value in box)
    if a is None or b is None or c is None or d is None or max(map(abs, (a, b, c, d))) > _MOST:
        return None
    return (a, b, c, d), None


def named(fields: dict[str, Any]) -> tuple[Numbers, str | None] | None:
    """Four numbers that stand under names of their own, such as `x1`, and their order."""
    for names, order in _CORNERS.items():
        if all(name in fields for name in names):
            found = four([fields[name] for name in names])
            if found is not None:
                return found[0], order
    return None


def at(field: object, place: int) -> object:
    """One of a list's values; the value itself where there is no list."""
    if not isinstance(field, list):
        return field
    return field[place] if place < len(field) else None


def first(fields: dict[str, Any], keys: tuple[str, ...]) -> object:
    """What stands under the first of these keys that is there."""
    return next((fields[key] for key in keys if fields.get(key) is not None), None)


def text_or_number(value: object) -> Id | None:
    """A label: a text without outer blanks, or a whole number, which is an id."""
    if isinstance(value, str):
        return value.strip() or None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def number_of(value: object) -> float | None:
    """A finite number, also where it stands as text or in percent."""
    if isinstance(value, str):
        text = value.strip()
        share = 100.0 if text.endswith("%") else 1.0
        try:
            stated: float | None = float(text.removesuffix("%")) / share
        except ValueError:
            return None
    else:
        stated = number(value)
    return None if stated is None or not math.isfinite(stated) else float(stated)


def folded(key: object) -> str:
    """A key as keys are compared: `Box-2D` is `box_2d`."""
    return str(key).strip().lower().replace(" ", "_").replace("-", "_")
