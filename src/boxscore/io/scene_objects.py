"""The boxes of one scene: a JSON list of `box` (x_min, y_min, x_max, y_max), `class_id`, `class_name` and `tier`."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import json_files
from boxscore.io.field_values import name_in, number_of
from boxscore.model.given import shown, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from boxscore.io import flat

ATTRIBUTES = ("tier", "object_id")
_CORNERS = ("x_min", "y_min", "x_max", "y_max")
_CLUTTER = "clutter"
_CLUTTER_CLASS = 9


class Classes:
    """The classes met so far, by number; `clutter`: how many boxes of it were left out."""

    __slots__ = ("_first", "_names", "clutter")

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._first: dict[str, tuple[int, str]] = {}
        self.clutter = 0

    def add(self, number: int, name: str, place: str) -> None:
        """Note a class. Raises InputError where its number had another name before, or its name another number."""
        known = self._names.setdefault(number, name)
        before, where = self._first.setdefault(name, (number, place))
        if known != name:
            where = self._first[known][1]
            raise InputError(
                f"{place}: class_id {number} is {shown(name)}, and {where} has it as {shown(known)}; give a class one "
                "name"
            )
        if before != number:
            raise InputError(
                f"{place}: {shown(name)} has class_id {number}, and {where} has it as {before}; give a class one number"
            )

    def declared(self) -> tuple[list[int], list[str]]:
        """Numbers and names."""
        return list(self._names), list(self._names.values())


def read(file: Path, scene: str, image: int, columns: flat.Columns, classes: Classes) -> None:
    """Add the boxes of a scene's file to the columns, as those of an image (its position). Raises InputError."""
    content = json_files.load(file)
    if not isinstance(content, list):
        raise InputError(f"{file} holds {shown(content)}; a scene is a list of objects with a box and a class_name")
    for position, entry in enumerate(content, 1):
        place = f"{file} entry {position}"
        if not isinstance(entry, dict):
            raise InputError(f"{place} is {shown(entry)}; it must be an object")
        if "scene_id" in entry and entry["scene_id"] != scene:
            raise InputError(
                f"{place}: scene_id is {shown(entry['scene_id'])}, and the manifest names this file for scene {scene}"
            )
        _add(entry, place, image, position, columns, classes)


def _add(entry: dict[str, Any], place: str, image: int, position: int, columns: flat.Columns, classes: Classes) -> None:
    stated = entry.get("class_name")
    name = name_in(stated if isinstance(stated, str) else None, "class_name", place)
    number = whole_number(entry.get("class_id"))
    if number is None:
        raise InputError(f"{place}: class_id is {shown(entry.get('class_id'))}; it must be a whole number")
    if number == _CLUTTER_CLASS or _CLUTTER in (name, entry.get("tier")):
        classes.clutter += 1
        return
    classes.add(number, name, place)
    attributes = {field: entry[field] for field in ATTRIBUTES if isinstance(entry.get(field), str | int)}
    columns.add(image, name, _box(entry.get("box"), place), position, attributes=attributes)


def _box(stated: object, place: str) -> tuple[float, float, float, float]:
    if not isinstance(stated, dict):
        raise InputError(f"{place}: box is {shown(stated)}; it must be an object with {', '.join(_CORNERS)}")
    x1, y1, x2, y2 = (number_of(stated.get(corner), f"box.{corner}", place) for corner in _CORNERS)
    return x1, y1, x2 - x1, y2 - y1
