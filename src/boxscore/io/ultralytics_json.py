"""Ultralytics' predictions.json: COCO's results whose images go by the stem of their file (a number where it is one).

`category_id` counts classes from 1 in newer releases and from 0 in older ones, or is COCO's own id.
"""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import coco_write, filling, flat, image_names, json_files, json_lists, table_rows
from boxscore.io.field_values import number_of
from boxscore.model.given import shown, whole_number
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import ExitStack
    from os import PathLike
    from typing import Any

    from boxscore.io.filling import Filling
    from boxscore.io.form_options import FormOptions
    from boxscore.io.json_lists import Pieces
    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a JSON list of results that name their file, or whose `image_id` is a text."""
    file = Path(path)
    head = json_files.head(file) if file.is_file() and ".json" in file.suffixes else b""
    if not head.startswith(b"["):
        return None
    entry = head.partition(b"}")[0]
    texts = b'"image_id":"' in entry.replace(b" ", b"").replace(b"\n", b"")
    if b'"bbox"' not in entry or not (texts or b'"file_name"' in entry):
        return None
    return "Ultralytics predictions.json: results with a file's stem for image_id"


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """Results over a data set; images by stem, boxes x, y, w, h in pixels.

    `class_base` says whether classes count from 0 or 1; without it category ids are those of the data set where these
    hold all of them, else they count from 1 where the largest is the number of labels. Raises InputError that names
    entry, field and value.
    """
    read = _Filling(path, json_lists.whole(path), dataset, options, reading)
    return filling.predictions_of(read, dataset, reading, threads)


def fill_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, stack: ExitStack
) -> Filling:
    """The same a piece of the file at a time; it stays open until the stack is closed."""
    return _Filling(path, json_lists.in_pieces(path, stack), dataset, options, reading)


class _Filling:
    """See `filling.Filling`."""

    labels = None
    corner_convention = "continuous"

    def __init__(
        self,
        path: str | PathLike[str],
        pieces: Pieces,
        dataset: Dataset,
        options: FormOptions,
        reading: Reading,
    ) -> None:
        self._path, self._pieces = path, pieces
        self._survey = _Survey(path, pieces)
        self._corners = (options.boxes or reading.boxes) == "xyxy"
        self._ids, self._how = _category_ids(self._survey.used, dataset, options)
        self.columns = flat.Columns(Path(path).name, noun="detection", unit="entry")
        self.columns.add_file(self.columns.name)

    def steps(self) -> Iterator[None]:
        """An entry each."""
        columns, survey = self.columns, self._survey
        for first, entries in self._pieces():
            for row, entry in enumerate(entries, first):
                place = f"{self._path} entry {row}"
                x, y, w, h = _box(entry, place)
                box = (x, y, w - x, h - y) if self._corners else (x, y, w, h)
                score = number_of(entry.get("score"), "score", place)
                label = entry["category_name"] if survey.by_names else self._label(entry)
                columns.add(columns.add_image(_image(entry, place)), label, box, row, score=score)
                yield

    def _label(self, entry: dict[str, Any]) -> Id:
        category = whole_number(entry.get("category_id"))
        assert category is not None  # noqa: S101  as the survey saw
        return self._ids.get(category, category)

    def notes(self) -> list[Note]:
        """How boxes, images and classes are read."""
        count, name = self._survey.count, self.columns.name
        entries = counted(count, "entry", "entries")
        form = "x1, y1, x2, y2" if self._corners else "x, y, w, h (override: --boxes xyxy)"
        if self._survey.by_names:
            message = f"{name}: results that name files and labels, {entries}, boxes {form}"
        else:
            message = f"{name}: Ultralytics predictions, {entries}, boxes {form}; images by file name; {self._how}"
        return [Note("read-as", message, count)]


class _Survey:
    """What all entries show: their `count`, whether they go `by_names` (`category_name`, as `boxscore predict` writes),
    else which category ids are `used`. Raises InputError for an entry without one.
    """

    def __init__(self, path: str | PathLike[str], pieces: Pieces) -> None:
        self.count = 0
        self.used: set[int] = set()
        named = 0
        wrong: InputError | None = None
        for first, entries in pieces():
            self.count += len(entries)
            for row, entry in enumerate(entries, first):
                named += isinstance(entry, dict) and _goes_by_name(entry)
                if wrong is None:
                    try:
                        self.used.add(_category(entry, f"{path} entry {row}"))
                    except InputError as error:
                        wrong = error
        self.by_names = bool(self.count) and named == self.count
        if wrong is not None and not self.by_names:
            raise wrong


def _goes_by_name(entry: dict[str, Any]) -> bool:
    return "category_id" not in entry and isinstance(entry.get("category_name"), str)


def write_predictions(predictions: Predictions, path: str | PathLike[str], options: FormOptions) -> list[str]:
    """Write a list; classes count from `class_base` (1 where it isn't given) in the data set's order of labels."""
    dataset = predictions.dataset
    stems = image_names.stems_of(dataset)
    names = dataset.images.column("file_name").to_list()
    base = 1 if options.class_base is None else options.class_base
    number = {label: position + base for position, label in enumerate(dataset.labels)}

    def rows() -> Iterable[dict[str, object]]:
        for row in table_rows.detections_of(predictions):
            last = stems[row.image].rpartition("/")[2]
            yield {
                "image_id": int(last) if last.isdecimal() else last,
                "file_name": names[row.image] or last,
                "category_id": number[row.label],
                "bbox": list(row.box),
                "score": row.score,
            }

    coco_write.write_results(path, rows())
    return []


def _category(entry: object, place: str) -> int:
    if not isinstance(entry, dict):
        raise InputError(f"{place} is {shown(entry)}; it must be an object")
    number = whole_number(entry.get("category_id"))
    if number is None:
        raise InputError(f"{place}: category_id is {shown(entry.get('category_id'))}; it must be a whole number")
    return number


def _category_ids(used: set[int], dataset: Dataset, options: FormOptions) -> tuple[dict[int, Id], str]:
    """The data set's id for each category id, and how they were understood."""
    ids = dataset.declared.ids
    base = options.class_base
    if base is None and (used <= set(ids) and not _is_counted_from_1(used, ids)):
        return {i: i for i in used}, "category ids are those of the ground truth (override: --class-base)"
    if base is None:
        base = 0 if 0 in used else 1
        how = f"classes count from {base} in the ground truth's order (override: --class-base)"
    else:
        how = f"classes count from {base}, as given"
    return {position + base: i for position, i in enumerate(ids)}, how


def _is_counted_from_1(used: set[int], ids: tuple[Id, ...]) -> bool:
    return bool(used) and 0 in ids and 0 not in used and max(used) == len(ids)


def _image(entry: dict[str, Any], place: str) -> Id:
    name = entry.get("file_name")
    if isinstance(name, str) and name:
        return image_names.stem(name)
    value = entry.get("image_id")
    if isinstance(value, str) and value:
        return value
    number = whole_number(value)
    if number is None:
        raise InputError(f"{place}: image_id is {shown(value)}; it must be a file's stem, or a whole number")
    return number


def _box(entry: dict[str, Any], place: str) -> tuple[float, float, float, float]:
    box = entry.get("bbox")
    if not isinstance(box, list) or len(box) != 4:
        raise InputError(f"{place}: bbox is {shown(box)}; it must be four numbers")
    x, y, w, h = (number_of(value, "bbox", place) for value in box)
    return x, y, w, h
