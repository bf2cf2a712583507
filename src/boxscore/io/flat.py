"""Boxes in flat columns, as readers of files gather them, to kernel tables."""

from __future__ import annotations

from array import array

from boxscore.io import image_names
from boxscore.io.findings import notes_of
from boxscore.io.labelling import Labelling
from boxscore.io.places import Places
from boxscore.model.labels import LabelSet, id_text
from boxscore.model.notes import Note, counted, listed
from boxscore.model.tables import Dataset, Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading

FLAGS = ("crowd", "ignore", "difficult", "group_of")
_OF_ROWS = ("file", "line", "image", "label", "boxes", "scores", "areas", "flags", "attributes")
_NAN = float("nan")
_MOST_NAMED = 10
"""Boxes without a size that are named one by one."""


class Columns:
    """Images, labels and boxes in the order of the files. `name` is that of the file or folder, for messages.

    Boxes are x, y, w, h in pixels. Labels are texts (names) or, for predictions alone, numbers (ids). A row stands in
    file `files[file]` as number `line` of what `unit` says (`line`, `object`, `entry`).
    """

    def __init__(self, name: str, *, noun: str = "annotation", unit: str = "line") -> None:
        self.name = name
        self.noun = noun
        self.unit = unit
        self.files: list[str] = []
        self.image_ids: list[Id] = []
        self.file_names: list[str | None] = []
        self.sizes = array("d")
        self.label_names: list[Id] = []
        self._images: dict[Id, int] = {}
        self._labels: dict[Id, int] = {}
        self._before = 0
        self._clear_rows()

    def _clear_rows(self) -> None:
        self.file: Any = array("I")
        self.line: Any = array("I")
        self.image: Any = array("I")
        self.label: Any = array("I")
        self.boxes: Any = array("d")
        self.scores: Any = array("d")
        self.areas: Any = array("d")
        self.flags: dict[str, Any] = {flag: bytearray() for flag in FLAGS}
        self.attributes: dict[str, list[object]] = {}

    def take_rows(self) -> dict[str, Any]:
        """The columns of all rows, which are let go of, and stay counted in `total`; images and labels stay here."""
        taken = {name: getattr(self, name) for name in _OF_ROWS}
        self._before += self.num_rows
        self._clear_rows()
        return taken

    def add_image(self, image_id: Id, file_name: str | None = None, width: float = _NAN, height: float = _NAN) -> int:
        """Position of an image, declared now or before."""
        position = self._images.setdefault(image_id, len(self.image_ids))
        if position == len(self.image_ids):
            self.image_ids.append(image_id)
            self.file_names.append(file_name)
            self.sizes.extend((width, height))
        return position

    def add_label(self, label: Id) -> int:
        """Position of a label, declared now or before."""
        position = self._labels.setdefault(label, len(self.label_names))
        if position == len(self.label_names):
            self.label_names.append(label)
        return position

    def add_file(self, name: str) -> None:
        """Rows that follow stand in this file."""
        self.files.append(name)

    def add(
        self,
        image: int,
        label: Id,
        box: tuple[float, float, float, float],
        line: int,
        *,
        score: float = _NAN,
        area: float = _NAN,
        flags: Sequence[str] = (),
        attributes: Mapping[str, object] | None = None,
    ) -> None:
        """Add a row of the last file."""
        row = len(self.image)
        self.image.append(image)
        self.label.append(self.add_label(label))
        self.boxes.extend(box)
        self.scores.append(score)
        self.areas.append(area)
        self.file.append(max(len(self.files) - 1, 0))
        self.line.append(line)
        for flag, column in self.flags.items():
            column.append(flag in flags)
        for name, value in (attributes or {}).items():
            column = self.attributes.setdefault(name, [])
            column.extend([None] * (row - len(column)))
            column.append(value)

    @property
    def num_rows(self) -> int:
        """Number of boxes."""
        return len(self.image)

    @property
    def total(self) -> int:
        """Number of boxes, those taken included."""
        return self._before + self.num_rows

    def scale(self, row: int) -> tuple[float, float]:
        """Width and height of a row's image."""
        image = self.image[row]
        return self.sizes[2 * image], self.sizes[2 * image + 1]


