"""Answers of vision-language models: boxes as JSON in text, or as location tokens.

A record an image in JSON Lines or a JSON list, or a folder with a text file an image. An answer that can't be read is
counted, and stays as an image without detections.
"""

from __future__ import annotations

import re
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import answer_fit, answer_text, file_lists, flat, image_sizes, json_files
from boxscore.io.answer_boxes import BoxReading, Place, range_told
from boxscore.io.answer_images import AnswerImages
from boxscore.io.answer_parts import EMPTY
from boxscore.io.answer_records import ANSWER_FIELDS, IMAGE_FIELDS, Records
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from boxscore.io.answer_parts import ReadAnswer
    from boxscore.io.answer_records import Record
    from boxscore.io.form_options import FormOptions
    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions

_LINES = (".jsonl", ".ndjson", ".jsonl.gz")
_SUFFIXES = (*_LINES, ".json", ".json.gz")
_TOKENS = re.compile(rb"<loc_?\d{1,4}>")
_KEYS = re.compile(rb"""["'](?:bbox_2d|box_2d|bbox|bboxes|box|boxes|bounding_box)["']\s*:""")
_FILES = 10
"""Text files of a folder that are looked at."""


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of records with an image and an answer, and of text files with tokens or JSON of boxes.

    Of JSON Lines without boxes one of the two suffices, so that the other is what is said to be missing.
    """
    place = Path(path)
    if place.is_dir():
        return _looks_like_folder(place)
    if not place.name.lower().endswith(_SUFFIXES) or not place.is_file():
        return None
    head = json_files.head(place).removeprefix(b"[").lstrip()
    names = ("|".join(fields).encode() for fields in (IMAGE_FIELDS, ANSWER_FIELDS))
    has = [re.search(rb'"(?:%b)"\s*:' % name, head) is not None for name in names]
    lines = place.name.lower().endswith(_LINES) and _KEYS.search(head) is None
    known = head.startswith(b"{") and (any(has) if lines else all(has))
    return "answers of a vision-language model, a record an image" if known else None


def _looks_like_folder(folder: Path) -> str | None:
    texts = sorted(entry for entry in folder.iterdir() if entry.name.lower().endswith(".txt"))[:_FILES]
    first = None if texts else file_lists.first_file(folder, ".txt")
    for file in [*texts, *([] if first is None else [first])]:
        head = json_files.head(file)
        if _TOKENS.search(head) or _KEYS.search(head):
            return "answers of a vision-language model, a text file an image"
    return None


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """Detections over a data set, boxes in pixels of the original images; 1 for each score that isn't stated.

    Raises InputError for records that can't be read (not for answers), images that are unknown, and images whose size
    is needed and unknown.
    """
    answers = Records(str(path), dataset)
    images = AnswerImages(answers, dataset, reading)
    names = dataset.declared.names
    only = names[0] if len(names) == 1 else None
    read = [answer_text.read(record.answer, only) for record, _ in images.pairs]
    columns = flat.Columns(answers.name, noun="detection", unit=answers.unit)
    places, known = _places(images.pairs, read, dataset, options)
    boxes = BoxReading(options, [place.box for place in places])
    _refuse_unsized(places, boxes, images.pairs, answers.name)
    _fill(columns, images.pairs, read, places, boxes)
    notes = [
        Note("read-as", _read_as(answers, images, places, boxes), len(places)),
        *images.notes,
        *_unread(images.pairs, read, answers.name),
        *answer_fit.better(answers.name, places, boxes, dataset, known),
    ]
    return flat.build_predictions(columns, dataset, reading, notes=notes, threads=threads)


def _places(
    pairs: Sequence[tuple[Record, Id]], read: Sequence[ReadAnswer], dataset: Dataset, options: FormOptions
) -> tuple[list[Place], list[int | None]]:
    """All boxes with the sizes of their images, and the row of each answer's image."""
    ids = [image for _, image in pairs]
    rows = {image: row for row, image in enumerate(dataset.image_ids)}
    stated = image_sizes.of_dataset(dataset, ids)
    if options.img_size is not None or (options.images is not None and stated.unknown()):
        stated = image_sizes.given(options, [str(image) for image in ids]) or stated
    flat_sizes = stated.values
    places = []
    for number, ((record, _), answer) in enumerate(zip(pairs, read, strict=True)):
        width, height = flat_sizes[2 * number : 2 * number + 2]
        size = (width, height) if width > 0 and height > 0 else None
        places += [Place(box, number, size, record.seen) for box in answer.boxes]
    return places, [rows.get(image) for image in ids]


