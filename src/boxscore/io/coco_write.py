"""Writes COCO ground truth and COCO results, row by row, so that memory stays flat however many rows there are.

Files appear whole or not at all: rows go to a file beside the target, which then takes its name.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from boxscore.errors import InputError

Row = Mapping[str, Any]
"""One JSON object: names to JSON values. `id`, `image_id` and so on keep the kind (integer or text) they have."""


def write_ground_truth(
    path: str | os.PathLike[str], *, images: Iterable[Row], annotations: Iterable[Row], categories: Iterable[Row]
) -> None:
    """Write a COCO ground-truth file. Rows are written as they are, in the order given.

    Raises InputError, naming section, row and value, for a row that JSON can't hold (a number that is not finite).
    """
    with _replacing(Path(path)) as file:
        opening = "{"
        for section, rows in (("images", images), ("annotations", annotations), ("categories", categories)):
            file.write(f'{opening}"{section}": ')
            _write_array(file, section, rows)
            opening = ", "
        file.write("}\n")


def write_results(path: str | os.PathLike[str], rows: Iterable[Row]) -> None:
    """Write a COCO results file: an array of detections. Raises InputError as `write_ground_truth` does."""
    with _replacing(Path(path)) as file:
        _write_array(file, "results", rows)
        file.write("\n")


def _write_array(file: TextIO, section: str, rows: Iterable[Row]) -> None:
    encode = json.JSONEncoder(allow_nan=False).encode
    lead = "["
    for number, row in enumerate(rows):
        try:
            text = encode(row)
        except (TypeError, ValueError) as reason:
            raise InputError(
                f"{section} row {number} can't be written as JSON ({reason}): {dict(row)!r}. "
                "Give finite numbers, text, lists and dictionaries of these."
            ) from reason
        file.write(lead)
        file.write(text)
        lead = ", "
    file.write("]" if lead == ", " else "[]")


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
