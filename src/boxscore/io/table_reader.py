"""Rows of a table file to columns of boxes."""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import flat, frames, image_names
from boxscore.io.given_sizes import GivenSizes
from boxscore.io.losses import FLAGS
from boxscore.io.table_columns import Named
from boxscore.model.given import shown
from boxscore.model.labels import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    import polars as pl

    from boxscore.io.form_options import FormOptions
    from boxscore.model.labels import Id

    Box = tuple[float, float, float, float]
    Numbers = Sequence[float | None]

_NAN = float("nan")
_WORDS = {"true": True, "false": False}

EMPTY, WHOLE, TEXT = "empty", "whole", "text"
_READERS: dict[str, Callable[[str], object]] = {"bool": lambda text: _WORDS[text.lower()], "int": int, "float": float}


class TableReader:
    """Reads one table. `named` says which columns are read, `coords` in words what their numbers are.

    `batch` are some rows of it, from row `first` (from 0) on, and `kinds` what its texts are in all rows.
    Raises InputError for a file that is no such table.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        options: FormOptions,
        *,
        predictions: bool,
        batch: pl.DataFrame | None = None,
        first: int = 0,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        self._path = Path(path)
        self._frame = frames.read(path) if batch is None else batch
        self._first = first
        self._kinds = kinds or {}
        self._predictions = predictions
        self._relative = options.coords == "rel"
        self._options = options
        self.named = Named(self._frame.columns, options.boxes)
        self.named.check(str(path), score=predictions)
        self.coords = "shares of the image's size, as asked for" if self._relative else "pixels (override: --coords)"

    def columns(self) -> flat.Columns:
        """All rows. Raises InputError that names line, column and value."""
        columns = flat.Columns(self._path.name, noun="detection" if self._predictions else "annotation")
        columns.add_file(columns.name)
        images = self.images(columns)
        labels = frames.texts(self._frame, str(self.named.label))
        boxes = [self._numbers(name) for name in self.named.boxes or ()]
        scores = self._numbers(self.named.score) if self._predictions else None
        areas = self._numbers(self.named.further.get("area"))
        flags = {flag: self._flags(name) for flag, name in self.named.further.items() if flag in FLAGS}
        others = {} if self._predictions else {name: self._typed(name) for name in self.named.others}
        for row, label in enumerate(labels):
            if label is None and not self._predictions and all(column[row] is None for column in boxes):
                continue  # an image without boxes
            if label is None:
                raise InputError(f"{self._place(row)}: {self.named.label} is missing; give the label's name")
            columns.add(
                images[row],
                label,
                self._box(columns, images[row], boxes, row),
                self._line(row),
                score=_NAN if scores is None else self._needed(scores, self.named.score, row),
                area=_or_nan(areas[row]),
                flags=[flag for flag, values in flags.items() if values[row]],
                attributes={name: values[row] for name, values in others.items()},
            )
        return columns

    def _place(self, row: int) -> str:
        return f"{self._path} line {self._line(row)}"

    def _line(self, row: int) -> int:
        return self._first + row + 2

    def images(self, columns: flat.Columns) -> list[int]:
        """The image of each row, added to the columns where it is new. Raises InputError for a row without one."""
        named = self.named
        name = str(named.image)
        all_texts = self._path.suffix.lower() in frames.SEPARATORS
        ids = _ids(self._frame[name].to_list(), all_texts=all_texts, kind=self._kinds.get(name))
        nothing: list[str | None] = [None] * self._frame.height
        files = nothing if named.file_name is None else frames.texts(self._frame, named.file_name)
        widths, heights = self._numbers(named.width), self._numbers(named.height)
        known = GivenSizes(self._options, [str(id_) for id_ in ids if id_ is not None], self._path.parent)
        found = []
        for row, (stated, file_name, width, height) in enumerate(zip(ids, files, widths, heights, strict=True)):
            if stated is None:
                raise InputError(f"{self._place(row)}: {named.image} is missing; give it in every row")
            id_ = image_names.stem(str(stated)) if named.image_is_file else stated
            size = (_or_nan(width), _or_nan(height))
            if width is None:
                size = known.find(str(id_)) or size
            found.append(columns.add_image(id_, file_name, *size))
        return found

    def _box(self, columns: flat.Columns, image: int, boxes: Sequence[Numbers], row: int) -> Box:
        names = self.named.boxes or ()
        a, b, c, d = (self._needed(values, name, row) for values, name in zip(boxes, names, strict=True))
        if self._relative:
            width, height = columns.sizes[2 * image], columns.sizes[2 * image + 1]
            if width != width:  # noqa: PLR0124  NaN: not known
                raise InputError(
                    f"{self._place(row)}: shares of an image whose size isn't known; add columns image_width and "
                    "image_height, or give a table of sizes with --images, or one size with --img-size"
                )
            a, b, c, d = a * width, b * height, c * width, d * height
        if self.named.form == "xyxy":
            return a, b, c - a, d - b
        return (a - c / 2, b - d / 2, c, d) if self.named.form == "cxcywh" else (a, b, c, d)

    def _needed(self, values: Numbers, name: str | None, row: int) -> float:
        value = values[row]
        if value is None:
            raise InputError(f"{self._place(row)}: {name} is missing; give a number")
        return value

    def _numbers(self, name: str | None) -> Numbers:
        if name is None:
            return [None] * self._frame.height
        return frames.numbers(self._frame, name, self._path, self._first)[0]

    def _typed(self, name: str) -> list[object]:
        values = self._frame[name].to_list()
        return typed(values, self._kinds.get(name) or kind_of(values))

    def _flags(self, name: str) -> list[bool]:
        found = []
        for row, value in enumerate(self._typed(name)):
            if value not in (None, 0, 1):
                raise InputError(f"{self._place(row)}: {name} is {shown(value)}; it must be 0 or 1")
            found.append(bool(value))
        return found


def _or_nan(value: float | None) -> float:
    return _NAN if value is None else value


def _ids(values: Sequence[object], *, all_texts: bool, kind: str | None) -> list[Id | None]:
    """Image ids. CSV's, which are `all_texts`, become whole numbers where all can; other types say their kind."""
    stated = [None if value is None or value == "" else value for value in values]
    if not all_texts:
        return [value if isinstance(value, int | None) else _id(value) for value in stated]
    if (kind or ids_kind(stated)) == WHOLE:
        return [None if value is None else whole(str(value)) for value in stated]
    return [None if value is None else str(value) for value in stated]