def _refuse_unsized(places: Sequence[Place], boxes: BoxReading, pairs: Sequence[tuple[Record, Id]], name: str) -> None:
    lacking = [place for place in places if place.size is None and place.needs_size(boxes.of(place.box)[0])]
    if not lacking:
        return
    images = list(dict.fromkeys(place.image for place in lacking))
    record, image = pairs[images[0]]
    raise InputError(
        f"{record.place}: the size of image {id_text(image)} is not known, and its boxes, which aren't stated in its "
        f"pixels, can't become pixels ({counted(len(images), 'image')} of {name}). Put width and height into the "
        "ground truth, or give the folder of the pictures, or a table of name, width and height, with --images, or one "
        "size for all with --img-size"
    )


def _fill(
    columns: flat.Columns,
    pairs: Sequence[tuple[Record, Id]],
    read: Sequence[ReadAnswer],
    places: Sequence[Place],
    boxes: BoxReading,
) -> None:
    """Put the boxes into the columns, file by file."""
    at = iter(places)
    for (record, image), answer in zip(pairs, read, strict=True):
        if columns.files[-1:] != [record.file]:
            columns.add_file(record.file)
        position = columns.add_image(image)
        for number, box in enumerate(answer.boxes, 1):
            line = number if columns.unit == "object" else record.line
            score = 1.0 if box.score is None else box.score
            label = "" if box.label is None else box.label
            columns.add(position, label, next(at).pixels(*boxes.of(box)), line, score=score)


def _read_as(answers: Records, images: AnswerImages, places: Sequence[Place], boxes: BoxReading) -> str:
    scored = sum(place.box.score is not None for place in places)
    told = [
        f"{counted(len(images.pairs), 'answer')} of a vision-language model, {boxes.told(places) or 'no box'}",
        range_told(places, boxes),
    ]
    if places and not scored:
        told.append("no scores: each detection has 1")
    elif scored < len(places):
        told.append(f"{counted(len(places) - scored, 'box', 'boxes')} without a score: 1")
    options = "--answer-scale, --answer-order, --img-size"
    return f"{answers.name}: {'; '.join(part for part in told if part)} (override: {options})"


def _unread(pairs: Sequence[tuple[Record, Id]], read: Sequence[ReadAnswer], name: str) -> list[Note]:
    """Answers, and boxes in other answers, that can't be read."""
    notes = []
    empty = [i for i, answer in enumerate(read) if answer.failure == EMPTY]
    failed = [i for i, answer in enumerate(read) if answer.failure not in (None, EMPTY)]
    partly = [i for i, answer in enumerate(read) if answer.unread]
    for code, what, which in (
        ("answers-empty", "empty answers", empty),
        ("answers-unreadable", "answers that can't be read", failed),
    ):
        if which:
            why = "" if which is empty else f": {_shares([str(read[i].failure) for i in which])}"
            message = (
                f"{name}: {what}: {len(which)} of {len(pairs)}, each an image without detections{why} "
                f"(first image {_named(pairs[which[0]])})"
            )
            notes.append(Note(code, message, len(which)))
    if partly:
        reasons = [reason for i in partly for reason in read[i].unread]
        are = "1 box is" if len(reasons) == 1 else f"{len(reasons)} boxes are"
        message = (
            f"{name}: in {counted(len(partly), 'readable answer')} {are} left out that can't be read: "
            f"{_shares(reasons)} (first image {_named(pairs[partly[0]])})"
        )
        notes.append(Note("answer-boxes-unreadable", message, len(reasons)))
    return notes


def _shares(reasons: Sequence[str]) -> str:
    """Each reason with its count."""
    return listed([f"{reasons.count(reason)} {reason}" for reason in dict.fromkeys(reasons)], 10)


def _named(pair: tuple[Record, Id]) -> str:
    record, image = pair
    return f"{id_text(image)}, {record.place}"
