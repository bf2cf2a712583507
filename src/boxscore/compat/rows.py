"""From lists of dicts to flat columns, and one clear error where a row does not have what it must."""

from array import array
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import chain, compress
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from boxscore.compat.params import Settings
from boxscore.compat.sources import Row, rows_by_image, table_of
from boxscore.errors import InputError
from boxscore.io.places import Places

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Annotations or detections of the evaluated images and categories, by image, then file order.

    `image` and `label` (n,) count in `Settings.image_ids` and `Settings.category_ids`; `boxes` (n, 4) are x, y, w, h in
    pixels. `area` (n,) is the one stated, NaN where none is. Ground truth has `crowd` and `ignore`, detections `score`.
    """

    name: str
    image: npt.NDArray[np.uint32]
    label: npt.NDArray[np.uint32]
    boxes: Floats
    area: Floats
    ids: list[Any]
    flags: Mapping[str, npt.NDArray[np.uint8]]
    score: Floats

    def place(self, row: int, images: list[Any]) -> str:
        """A row as messages call it."""
        return f"{self.name} annotation {self.ids[row]!r} of image {images[self.image[row]]!r}"


class RowPlaces(Places):
    """Names of the rows of a COCO object: by annotation id and image id, since they came from no file."""

    __slots__ = ("_images", "_rows")

    def __init__(self, rows: Rows, images: list[Any], noun: str) -> None:
        super().__init__(rows.name, noun)
        self._rows = rows
        self._images = images

    def row(self, row: int) -> str:
        """`cocoDt annotation 7 of image 139`."""
        return self._rows.place(row, self._images)

    def first(self, row: int) -> str:
        """The row inside a sentence that has named the object."""
        return f"first annotation {self._rows.ids[row]!r}"


def read_objects(coco: Any, settings: Settings) -> Rows:
    """Ground truth. Raises InputError that names row and field."""
    return _read(coco, settings, "cocoGt", scored=False)


def read_detections(coco: Any, settings: Settings) -> Rows:
    """Detections. Raises InputError that names row and field."""
    return _read(coco, settings, "cocoDt", scored=True)


def _read(coco: Any, settings: Settings, name: str, *, scored: bool) -> Rows:
    table = table_of(coco)
    if table is not None and table.scored == scored:
        tabled: Rows = table.rows(settings)
        return tabled
    rows, image, label = _placed(rows_by_image(coco, name), settings, name)
    # The area of a detection is stated by loadRes, and then its box's.
    areas = [np.nan if (area := row.get("area")) is None else area for row in rows]
    return Rows(
        name=name,
        image=image,
        label=label,
        boxes=_boxes(rows, name),
        area=_numbers(rows, areas, "area", name),
        ids=[row.get("id") for row in rows],
        flags={} if scored else {field: _flags(rows, field) for field in ("iscrowd", "ignore")},
        score=_numbers(rows, [row.get("score") for row in rows], "score", name) if scored else np.empty(0),
    )


def _placed(
    index: Mapping[Any, Any], settings: Settings, name: str
) -> tuple[list[Row], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Rows of the evaluated images and categories, with the positions of both."""
    groups = [index.get(image, ()) for image in settings.image_ids]
    rows: list[Row] = list(chain.from_iterable(groups))
    image = np.repeat(np.arange(len(groups), dtype=np.uint32), [len(group) for group in groups])
    position = {category: place for place, category in enumerate(settings.category_ids)}
    try:
        label = np.array([position.get(row["category_id"], -1) for row in rows], dtype=np.int64)
    except (KeyError, TypeError):
        _refuse(rows, "category_id", name)
    kept = label >= 0
    if not kept.all():
        rows, image, label = list(compress(rows, kept)), image[kept], label[kept]
    return rows, image, label.astype(np.uint32)


def _boxes(rows: list[Row], name: str) -> Floats:
    boxes: list[Any] = [row.get("bbox") for row in rows]
    try:
        if set(map(len, boxes)) - {4}:
            _refuse(rows, "bbox", name)
        return np.array(array("d", list(chain.from_iterable(boxes)))).reshape(-1, 4)
    except (TypeError, OverflowError):
        _refuse(rows, "bbox", name)


def _numbers(rows: list[Row], values: list[Any], field: str, name: str) -> Floats:
    # array refuses text, which NumPy would read as a number.
    try:
        return np.array(array("d", values))
    except (TypeError, OverflowError):
        _refuse(rows, field, name)


def _flags(rows: list[Row], field: str) -> npt.NDArray[np.uint8]:
    return np.array([1 if row.get(field) else 0 for row in rows], dtype=np.uint8)


def _refuse(rows: list[Row], field: str, name: str) -> NoReturn:
    """Raise InputError for the first row whose field is not what it must be."""
    is_right, meant = _FORMS[field]
    row = next(row for row in rows if not is_right(row.get(field)))
    where = f"{name} annotation {row.get('id')!r} of image {row.get('image_id')!r}"
    found = f"is {row[field]!r}" if field in row else f"is missing (it has {', '.join(map(str, row))})"
    raise InputError(f"{where}: {field} {found}; it must be {meant}: mend the row")


def _is_number(value: Any) -> bool:
    try:
        array("d", [value])
    except (TypeError, OverflowError):
        return False
    return True


def _is_box(value: Any) -> bool:
    return hasattr(value, "__len__") and len(value) == 4 and all(map(_is_number, value))


_FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "bbox": (_is_box, "a list of four numbers, x, y, width, height"),
    "category_id": (lambda value: isinstance(value, Hashable) and value is not None, "a whole number or a text"),
    "score": (_is_number, "a number"),
    "area": (lambda value: value is None or _is_number(value), "a number"),
}