def ids_kind(values: Sequence[object]) -> str:
    """Whether texts are all whole numbers, where they are anything: `WHOLE` or `TEXT`."""
    return WHOLE if all(value is None or value == "" or whole(str(value)) is not None for value in values) else TEXT


def _id(value: object) -> Id:
    return int(value) if isinstance(value, float) and value.is_integer() else str(value)


def kind_of(values: Sequence[object]) -> str:
    """What all texts of a column can be read as: the first of `_READERS` that does it, or as they stand (`TEXT`)."""
    texts = [value for value in values if value is not None and value != ""]
    if not texts:
        return EMPTY
    if not all(isinstance(value, str) for value in texts):
        return TEXT
    return next((kind for kind in _READERS if _reads(kind, texts)), TEXT)


def joint_kind(kinds: Sequence[str]) -> str:
    """The kind of a column whose pieces are of these."""
    found = set(kinds) - {EMPTY}
    if found == {"int", "float"}:
        return "float"
    return TEXT if len(found) > 1 else next(iter(found), EMPTY)


def typed(values: Sequence[object], kind: str) -> list[object]:
    """CSV's texts as values of their kind; other types as they stand."""
    if kind == EMPTY:
        return list(values)
    texts = [None if value is None or value == "" else value for value in values]
    if kind == TEXT:
        return list(values) if any(not isinstance(value, str | None) for value in texts) else [*texts]
    read = _READERS[kind]
    return [None if text is None else read(str(text)) for text in texts]


def _reads(kind: str, texts: Sequence[object]) -> bool:
    try:
        for text in texts:
            _READERS[kind](str(text))
    except (KeyError, ValueError):
        return False
    return True
