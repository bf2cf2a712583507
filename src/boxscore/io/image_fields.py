"""Fields of a data set's images beside COCO's own, such as `clip`: read when something asks, in a second pass."""

from __future__ import annotations

import json
import os
import stat

from boxscore.errors import InputError
from boxscore.io.coco import read_fields
from boxscore.model.given import shown
from boxscore.model.labels import id_text
from boxscore.model.notes import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.model.labels import Id
    from boxscore.model.tables import Dataset

_OWN = ("id", "file_name", "width", "height")


def readable(dataset: Dataset) -> bool:
    """Whether there is a COCO file (or its content) of which a second pass can read."""
    origin = dataset.origin
    if origin is None or isinstance(origin, dict):
        return origin is not None
    try:
        return stat.S_ISREG(os.stat(origin).st_mode)  # noqa: PTH116  what is given may be text
    except OSError:
        return False


def held(dataset: Dataset) -> list[str]:
    """Names of the further fields of a data set's images that it holds itself, without a file to read again."""
    origin = dataset.origin
    entries = origin.get("images") if isinstance(origin, dict) else None
    found: dict[str, None] = {}
    for entry in entries if isinstance(entries, list) else ():
        found |= {name: None for name, value in entry.items() if isinstance(value, str | int | float)}
    return [name for name in found if name not in _OWN]


def by_image(dataset: Dataset, fields: Sequence[str]) -> dict[str, list[object]]:
    """Values of the fields in the order of the data set's images; None where an image has none.

    Of other forms than COCO's JSON, such as tables, a field is a further column that all objects of an image agree in.

    Raises InputError where there is no such column, or objects disagree; and where a COCO file can't be read again, or
    holds other images by now.
    """
    name = dataset.source or "the ground truth"
    if dataset.origin is None:
        return {field: _of_objects(dataset, field, name) for field in fields}
    if not readable(dataset):
        raise InputError(
            f"{name}: fields of images are read in a second pass, for which the file is gone, or is none (a pipe); "
            "give a file that stays"
        )
    table = read_fields(dataset.origin, "images", ["id", *fields])
    known = dataset.image_ids
    entries = {_id(value, known): row for row, value in enumerate(table.column("id").to_list())}
    places = [entries.get(id_) for id_ in known]
    if known and all(place is None for place in places):
        raise InputError(f"{name} was changed since it was read: it holds none of these images; read it again")
    found: dict[str, list[object]] = {}
    for field in fields:
        stated = table.column(field).to_list()
        found[field] = [None if place is None else stated[place] for place in places]
    return found


def with_groups(dataset: Dataset, field: str) -> Dataset:
    """The data set with its images grouped (by clip, session, camera) by a field of the file's images.

    Raises InputError where no image has the field; an image without it has no group.
    """
    stated = by_image(dataset, [field])[field]
    if all(value is None for value in stated):
        raise InputError(f"{dataset.source or 'the ground truth'}: no image has a field {field!r} to group by")
    groups = [None if value is None else str(value) for value in stated]
    grouped = dataset.with_kernel(dataset.kernel.with_groups(groups))
    grouped.grouped_by = field
    return grouped


def _id(value: object, known: Sequence[Id]) -> object:
    """An id as the data set has it: 1.0 is 1; ids of both kinds come as JSON text."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and any(isinstance(one, int) for one in known):
        try:
            return _id(json.loads(value), ())
        except ValueError:
            return value
    return value


def _of_objects(dataset: Dataset, field: str, name: str) -> list[object]:
    """A field of each image by that of its objects."""
    if field not in dataset.attributes:
        has = f"there are {listed(list(dataset.attributes))}" if dataset.attributes else "there is none"
        raise InputError(
            f"{name}: its boxes have no further field {field!r} to group their images by ({has}); name another, or "
            "group by file names"
        )
    stated, table = dataset.attributes[field], dataset.ground_truth
    found: list[object] = [None] * dataset.num_images
    pairs = zip(table.column("image").to_list(), table.column("source_row").to_list(), strict=True)
    for image, row in ((int(image or 0), int(row or 0)) for image, row in pairs):
        if found[image] not in (None, stated[row]):
            raise InputError(
                f"{name}: objects of image {id_text(dataset.image_ids[image])} have several values of {field!r}, "
                f"{shown(found[image])} and {shown(stated[row])}; group by a field that an image has one value of"
            )
        found[image] = stated[row]
    return found
