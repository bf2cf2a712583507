"""Writes tables as text, one file an image, with what a later reading needs: class names and sizes of images.

Numbers are written so that they read back as the same ones; shares of the picture are divisions, right to the last
digit or two.
"""

# ruff: noqa: PTH103, PTH118, PTH120, PTH123, PTH208  pathlib costs several times what writing a small file costs

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import image_names, image_sizes, losses, size_table, yaml_files
from boxscore.model.labels import id_text
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boxscore import _kernel
    from boxscore.io.form_options import FormOptions
    from boxscore.io.image_sizes import ImageSizes
    from boxscore.model.tables import Dataset, Predictions

    Box = tuple[float, float, float, float]
    Row = tuple[int, int, Box]
    """Image, label, box x, y, width, height."""


def yolo_ground_truth(dataset: Dataset, path: str, options: FormOptions) -> list[str]:
    """YOLO labels, `data.yaml` and `sizes.csv`."""
    writer = _Writer(dataset, options, relative=options.coords != "abs", numbers=options.boxes or "cxcywh")
    labels = _empty_folder(os.path.join(path, "labels"))
    writer.write(labels, _rows(dataset.ground_truth), [str(i) for i in range(len(dataset.labels))])
    names = dict(enumerate(dataset.labels.names))
    content = {"path": ".", "train": "images", "val": "images", "names": names}
    with open(os.path.join(path, "data.yaml"), "w", encoding="utf-8", newline="\n") as file:
        file.write(yaml_files.dump(content))
    writer.write_sizes(path)
    return losses.of_ground_truth(dataset, sizes=True, empty_images=True, empty_labels=True, label_order=True)


def yolo_predictions(predictions: Predictions, path: str, options: FormOptions) -> list[str]:
    """YOLO results, the score last unless `options.score` says second."""
    dataset = predictions.dataset
    writer = _Writer(dataset, options, relative=options.coords != "abs", numbers=options.boxes or "cxcywh")
    table = predictions.table
    classes = [str(i) for i in range(len(dataset.labels))]
    writer.write(_empty_folder(path), _rows(table), classes, _floats(table, "score"), options.score or "last")
    return lost_ids(dataset)


def folder_ground_truth(dataset: Dataset, path: str, options: FormOptions) -> list[str]:
    """`label x y w h`, with `classes.names` and `sizes.csv`."""
    writer = _Writer(dataset, options, relative=options.coords == "rel", numbers=options.boxes or "xywh")
    _refuse_labels(dataset.labels.names)
    writer.write(_empty_folder(path), _rows(dataset.ground_truth), dataset.labels.names)
    with open(os.path.join(path, "classes.names"), "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(dataset.labels.names) + "\n")
    writer.write_sizes(path)
    return losses.of_ground_truth(dataset, sizes=True, empty_images=True, empty_labels=True, label_order=True)


def folder_predictions(predictions: Predictions, path: str, options: FormOptions) -> list[str]:
    """`label score x y w h`, or the score last as `options.score` says."""
    dataset = predictions.dataset
    writer = _Writer(dataset, options, relative=options.coords == "rel", numbers=options.boxes or "xywh")
    _refuse_labels(dataset.labels.names)
    table = predictions.table
    place = options.score or "second"
    writer.write(_empty_folder(path), _rows(table), dataset.labels.names, _floats(table, "score"), place)
    return lost_ids(dataset)


def lost_ids(dataset: Dataset) -> list[str]:
    """Image ids that are numbers: files have names, of which the stems take their place."""
    numbers = sum(isinstance(i, int) for i in dataset.image_ids)
    return [f"image ids that are numbers ({counted(numbers, 'image')})"] if numbers else []


class _Writer:
    """Writes rows of one data set's images, in one form."""

    def __init__(self, dataset: Dataset, options: FormOptions, *, relative: bool, numbers: str) -> None:
        self._relative = relative
        # Shares as x, y, w, h are the centre form, as readers have it.
        self._numbers = "cxcywh" if relative and numbers == "xywh" else numbers
        self.stems = image_names.stems_of(dataset)
        self._sizes = self._find_sizes(dataset, options)

    def _find_sizes(self, dataset: Dataset, options: FormOptions) -> ImageSizes:
        stated = image_sizes.of_dataset(dataset, dataset.image_ids)
        if not stated.unknown():
            return stated
        return image_sizes.given(options, self.stems) or stated

    def write(
        self,
        folder: str,
        rows: Sequence[Row],
        labels: Sequence[str],
        scores: Sequence[float] | None = None,
        place: str = "none",
    ) -> None:
        """A file for each image, also for one without rows."""
        lines: list[list[str]] = [[] for _ in self.stems]
        if self._relative:
            has_rows = [False] * len(self.stems)
            for image, _, _ in rows:
                has_rows[image] = True
            self._sizes.refuse_unknown(has_rows, self.stems)
        for number, (image, label, box) in enumerate(rows):
            score = "" if scores is None else repr(scores[number])
            second = f" {score}" if place == "second" else ""
            last = f" {score}" if place == "last" else ""
            lines[image].append(f"{labels[label]}{second} {self._box(box, image)}{last}\n")
        for stem, texts in zip(self.stems, lines, strict=True):
            target = os.path.join(folder, f"{stem}.txt")
            if "/" in stem:
                os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(texts)

    def _box(self, box: Box, image: int) -> str:
        a, b, c, d = box
        if self._numbers == "cxcywh":
            a, b = a + c / 2, b + d / 2
        elif self._numbers == "xyxy":
            c, d = a + c, b + d
        if self._relative:
            width, height = self._sizes.values[2 * image], self._sizes.values[2 * image + 1]
            a, b, c, d = a / width, b / height, c / width, d / height
        return f"{a!r} {b!r} {c!r} {d!r}"

    def write_sizes(self, folder: str) -> None:
        """The table of sizes, of the images whose size is known; none where no size is."""
        unknown = set(self._sizes.unknown())
        values = self._sizes.values
        known = [i for i in range(len(self.stems)) if i not in unknown]
        if known:
            rows = [(self.stems[i], values[2 * i], values[2 * i + 1]) for i in known]
            size_table.write(os.path.join(folder, size_table.FILE_NAME), rows)


def _rows(table: _kernel.Table) -> list[Row]:
    columns: Iterable[list[float]] = [_floats(table, name) for name in ("x", "y", "w", "h")]
    boxes = zip(*columns, strict=True)
    images, labels = (table.column(name).to_list() for name in ("image", "label"))
    return [
        (int(image or 0), int(label or 0), (x, y, w, h))
        for image, label, (x, y, w, h) in zip(images, labels, boxes, strict=True)
    ]


def _floats(table: _kernel.Table, name: str) -> list[float]:
    return [float(value) for value in table.column(name).to_list() if value is not None]


def _empty_folder(folder: str) -> str:
    """The folder, made where it is missing. Raises InputError where files are in it: old ones would count as labels."""
    try:
        os.makedirs(folder, exist_ok=True)
        full = any(name.endswith(".txt") for name in os.listdir(folder))
    except OSError as error:
        raise InputError(f"{folder} can't be written: {error.strerror or error}") from None
    if full:
        raise InputError(f"{folder} holds text files already, which would mix with these; give a new or empty folder")
    return folder


def _refuse_labels(names: Sequence[str]) -> None:
    for name in names:
        if not name.strip() or name != name.strip() or any(letter in name for letter in "\n\r\v\f"):
            raise InputError(
                f"label {id_text(name)} can't stand in a line of text, which has its blanks trimmed; rename it first"
            )
