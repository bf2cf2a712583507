"""Answers as they are kept: JSON Lines or a JSON list with a record an image, or a folder with a text file an image."""

from __future__ import annotations

import json
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import json_files, stems
from boxscore.io.utf8 import decoded
from boxscore.model.given import number, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.model.labels import Id
    from boxscore.model.tables import Dataset

IMAGE_FIELDS = ("image_id", "file_name", "image")
ANSWER_FIELDS = ("answer", "response", "text")
_MOST = 2**63
"""Ids below this are numbers for the kernel."""


class Record:
    """One answer: `images` are the names that it gives its image, by field; `place` is where it stands, in words.

    `seen` is the size that the image had for the model, where that is stated (`input_width`, `input_height`).
    """

    __slots__ = ("answer", "file", "images", "line", "place", "seen")

    def __init__(
        self,
        images: dict[str, Id],
        answer: object,
        *,
        file: str,
        line: int,
        place: str,
        seen: tuple[float, float] | None = None,
    ) -> None:
        self.images = images
        self.answer = answer
        self.file = file
        self.line = line
        self.place = place
        self.seen = seen


class Records:
    """All answers of a path. `unit` is what `line` of a record counts: `line`, `entry`, or `object` (of a folder)."""

    __slots__ = ("name", "of_folder", "records", "unit")

    def __init__(self, path: str, dataset: Dataset) -> None:
        self.of_folder = Path(path).is_dir()
        self.name = f"{Path(path).resolve().name}/" if self.of_folder else Path(path).name
        if self.of_folder:
            self.unit = "object"
            self.records = list(_of_folder(path, dataset))
        else:
            self.unit, entries = _entries(path)
            self.records = [_record(entry, line, self.unit, self.name) for line, entry in entries]
        if not self.records:
            raise InputError(f"{path}: there is not one answer in it; give a record, or a .txt file, an image")


def _of_folder(path: str, dataset: Dataset) -> Iterator[Record]:
    known = {i for i in dataset.image_ids if isinstance(i, str)}
    for stem, file in stems.labels_among(stems.walk(path), known).items():
        try:
            data = (Path(path) / file).read_bytes()
        except OSError as error:
            raise InputError(f"{Path(path) / file} can't be read: {error.strerror or error}") from None
        text = decoded(data, str(Path(path) / file))
        yield Record({"file_name": stem}, text, file=file, line=1, place=stems.printable(file))


def _entries(path: str) -> tuple[str, list[tuple[int, Any]]]:
    """What a record is called in this file, and the records by number."""
    text = json_files.text_of(path)
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        if text.lstrip().startswith("["):
            return "entry", list(enumerate(json_files.load(path)))  # raises, and says where
        return "line", [
            (number, _parsed(line, f"{path} line {number}"))
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip()
        ]
    if isinstance(whole, dict):
        return "line", [(1, whole)]
    if not isinstance(whole, list):
        raise InputError(f"{path}: {shown(whole)} is found where records are expected, one an image")
    return "entry", list(enumerate(whole))


def _parsed(line: str, place: str) -> Any:  # noqa: ANN401  whatever the line holds
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{place}, column {error.colno}: no valid JSON ({error.msg}); each line must be a record of its own, such "
            'as {"image_id": "a", "answer": "…"}'
        ) from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{place}: this JSON can't be read ({error})") from None


def _record(entry: object, line: int, unit: str, name: str) -> Record:
    place = f"{name} {unit} {line}"
    if not isinstance(entry, dict):
        raise InputError(f"{place} is {shown(entry)}; it must be a record with an image and an answer")
    images = {field: _image(entry[field], field, place) for field in IMAGE_FIELDS if entry.get(field) is not None}
    answers = [field for field in ANSWER_FIELDS if field in entry]
    for found, fields, what in ((images, IMAGE_FIELDS, "image"), (answers, ANSWER_FIELDS, "answer")):
        if not found:
            there = ", ".join(map(str, entry)) or "none"
            raise InputError(f"{place}: the {what} is missing (fields: {there}); give it as {', '.join(fields)}")
    return Record(images, entry[answers[0]], file=name, line=line, place=place, seen=_seen(entry, place))


def _image(value: object, field: str, place: str) -> Id:
    if isinstance(value, str) and value:
        return value
    stated = number(value)
    if stated is None or not abs(stated) < _MOST or stated != int(stated):
        raise InputError(f"{place}: {field} is {shown(value)}; it must be a whole number or a text")
    return int(stated)


def _seen(entry: dict[str, Any], place: str) -> tuple[float, float] | None:
    sides = {field: entry.get(field) for field in ("input_width", "input_height")}
    if not any(value is not None for value in sides.values()):
        return None
    for field, value in sides.items():
        stated = number(value)
        if stated is None or not 0 < stated < float("inf"):
            raise InputError(
                f"{place}: {field} is {shown(value)}; it must be a number of pixels, beside the other side"
            )
    width, height = (float(number(value) or 0) for value in sides.values())
    return width, height
