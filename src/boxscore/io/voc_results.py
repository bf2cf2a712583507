"""PASCAL VOC result files: a folder with one text file a label, `comp4_det_SET_LABEL.txt`, lines of
`image_id score xmin ymin xmax ymax`.

Corners are read as those of VOC's annotations: as they stand, or as pixels counted from 1 (`corners="pixels"`).
"""

from __future__ import annotations

import re
from array import array
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import file_lists, flat, image_names, table_rows
from boxscore.io.field_values import number_text
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    from boxscore import _kernel
    from boxscore.io.form_options import FormOptions
    from boxscore.model.labels import LabelSet
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions

_NAME = re.compile(r"comp\d+_det_(?:[^_]*_)?(?P<label>.+)")
_WRITTEN = "comp4_det_test_{}.txt"


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a folder (or file) with a name such as `comp4_det_test_car.txt`."""
    root = Path(path)
    names = [entry.name for entry in root.iterdir()] if root.is_dir() else [root.name]
    if not any(_NAME.fullmatch(name.removesuffix(".txt")) and name.endswith(".txt") for name in names):
        return None
    return "VOC results: comp4_det_*_LABEL.txt, image_id score xmin ymin xmax ymax"


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """Files are labels, lines are detections; images are found by id, or by file name.

    The label is what the file's name ends with behind `_`, the longest label of the data set that fits. Raises
    InputError that names file, line, field and value.
    """
    files = file_lists.files_below(Path(path), ".txt", "VOC results")
    columns = flat.Columns(Path(path).name or str(path), noun="detection")
    data = [file.read_bytes() for file, _ in files]
    labels = [columns.add_label(_label(name, dataset.declared)) for _, name in files]
    columns.files = [str(file) for file, _ in files]
    rows = _read_lines(data, columns.files, threads)
    for image_id, _, _ in rows.label_uses:
        columns.add_image(str(image_id))
    _fill(columns, rows, labels, pixels=options.corners == "pixels")
    how = (
        "pixels counted from 1, as asked for"
        if options.corners == "pixels"
        else "as they stand, w = xmax - xmin (override: --corners pixels)"
    )
    message = f"{columns.name}: VOC results, {counted(len(files), 'file')}, a label each; corners read {how}"
    notes = [Note("read-as", message, len(files))]
    return flat.build_predictions(columns, dataset, reading, notes=notes, threads=threads)


def write_predictions(predictions: Predictions, path: str | PathLike[str], options: FormOptions) -> list[str]:
    """Write a folder with a file a label, those without detections empty. Raises InputError for a label that can't
    name a file, and for an image whose name has blanks.
    """
    root = Path(path)
    dataset = predictions.dataset
    stems = image_names.stems_of(dataset)
    pixels = options.corners == "pixels" and dataset.corner_convention == "continuous"
    lines: dict[str, list[str]] = {label: [] for label in dataset.labels}
    for row in table_rows.detections_of(predictions):
        stem = stems[row.image]
        if stem.split() != [stem]:
            raise InputError(f"image {id_text(stem)} has blanks in its name, which separate fields in VOC's results")
        x, y, w, h = row.box
        grown = 1.0 if pixels else 0.0
        corners = (number_text(value) for value in (x + grown, y + grown, x + w, y + h))
        lines[row.label].append(" ".join((stem, repr(row.score), *corners)))
    root.mkdir(parents=True, exist_ok=True)
    for label, texts in lines.items():
        if "/" in label or "\\" in label or "\0" in label:
            raise InputError(f"label {id_text(label)} can't name a file; rename it")
        (root / _WRITTEN.format(label)).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return []


def _label(name: str, declared: LabelSet) -> str:
    file = name.rpartition("/")[2]
    ending = [label for label in declared if file == label or file.endswith(f"_{label}")]
    if ending:
        return max(ending, key=len)
    match = _NAME.fullmatch(file)
    return match["label"] if match else file


def _read_lines(data: list[bytes], files: list[str], threads: int) -> _kernel.TextRows:
    """The kernel's reader of label lines fits, image ids standing where labels do."""
    from boxscore import _kernel

    try:
        return _kernel.read_text(data, score="second", numbers="xyxy", threads=threads)
    except _kernel.TextError as error:
        field = "image_id" if error.field == "class" else error.field
        raise InputError(
            f"{files[error.file]} line {error.line}: {field}: {error.problem.replace('a label', 'an image id')}, found "
            f"{error.found!r}; a line is `image_id score xmin ymin xmax ymax`"
        ) from None


def _fill(columns: flat.Columns, rows: _kernel.TextRows, labels: list[int], *, pixels: bool) -> None:
    table = {name: memoryview(rows.table.column(name)) for name in ("file", "line", "label", *"xywh", "score")}
    columns.file, columns.line, columns.image = (table[name] for name in ("file", "line", "label"))
    columns.label = array("I", [labels[file] for file in columns.file])
    columns.scores = table["score"]
    grown = 1.0 if pixels else 0.0
    for x, y, w, h in zip(*(table[name] for name in "xywh"), strict=True):
        columns.boxes.extend((x - grown, y - grown, w + grown, h + grown))
