"""COCO's JSON as a form like the others: ground truth, results, and results that bring images and categories along."""

from __future__ import annotations

import json
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import coco, coco_write, filling, flat, image_fields, json_files, json_lists, losses, table_rows
from boxscore.io.field_values import number_of
from boxscore.io.places import Places
from boxscore.model.given import shown, whole_number
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import Any

    from boxscore.io.coco_pieces import CocoFile
    from boxscore.io.filling import Filling
    from boxscore.io.form_options import FormOptions
    from boxscore.io.json_lists import Pieces
    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a JSON object with `annotations` or `images`, and of a list of results."""
    file = Path(path)
    head = json_files.head(file) if file.is_file() and ".json" in file.suffixes else b""
    if head.startswith(b"{") and any(f'"{section}"'.encode() in head for section in ("images", "annotations", "info")):
        return "COCO JSON: images, annotations and categories"
    if head.startswith(b"[") and (b'"bbox"' in head or head[1:].lstrip().startswith(b"]")):
        return "COCO results: a list of image_id, category_id, bbox and score"
    return None


def read_ground_truth(
    path: str | PathLike[str],
    options: FormOptions,  # noqa: ARG001  part of the interface of forms
    reading: Reading,
    threads: int = 1,
) -> Dataset:
    """As `coco.build_dataset`. Raises InputError."""
    return coco.build_dataset(coco.parse_ground_truth(path, threads), reading)


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """A list of results; or an object with `images`, `categories` and `annotations` that have a score, of which
    images are then matched by file name and labels by name. Raises InputError.
    """
    if options.boxes == "xyxy":
        reading = reading.with_boxes("xyxy")
    if not json_files.head(path, 1).startswith(b"{"):
        return coco.build_predictions(coco.parse_results(path, threads), dataset, reading, threads, options=options)
    content = json_files.load(path)
    annotations = content.get("annotations")
    if not isinstance(annotations, list) or not _has_scores(content, lambda: iter([(0, annotations)])):
        # Ground truth in the place of results, and the like: told by the reader of results.
        return coco.build_predictions(coco.parse_results(path, threads), dataset, reading, threads, options=options)
    scored = _Scored(path, content, lambda: iter([(0, annotations)]), corners=reading.boxes == "xyxy")
    return filling.predictions_of(scored, dataset, reading, threads)


def fill_scored(file: CocoFile, options: FormOptions, reading: Reading) -> Filling | None:
    """Annotations with scores of an open file, a piece at a time; None where it holds no such."""
    text, spans = file.frame(without="annotations")
    if len(spans) != 1:
        return None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None  # told by the reader of the whole file
    pieces = json_lists.of_span(file, spans[0])
    if not _has_scores(content, pieces):
        return None
    return _Scored(file.path, content, pieces, corners="xyxy" in (options.boxes, reading.boxes))


def write_ground_truth(
    dataset: Dataset,
    path: str | PathLike[str],
    options: FormOptions,  # noqa: ARG001  part of the interface of forms
) -> list[str]:
    """Write one file, annotations numbered from 1 in the order they had in an image. Returns what is lost."""
    ids = dataset.labels.ids
    categories = ({"id": i, "name": name} for i, name in zip(ids, dataset.labels.names, strict=True))
    coco_write.write_ground_truth(
        path, images=_images(dataset), annotations=_annotations(dataset), categories=categories
    )
    return losses.of_ground_truth(
        dataset,
        flags=losses.FLAGS,
        attributes=None,
        image_fields=True,
        area=True,
        integer_ids=True,
        file_names=True,
        sizes=True,
        empty_images=True,
        empty_labels=True,
        label_ids=True,
        label_order=True,
    )


def write_predictions(
    predictions: Predictions,
    path: str | PathLike[str],
    options: FormOptions,  # noqa: ARG001  part of the interface of forms
) -> list[str]:
    """Write a list of results with the ids of the data set. Nothing is lost."""
    dataset = predictions.dataset
    image_ids = dataset.image_ids
    category = dict(zip(dataset.labels.names, dataset.labels.ids, strict=True))
    coco_write.write_results(
        path,
        (
            {
                "image_id": image_ids[row.image],
                "category_id": category[row.label],
                "bbox": list(row.box),
                "score": row.score,
            }
            for row in table_rows.detections_of(predictions)
        ),
    )
    return []


def _images(dataset: Dataset) -> Iterator[dict[str, object]]:
    fields = image_fields.held(dataset)
    further = image_fields.by_image(dataset, fields) if fields else {}
    columns = [dataset.images.column(name).to_list() for name in ("file_name", "width", "height")]
    for place, (image_id, *stated) in enumerate(zip(dataset.image_ids, *columns, strict=True)):
        known = {
            name: value
            for name, value in zip(("file_name", "width", "height"), stated, strict=True)
            if value is not None
        }
        sizes = {name: int(value) for name, value in known.items() if isinstance(value, float) and value.is_integer()}
        brought = {field: values[place] for field, values in further.items() if values[place] is not None}
        yield {**brought, "id": image_id, **known, **sizes}


def _annotations(dataset: Dataset) -> Iterator[dict[str, object]]:
    image_ids = dataset.image_ids
    category = dict(zip(dataset.labels.names, dataset.labels.ids, strict=True))
    names = {"ignore": "ignore", "difficult": "difficult", "group_of": "isgroupof"}
    for number, row in enumerate(table_rows.objects_of(dataset), 1):
        yield {
            **{name: value for name, value in row.attributes.items() if value is not None},
            "id": number,
            "image_id": image_ids[row.image],
            "category_id": category[row.label],
            "bbox": list(row.box),
            "area": row.area,
            "iscrowd": int("crowd" in row.flags),
            **{field: 1 for flag, field in names.items() if flag in row.flags},
        }


def _has_scores(content: Any, annotations: Pieces) -> bool:  # noqa: ANN401  of JSON
    """Whether an object holds images, categories and annotations, all of which have a score."""
    if not all(isinstance(content.get(section), list) for section in ("images", "categories")):
        return False
    any_there = False
    for _, entries in annotations():
        any_there = any_there or bool(entries)
        if not all(isinstance(entry, dict) and "score" in entry for entry in entries):
            return False
    return any_there


class _Scored:
    """Annotations that have a score, as predictions. See `filling.Filling`."""

    labels = None
    corner_convention = "continuous"

    def __init__(
        self, path: str | PathLike[str], content: dict[str, Any], annotations: Pieces, *, corners: bool
    ) -> None:
        self._content, self._annotations = content, annotations
        self._corners = corners
        self.columns = flat.Columns(Path(path).name, noun="detection", unit="annotations entry")
        self.columns.add_file(self.columns.name)

    def steps(self) -> Iterator[None]:
        """An annotation each."""
        columns, places = self.columns, Places(self.columns.name)
        images = {
            entry["id"]: _image(entry, columns.name)
            for entry in self._content["images"]
            if isinstance(entry, dict) and "id" in entry
        }
        labels = {
            entry["id"]: str(entry["name"]) for entry in self._content["categories"] if {"id", "name"} <= set(entry)
        }
        for first, entries in self._annotations():
            for row, entry in enumerate(entries, first):
                place = places.row(row)
                image, label = entry.get("image_id"), entry.get("category_id")
                if image not in images:
                    raise InputError(f"{place}: image_id is {shown(image)}, which is not among this file's images")
                if label not in labels:
                    raise InputError(
                        f"{place}: category_id is {shown(label)}, which is not among this file's categories"
                    )
                box = entry.get("bbox")
                if not isinstance(box, list) or len(box) != 4:
                    raise InputError(f"{place}: bbox is {shown(box)}; it must be four numbers")
                x, y, w, h = (number_of(value, "bbox", place) for value in box)
                found = (x, y, w - x, h - y) if self._corners else (x, y, w, h)
                score = number_of(entry["score"], "score", place)
                columns.add(columns.add_image(images[image]), labels[label], found, row, score=score)
                yield

    def notes(self) -> list[Note]:
        """Whence the labels are."""
        columns = self.columns
        message = (
            f"{columns.name}: COCO JSON with scores, {counted(columns.total, 'annotation')}; labels by the "
            "names of its own categories"
        )
        return [Note("read-as", message, columns.total)]


def _image(entry: dict[str, Any], name: str) -> Id:
    file_name, id_ = entry.get("file_name"), entry["id"]
    if isinstance(file_name, str) and file_name:
        return file_name
    number = whole_number(id_)
    if number is None and not isinstance(id_, str):
        raise InputError(f"{name} images: id is {shown(id_)}; it must be a whole number or a text")
    return str(id_) if number is None else number