class FlatPlaces(Places):
    """Names of rows by file and line, or object: `a.xml object 3`. `rows`: those that are left, None: all."""

    __slots__ = ("_columns", "_rows")

    def __init__(self, columns: Columns, rows: Sequence[int] | None = None) -> None:
        super().__init__(columns.name, columns.noun)
        self._columns = columns
        self._rows = rows

    def row(self, row: int) -> str:
        """The row by file and line."""
        columns = self._columns
        row = row if self._rows is None else self._rows[row]
        file = columns.files[columns.file[row]] if columns.files else columns.name
        return f"{file} {columns.unit} {columns.line[row]}"

    def first(self, row: int) -> str:
        """The row inside a sentence: `first a.xml object 3`."""
        return f"first {self.row(row)}"


def build_dataset(
    columns: Columns,
    reading: Reading,
    *,
    labels: LabelSet | None = None,
    notes: Sequence[Note] = (),
    corner_convention: str = "continuous",
) -> Dataset:
    """Ground truth. Labels are those given (rows of others are refused, or dropped as `reading` says), else those of
    the columns, in their order. Raises InputError for what `reading` doesn't let pass.
    """
    from boxscore import _kernel

    known = labels or LabelSet.from_names([str(name) for name in columns.label_names])
    places = FlatPlaces(columns)
    numbers, label_notes = _label_numbers(columns, known, known, reading, places)
    rows = _rows_kept(columns, numbers)
    if rows is not None:
        columns, places = _selected(columns, rows), FlatPlaces(columns, rows)
    areas = columns.areas if any(area == area for area in columns.areas) else None  # noqa: PLR0124  NaN: not stated
    kernel, findings = _kernel.dataset_from_columns(
        columns.image_ids,
        aligned(columns.image, "I"),
        aligned(array("I", [numbers[label] for label in columns.label]), "I"),
        aligned(columns.boxes, "d"),
        area=areas,
        **{flag: column for flag, column in columns.flags.items() if any(column)},
        file_names=columns.file_names,
        sizes=aligned(columns.sizes, "d"),
        drop_degenerate=reading.degenerate == "drop",
    )
    # Areas are optional in these forms: that they come from the boxes needs no note.
    told = [finding for finding in findings if areas is not None or finding.code != "area-missing"]
    found = notes_of(told, places, reading, columns.name)
    return Dataset(
        kernel,
        known,
        source=columns.name,
        notes=[*notes, *label_notes, *_with_degenerate_named(found, columns, places)],
        corner_convention=corner_convention,
        attributes={name: _filled(values, columns.num_rows) for name, values in columns.attributes.items()},
    )


def build_predictions(
    columns: Columns, dataset: Dataset, reading: Reading, *, notes: Sequence[Note] = (), threads: int = 1
) -> Predictions:
    """Predictions over a data set: labels by name (numbers by id), images by id or by file name.

    Raises InputError for what `reading` doesn't let pass.
    """
    from boxscore import _kernel

    places = FlatPlaces(columns)
    numbers, label_notes = _label_numbers(columns, dataset.declared, dataset.labels, reading, places)
    image_ids, image_notes = image_names.resolve(columns.image_ids, dataset, columns.name)
    if reading.unknown_images == "background":
        dataset = _with_background(image_ids, columns, dataset, image_notes)
    rows = _rows_kept(columns, numbers)
    if rows is not None:
        columns, places = _selected(columns, rows), FlatPlaces(columns, rows)
    kernel, findings = _kernel.detections_from_columns(
        dataset.kernel,
        image_ids,
        aligned(columns.image, "I"),
        aligned(array("I", [numbers[label] for label in columns.label]), "I"),
        aligned(columns.boxes, "d"),
        aligned(columns.scores, "d"),
        drop_degenerate=reading.degenerate == "drop",
        threads=threads,
    )
    found = notes_of(findings, places, reading, dataset.source or "the ground truth")
    told = [*notes, *image_notes, *label_notes, *_with_degenerate_named(found, columns, places)]
    return Predictions(kernel, dataset, source=columns.name, notes=told)


