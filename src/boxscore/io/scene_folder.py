"""Scenes of a simulator: a `manifest.csv` with a row a scene, and a JSON file of boxes each.

A row names the scene (`scene_id`), its picture (`frame_path`) and its boxes (`gt_path`); its other columns, such as
`profile` or `camera_distance`, are fields of the image. Corners are continuous.
"""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import class_list, flat, json_files, scene_objects
from boxscore.io.form_options import FormOptions
from boxscore.io.given_sizes import GivenSizes
from boxscore.io.pictures import picture_size
from boxscore.model.given import shown
from boxscore.model.labels import LabelSet
from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset

    Row = dict[str, str]

MANIFEST = "manifest.csv"
SCENE, BOXES, PICTURE = "scene_id", "gt_path", "frame_path"
_NO_FIELDS = (SCENE, BOXES, PICTURE, "overlay_path")
_VISIBLE = "num_visible"
"""How many boxes a row says its scene has."""


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a folder with such a manifest, and of the manifest itself."""
    file = _manifest(Path(path))
    if not file.is_file() or file.name != MANIFEST:
        return None
    _, header = next(_lines(json_files.head(file).decode("utf-8", "replace")), (0, []))
    return "scenes: manifest.csv and a JSON file of boxes a scene" if {SCENE, BOXES} <= set(header) else None


def read_ground_truth(
    path: str | PathLike[str],
    options: FormOptions,
    reading: Reading,
    threads: int = 1,  # noqa: ARG001  part of the interface of forms
) -> Dataset:
    """Every row of the manifest is an image, called by `scene_id`; labels are in the order of their `class_id`.

    Clutter is left out, counted. Raises InputError that names file, row or entry, field and value.
    """
    file = _manifest(Path(path))
    rows = _rows(file)
    name = file.parent.name if Path(path).is_dir() else file.name
    columns = flat.Columns(name, unit="entry")
    sizes = GivenSizes(_without_pictures(options), [row[SCENE] for row in rows], file.parent)
    classes = scene_objects.Classes()
    for row in rows:
        size = _size(file, row, sizes)
        image = columns.add_image(row[SCENE], row.get(PICTURE) or row[SCENE], *size)
        columns.add_file(row[BOXES])
        scene_objects.read(_boxes_file(file, row), row[SCENE], image, columns, classes)
    labels = class_list.label_set(options) or LabelSet(*classes.declared(), name)
    fields = {field: _typed([row[field] for row in rows]) for field in rows[0] if field not in _NO_FIELDS}
    notes = _notes(columns, rows, classes, list(fields), options)
    dataset = flat.build_dataset(columns, reading, labels=labels, notes=notes)
    dataset.origin = _content(dataset, columns, fields)
    return dataset


def _manifest(path: Path) -> Path:
    return path / MANIFEST if path.is_dir() else path


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Cells of the lines that have any, blanks around them taken off, with the lines' numbers."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), skipinitialspace=True)
    for line in reader:
        cells = [cell.strip() for cell in line]
        if any(cells):
            yield reader.line_num, cells


def _rows(file: Path) -> list[Row]:
    """Rows of the manifest, blanks around their values taken off."""
    lines = list(_lines(json_files.text_of(file)))
    if len(lines) < 2:
        raise InputError(f"{file} names no scene; give a header and a row a scene")
    header = lines[0][1]
    lacking = [field for field in (SCENE, BOXES) if field not in header]
    if lacking:
        raise InputError(f"{file}: there is no column {lacking[0]}; it has {listed(header, 20)}")
    seen: dict[str, int] = {}
    for number, line in lines[1:]:
        if len(line) != len(header):
            raise InputError(f"{file} line {number} has {len(line)} values, and the header {len(header)} columns")
        row = dict(zip(header, line, strict=True))
        for field in (SCENE, BOXES):
            if not row[field]:
                raise InputError(f"{file} line {number}: {field} is missing; each scene has a name and a file of boxes")
        first = seen.setdefault(row[SCENE], number)
        if first != number:
            raise InputError(
                f"{file} line {number}: {SCENE} {shown(row[SCENE])} stands in line {first} already; name each once"
            )
    return [dict(zip(header, line, strict=True)) for _, line in lines[1:]]


def _boxes_file(file: Path, row: Row) -> Path:
    found = file.parent / row[BOXES]
    if not found.is_file():
        raise InputError(
            f"{file}, scene {row[SCENE]}: {BOXES} is {shown(row[BOXES])}, and there is no such file; paths go by the "
            "manifest's own folder"
        )
    return found


def _without_pictures(options: FormOptions) -> FormOptions:
    """What the options say of sizes, but for a folder of pictures: those of the manifest may all have one stem."""
    if options.images is None or not Path(options.images).is_dir():
        return options
    return FormOptions(img_size=options.img_size)


def _size(file: Path, row: Row, given: GivenSizes) -> tuple[float, float]:
    """As an option says; else that of the picture, where it is there."""
    stated = given.find(row[SCENE])
    if stated is not None:
        return stated
    picture = file.parent / row[PICTURE] if row.get(PICTURE) else None
    if picture is None or not picture.is_file():
        return float("nan"), float("nan")
    width, height = picture_size(picture)
    return float(width), float(height)


def _typed(cells: Sequence[str]) -> list[object]:
    """A column as whole numbers or numbers where all its values are such, else as texts; None where empty."""
    for kind in (int, float):
        try:
            numbers = [None if cell == "" else kind(cell) for cell in cells]
        except ValueError:
            continue
        if all(value is None or math.isfinite(value) for value in numbers):
            return list(numbers)
    return [cell or None for cell in cells]


def _notes(
    columns: flat.Columns, rows: Sequence[Row], classes: scene_objects.Classes, fields: list[str], options: FormOptions
) -> list[Note]:
    order = "by class_id (override: --classes)" if options.classes is None else "as given"
    message = (
        f"{columns.name}: {counted(len(rows), 'scene')} of {MANIFEST}, {counted(columns.num_rows, 'object')}; labels "
        f"{order}; fields of images: {listed(fields, 20) or 'none'}"
    )
    notes = [Note("read-as", message, len(rows))]
    if classes.clutter:
        left = f"{columns.name}: {counted(classes.clutter, 'object')} of clutter left out: it is no ground truth"
        notes.append(Note("clutter-left-out", left, classes.clutter))
    found = [0] * len(rows)
    for image in columns.image:
        found[image] += 1
    stated = [row.get(_VISIBLE, "") for row in rows]
    wrong = [place for place, text in enumerate(stated) if text and text != str(found[place])]
    if wrong:
        first = wrong[0]
        other = (
            f"{columns.name}: {counted(len(wrong), 'scene has', 'scenes have')} another number of objects than "
            f"{_VISIBLE} of {MANIFEST} says, first {rows[first][SCENE]}: {found[first]}, not {stated[first]}"
        )
        notes.append(Note("count-differs", other, len(wrong)))
    return notes


def _content(dataset: Dataset, columns: flat.Columns, fields: Mapping[str, Sequence[object]]) -> dict[str, Any]:
    """Fields of images and objects as COCO's content has them, of which slices are made in a second pass."""
    images = [
        {field: values[place] for field, values in fields.items() if values[place] is not None} | {"id": image_id}
        for place, image_id in enumerate(columns.image_ids)
    ]
    rows = len(next(iter(dataset.attributes.values()), ()))
    objects = [
        {name: values[row] for name, values in dataset.attributes.items() if values[row] is not None}
        for row in range(rows)
    ]
    return {"images": images, "annotations": objects, "categories": []}
