"""A table with a row a box: CSV, TSV, Parquet or Arrow IPC.

Columns: `image_id` or `file_name`, `label`, then `x, y, w, h` or `x1, y1, x2, y2` or `cx, cy, w, h`; `score` for
predictions; optional for ground truth `image_width`, `image_height`, `area` and the flags `crowd`, `ignore`,
`difficult`, `group_of`. Further columns are kept as attributes. A row without a label is an image without boxes.
"""

from __future__ import annotations

from pathlib import Path

from boxscore.io import class_list, flat, frames, losses, table_rows
from boxscore.io.table_columns import Named
from boxscore.io.table_reader import TableReader
from boxscore.model.labels import whole
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    from boxscore.io.form_options import FormOptions
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a table that has columns for image, label and box."""
    stated = frames.head(path)
    if not stated:
        return None
    named = Named(stated)
    if named.image is None or named.label is None or named.boxes is None:
        return None
    return f"a table with a row a box: {', '.join(named.told())}"


def read_ground_truth(
    path: str | PathLike[str],
    options: FormOptions,
    reading: Reading,
    threads: int = 1,  # noqa: ARG001  part of the interface of forms
) -> Dataset:
    """A box a row. Raises InputError that names line, column and value."""
    columns, notes = _read(path, options, predictions=False)
    return flat.build_dataset(columns, reading, labels=class_list.label_set(options), notes=notes)


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """The same with a score a row. Raises InputError likewise."""
    columns, notes = _read(path, options, predictions=True)
    return flat.build_predictions(columns, dataset, reading, notes=notes, threads=threads)


def write_ground_truth(dataset: Dataset, path: str | PathLike[str], options: FormOptions) -> list[str]:  # noqa: ARG001  part of the interface of forms
    """Write a table with all that there is. Returns what is lost."""
    images = {name: dataset.images.column(name).to_list() for name in ("file_name", "width", "height")}
    names = ["image_id", "file_name", "image_width", "image_height", "label", *"xywh", "area", *losses.FLAGS]
    attributes = list(dataset.attributes)
    rows: dict[str, list[object]] = {name: [] for name in (*names, *attributes)}
    objects = table_rows.objects_by_image(dataset)
    for image, image_id in enumerate(dataset.image_ids):
        head = (image_id, *(values[image] for values in images.values()))
        for row in objects.get(image, ()):
            flags = (int(flag in row.flags) for flag in losses.FLAGS)
            values = (*head, row.label, *row.box, row.area, *flags, *(row.attributes[name] for name in attributes))
            _append(rows, values)
        if image not in objects:
            _append(rows, (*head, *(None for _ in range(len(rows) - len(head)))))
    mixed = _settle_ids(rows)
    frames.write(rows, path)
    lost = losses.of_ground_truth(
        dataset,
        flags=losses.FLAGS,
        attributes=None,
        area=True,
        integer_ids=True,
        file_names=True,
        sizes=True,
        empty_images=True,
    )
    return [*lost, *_lost_kinds(dataset, path, mixed=mixed)]


def write_predictions(predictions: Predictions, path: str | PathLike[str], options: FormOptions) -> list[str]:  # noqa: ARG001  part of the interface of forms
    """Write a table of image_id, label, x, y, w, h, score. Returns what is lost."""
    dataset = predictions.dataset
    ids = dataset.image_ids
    rows: dict[str, list[object]] = {name: [] for name in ("image_id", "label", *"xywh", "score")}
    for row in table_rows.detections_of(predictions):
        _append(rows, (ids[row.image], row.label, *row.box, row.score))
    mixed = _settle_ids(rows)
    frames.write(rows, path)
    return _lost_kinds(dataset, path, mixed=mixed)


def _append(rows: dict[str, list[object]], values: tuple[object, ...]) -> None:
    for column, value in zip(rows.values(), values, strict=True):
        column.append(value)


def _settle_ids(rows: dict[str, list[object]]) -> bool:
    """Ids of both kinds become texts all: a column has one type."""
    mixed = len({isinstance(value, str) for value in rows["image_id"]}) > 1
    if mixed:
        rows["image_id"] = [str(value) for value in rows["image_id"]]
    return mixed


def _lost_kinds(dataset: Dataset, path: str | PathLike[str], *, mixed: bool) -> list[str]:
    texts = [value for value in dataset.image_ids if isinstance(value, str)]
    digits = [value for value in texts if whole(value) is not None]
    if mixed:
        return [f"that some image ids are numbers ({counted(dataset.num_images - len(texts), 'image')})"]
    if Path(path).suffix.lower() in frames.SEPARATORS and texts and len(digits) == len(texts):
        return [f"that image ids are texts of digits ({counted(len(digits), 'image')})"]
    return []


def _read(path: str | PathLike[str], options: FormOptions, *, predictions: bool) -> tuple[flat.Columns, list[Note]]:
    reader = TableReader(path, options, predictions=predictions)
    columns = reader.columns()
    message = (
        f"{columns.name}: a table of {counted(columns.num_rows, 'box', 'boxes')}, columns "
        f"{', '.join(reader.named.told())} (override: --boxes); {reader.coords}"
    )
    message += "" if predictions else f"; labels {class_list.told(options)}"
    return columns, [Note("read-as", message, columns.num_rows)]
