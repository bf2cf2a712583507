"""LabelMe: a folder with one JSON file an image, `shapes` with `label`, `points` and `shape_type`.

Corners are continuous. Flags such as `difficult` stand in a shape's `flags`.
"""

from __future__ import annotations

import json
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import class_list, file_lists, filling, flat, image_names, json_files, losses, table_rows
from boxscore.io.field_values import name_in, number_of
from boxscore.io.shapes import box_around, box_of_circle
from boxscore.model.given import number, shown
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import Any

    from boxscore.io.filling import Filling
    from boxscore.io.form_options import FormOptions
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset

ATTRIBUTES = ("truncated", "occluded")
_AROUND = ("rectangle", "polygon", "circle", "mask")


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a JSON file with `shapes` and `imagePath` (or a folder whose first JSON file is one)."""
    first = file_lists.first_file(Path(path), ".json")
    if first is None or not json_files.head(first, 1).startswith(b"{"):
        return None
    try:
        content = json_files.load(first)
    except InputError:
        return None
    if "shapes" not in content or "imagePath" not in content:
        return None
    return "LabelMe JSON: shapes with points, a file an image"


def read_ground_truth(
    path: str | PathLike[str],
    options: FormOptions,
    reading: Reading,
    threads: int = 1,  # noqa: ARG001  part of the interface of forms
) -> Dataset:
    """Every `.json` below the folder is an image, also one without shapes; ids are paths of files without suffix.

    Polygons, masks and circles become the boxes around them; other shapes are left out, counted. Raises InputError
    that names file, shape, field and value.
    """
    return filling.dataset_of(_Filling(path, options), reading)


def fill_ground_truth(path: str | PathLike[str], options: FormOptions) -> Filling:
    """The same a file at a time."""
    return _Filling(path, options)


def write_ground_truth(
    dataset: Dataset,
    path: str | PathLike[str],
    options: FormOptions,  # noqa: ARG001  part of the interface of forms
) -> list[str]:
    """Write a folder with a file an image, rectangles by two corners. Returns what is lost."""
    root = Path(path)
    root.mkdir(parents=True, exist_ok=True)
    objects = table_rows.objects_by_image(dataset)
    images = {name: dataset.images.column(name).to_list() for name in ("file_name", "width", "height")}
    for image, stem in enumerate(image_names.stems_of(dataset)):
        content: dict[str, object] = {
            "version": "5.0.0",
            "flags": {},
            "shapes": [_shape(row) for row in objects.get(image, ())],
            "imagePath": images["file_name"][image] or stem,
            "imageData": None,
            "imageHeight": _whole(images["height"][image]),
            "imageWidth": _whole(images["width"][image]),
        }
        file = root / f"{stem}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return losses.of_ground_truth(
        dataset, flags=losses.FLAGS, attributes=ATTRIBUTES, file_names=True, sizes=True, empty_images=True
    )


class _Filling:
    """See `filling.Filling`."""

    corner_convention = "continuous"

    def __init__(self, path: str | PathLike[str], options: FormOptions) -> None:
        self._path, self._options = path, options
        self._files = file_lists.files_below(Path(path), ".json", "LabelMe annotations")
        self._kinds: dict[str, int] = {}
        self.columns = flat.Columns(Path(path).name or str(path), unit="shape")
        self.labels = class_list.label_set(options)

    def steps(self) -> Iterator[None]:
        """A file each."""
        for file, name in self._files:
            _read_file(file, name, self.columns, self._kinds)
            yield

    def notes(self) -> list[Note]:
        """How many files there are, and shapes that are no rectangles."""
        name, files = self.columns.name, counted(len(self._files), "file")
        message = f"{name}: LabelMe JSON, {files}; labels {class_list.told(self._options)}"
        notes = [Note("read-as", message, len(self._files))]
        for kind, count in self._kinds.items():
            if kind in _AROUND:
                notes.append(Note(f"{kind}-box", f"{name}: {counted(count, kind)} read as the box around it", count))
            else:
                left = f"{name}: {counted(count, f'shape of type {kind}', f'shapes of type {kind}')} left out"
                notes.append(Note("shape-left-out", f"{left}: it has no box", count))
        return notes


def _read_file(file: Path, name: str, columns: flat.Columns, kinds: dict[str, int]) -> None:
    content = json_files.load(file)
    shapes = content.get("shapes") if isinstance(content, dict) else None
    if not isinstance(shapes, list):
        raise InputError(f"{file}: shapes is {shown(shapes)}; LabelMe's file is an object with a list of shapes")
    columns.add_file(f"{name}.json")
    size = (number(content.get(field)) or float("nan") for field in ("imageWidth", "imageHeight"))
    file_name = content.get("imagePath")
    image = columns.add_image(name, file_name if isinstance(file_name, str) and file_name else None, *size)
    for position, shape in enumerate(shapes, 1):
        place = f"{file} shape {position}"
        if not isinstance(shape, dict):
            raise InputError(f"{place} is {shown(shape)}; it must be an object")
        label = name_in(str(shape.get("label") or ""), "label", place)
        kind = str(shape.get("shape_type") or "polygon")
        if kind != "rectangle":
            kinds[kind] = kinds.get(kind, 0) + 1
        if kind not in _AROUND:
            continue
        stated = shape.get("flags") or {}
        attributes = {key: stated[key] for key in ATTRIBUTES if key in stated}
        flags = [flag for flag in losses.FLAGS if stated.get(flag)]
        columns.add(image, label, _box(shape, kind, place), position, flags=flags, attributes=attributes)


def _box(shape: dict[str, Any], kind: str, place: str) -> tuple[float, float, float, float]:
    stated = shape.get("points")
    least = 3 if kind == "polygon" else 2
    if not isinstance(stated, list) or len(stated) < least or any(not _is_pair(point) for point in stated):
        raise InputError(f"{place}: points is {shown(stated)}; a {kind} has at least {least} points [x, y]")
    points = [(number_of(x, "points", place), number_of(y, "points", place)) for x, y in stated]
    return box_of_circle(points[0], points[1]) if kind == "circle" else box_around(points)


def _is_pair(point: object) -> bool:
    return isinstance(point, list) and len(point) == 2


def _shape(row: table_rows.Object) -> dict[str, object]:
    x, y, w, h = row.box
    attributes = {name: value for name in ATTRIBUTES if (value := row.attributes.get(name)) is not None}
    return {
        "label": row.label,
        "points": [[x, y], [x + w, y + h]],
        "group_id": None,
        "shape_type": "rectangle",
        "flags": {**dict.fromkeys(row.flags, True), **attributes},
    }


def _whole(value: object) -> float | int | None:
    if not isinstance(value, int | float):
        return None
    return int(value) if value == int(value) else value