def aligned(values: Any, kind: str) -> Any:  # noqa: ANN401  anything with a buffer
    """The column as it is; an empty one of `array` lies nowhere, which the kernel takes for badly aligned."""
    return values if len(values) else memoryview(array(kind, [0]))[:0]


def _label_numbers(
    columns: Columns, declared: LabelSet, kept: LabelSet, reading: Reading, places: Places
) -> tuple[list[int], list[Note]]:
    """A label number for each label of the columns; -1: left out."""
    first: dict[int, int] = {}
    count: dict[int, int] = {}
    for row, label in enumerate(columns.label):
        first.setdefault(label, row)
        count[label] = count.get(label, 0) + 1
    used = sorted(first, key=first.__getitem__)
    uses = [(isinstance(columns.label_names[i], str), columns.label_names[i], first[i], count[i]) for i in used]
    labelling = Labelling(declared, kept, reading)
    numbers = [-1] * len(columns.label_names)
    for label, number in zip(used, labelling.numbers(uses, places), strict=True):
        numbers[label] = number
    return numbers, labelling.notes


def _rows_kept(columns: Columns, numbers: Sequence[int]) -> list[int] | None:
    """Rows whose label counts; None where all do."""
    rows = [row for row, label in enumerate(columns.label) if numbers[label] >= 0]
    return None if len(rows) == columns.num_rows else rows


def _selected(columns: Columns, rows: Sequence[int]) -> Columns:
    """Some rows of the columns, with the same images and labels."""
    kept = Columns(columns.name, noun=columns.noun, unit=columns.unit)
    for field in ("image_ids", "file_names", "sizes", "label_names"):
        setattr(kept, field, getattr(columns, field))
    kept.image = array("I", [columns.image[row] for row in rows])
    kept.label = array("I", [columns.label[row] for row in rows])
    kept.boxes = array("d", [value for row in rows for value in _box(columns, row)])
    kept.scores = array("d", [columns.scores[row] for row in rows] if len(columns.scores) else [])
    kept.areas = array("d", [columns.areas[row] for row in rows] if len(columns.areas) else [])
    kept.flags = {flag: bytearray(column[row] for row in rows) for flag, column in columns.flags.items() if len(column)}
    kept.attributes = {
        name: [_filled(values, columns.num_rows)[row] for row in rows] for name, values in columns.attributes.items()
    }
    return kept


def _box(columns: Columns, row: int) -> Sequence[float]:
    flat: Sequence[float] = memoryview(columns.boxes).cast("B").cast("d")[4 * row : 4 * row + 4].tolist()
    return flat


def _filled(values: Sequence[object], count: int) -> list[object]:
    return [*values, *[None] * (count - len(values))]


def _with_background(image_ids: Sequence[Id], columns: Columns, dataset: Dataset, notes: list[Note]) -> Dataset:
    """The data set with the images that it lacks, empty."""
    known = set(dataset.image_ids)
    unknown = [id_ for id_ in image_ids if id_ not in known]
    if not unknown:
        return dataset
    message = (
        f"{columns.name}: {counted(len(unknown), 'image')} not in {dataset.source or 'the ground truth'} "
        f"counted as empty, as asked for: {listed([id_text(id_) for id_ in unknown])}"
    )
    notes.append(Note("background-images", message, len(unknown)))
    return dataset.with_kernel(dataset.kernel.with_images(unknown))


def _with_degenerate_named(notes: list[Note], columns: Columns, places: Places) -> list[Note]:
    """The notes, that of boxes without a size naming each of them where they are few."""
    if not any(note.code == "degenerate" and note.count > 1 for note in notes):
        return notes
    flat = memoryview(columns.boxes).cast("B").cast("d")
    rows = [row for row in range(columns.num_rows) if flat[4 * row + 2] <= 0 or flat[4 * row + 3] <= 0]
    named = listed([places.row(row) for row in rows], _MOST_NAMED)
    return [
        Note(note.code, f"{note.message} (all: {named})", note.count) if note.code == "degenerate" else note
        for note in notes
    ]
