"""Which column of a table is what, by the names that people give them."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_IMAGE = ("image_id", "image", "imageid", "img_id")
_FILE = ("file_name", "filename", "file", "path", "image_path")
_LABEL = ("label", "class", "class_name", "category", "category_name", "label_name", "name")
_SCORE = ("score", "confidence", "conf", "probability")
_WIDTH = ("image_width", "img_width", "img_w", "image_w")
_HEIGHT = ("image_height", "img_height", "img_h", "image_h")
_FURTHER = {
    "area": ("area",),
    "crowd": ("crowd", "iscrowd", "is_crowd"),
    "ignore": ("ignore",),
    "difficult": ("difficult",),
    "group_of": ("group_of", "is_group_of", "isgroupof"),
}
BOXES: dict[str, tuple[tuple[str, ...], ...]] = {
    "xyxy": (("x1", "y1", "x2", "y2"), ("xmin", "ymin", "xmax", "ymax"), ("left", "top", "right", "bottom")),
    "cxcywh": (("cx", "cy", "w", "h"), ("cx", "cy", "width", "height"), ("x_center", "y_center", "width", "height")),
    "xywh": (("x", "y", "w", "h"), ("x", "y", "width", "height"), ("left", "top", "width", "height")),
}
"""Names of the four columns by what they are; the first set that is there is taken."""


class Named:
    """The columns found, by their own names; None where there is none.

    `boxes` are the four, `form` says what they are; `further` maps `area` and flags to columns; `others` are columns
    with names of their own.
    """

    def __init__(self, columns: Sequence[str], form: str | None = None) -> None:
        self._columns = list(columns)
        known = {name.strip().lower(): name for name in reversed(self._columns)}
        stated_id = _first(known, _IMAGE)
        self.file_name = _first(known, _FILE)
        self.image = stated_id or self.file_name
        self.image_is_file = stated_id is None
        self.label = _first(known, _LABEL)
        self.score = _first(known, _SCORE)
        self.width, self.height = _first(known, _WIDTH), _first(known, _HEIGHT)
        self.boxes, self.form = _boxes(known, form)
        self.further = {field: name for field, names in _FURTHER.items() if (name := _first(known, names)) is not None}
        used = {self.file_name, self.image, self.label, self.score, self.width, self.height}
        used |= {*(self.boxes or ()), *self.further.values()}
        self.others = [name for name in self._columns if name not in used]

    def told(self) -> list[str]:
        """The columns that are read, in words."""
        box = f"{'/'.join(self.boxes or ())} as {self.form}" if self.boxes else None
        return [name for name in (self.image, self.label, box, self.score) if name is not None]

    def check(self, path: str, *, score: bool) -> None:
        """Raises InputError that names what is missing and what there is."""
        wanted = [
            (self.image, "image_id (or file_name)"),
            (self.label, "label"),
            (self.boxes, "x, y, w, h (or x1, y1, x2, y2; or cx, cy, w, h)"),
        ]
        if score:
            wanted.append((self.score, "score"))
        for found, meant in wanted:
            if found is None:
                has = ", ".join(self._columns) or "none"
                raise InputError(f"{path}: there is no column {meant}; the columns are {has}: name one so")


def _first(known: dict[str, str], names: Sequence[str]) -> str | None:
    return next((known[name] for name in names if name in known), None)


def _boxes(known: dict[str, str], asked: str | None) -> tuple[tuple[str, ...] | None, str | None]:
    for form, sets in BOXES.items():
        for names in sets:
            if all(name in known for name in names):
                return tuple(known[name] for name in names), asked or form
    return None, None
