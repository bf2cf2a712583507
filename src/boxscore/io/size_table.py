"""Sizes of images from a table: a line an image with its file name, width and height; or COCO's JSON with `images`."""

# ruff: noqa: PTH119, PTH123  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io.pictures import SUFFIXES
from boxscore.io.utf8 import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Size = tuple[float, float]

FILE_NAME = "sizes.csv"
"""The table that writers lay beside labels, and that readers take for pictures which aren't there."""
_MOST = float("inf")
_HEADERS = ("name", "file", "file_name", "filename", "image", "image_id", "path", "stem")


def read(path: str) -> dict[str, Size]:
    """Width and height by stem. Separators are commas, semicolons, tabs or blanks; a header is optional.

    Raises InputError that names file, line and value: for other fields, sizes that aren't above zero, a name twice.
    """
    if path.lower().endswith(".json"):
        return _of_json(path)
    try:
        with open(path, "rb") as file:
            text = decoded(file.read(), path)
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}") from None
    lines = text.split("\n")
    return _plain(lines) or _any(lines, path)


def _plain(lines: list[str]) -> dict[str, Size] | None:
    """The table where all lines are `name,width,height`, without a check of each part; None where one isn't."""
    rows = [line.split(",") for line in lines[1:] if line]
    try:
        found = {stem_of(name): (float(width), float(height)) for name, width, height in rows}
    except ValueError:
        return None
    plain = len(found) == len(rows) and _is_header(_fields(lines[0])) and '"' not in "".join(found)
    sane = all(0 < width < _MOST and 0 < height < _MOST for width, height in found.values())
    return found if plain and sane else None


def _any(lines: list[str], path: str) -> dict[str, Size]:
    found: dict[str, Size] = {}
    for number, line in enumerate(lines, start=1):
        fields = _fields(line)
        if not fields or (not found and _is_header(fields)):
            continue
        stem, size = _row(fields, f"{path} line {number}", line)
        if found.setdefault(stem, size) != size:
            raise InputError(f"{path} line {number}: {stem} has another size further up; keep one of the lines")
    return found


def write(path: str, sizes: Sequence[tuple[str, float, float]]) -> None:
    """Write a table of name, width and height, as `read` takes it."""
    lines = ["name,width,height", *(f"{_quoted(name)},{width:.17g},{height:.17g}" for name, width, height in sizes)]
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


def stem_of(name: str) -> str:
    """A file name without a picture's suffix; anything else is a stem already."""
    stem, dot, suffix = name.replace("\\", "/").rpartition(".")
    return stem if dot and f".{suffix.lower()}" in SUFFIXES else name.replace("\\", "/")


def _quoted(name: str) -> str:
    special = any(letter in name for letter in ',;"\t ')
    return '"' + name.replace('"', '""') + '"' if special else name


def _fields(line: str) -> list[str]:
    line = line.strip()
    if not line:
        return []
    separator = next((letter for letter in ",;\t" if letter in line), None)
    if '"' in line:
        import csv

        return [field.strip() for field in next(csv.reader([line], delimiter=separator or " "))]
    return [field.strip() for field in line.split(separator)]


def _is_header(fields: list[str]) -> bool:
    return bool(fields) and fields[0].lower() in _HEADERS


def _row(fields: list[str], place: str, line: str) -> tuple[str, Size]:
    if len(fields) < 3:
        raise InputError(f"{place}: expected a name, a width and a height, found {line.strip()[:60]!r}")
    name = " ".join(fields[:-2])
    sizes: list[float] = []
    for field, value in zip(("width", "height"), fields[-2:], strict=True):
        try:
            size = float(value)
        except ValueError:
            size = 0.0
        if not 0 < size < _MOST:
            raise InputError(f"{place}: {field} is {value!r}; it must be a number of pixels above 0")
        sizes.append(size)
    return stem_of(name), (sizes[0], sizes[1])


def _of_json(path: str) -> dict[str, Size]:
    from boxscore.io import coco

    table = coco.read_fields(path, "images", ["file_name", "width", "height"])
    names, widths, heights = (table.column(name).to_list() for name in ("file_name", "width", "height"))
    found: dict[str, Size] = {}
    for row, (name, width, height) in enumerate(zip(names, widths, heights, strict=True)):
        if not isinstance(name, str) or not isinstance(width, int | float) or not isinstance(height, int | float):
            raise InputError(f"{os.path.basename(path)} images entry {row}: file_name, width or height is missing")
        found[stem_of(name)] = (float(width), float(height))
    return found
