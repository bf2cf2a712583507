"""Label files read strictly: a line that a lenient reader would mend is refused, as it would change the score."""

from __future__ import annotations

import math
import re

from boxscore.errors import InputError
from boxscore.io.utf8 import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_WHOLE = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_FIELDS = ("class", "x of the centre", "y of the centre", "width", "height")


def check_labels(data: bytes, shown: str, classes: Sequence[str]) -> int:
    """The number of objects that a label file states, each line checked; `shown` is the file's name in messages.

    A line has five fields parted by blanks: a class (a whole number from 0 to the last of `classes`), and four finite
    numbers, shares of the picture's size: centre in 0..1, width and height above 0 and at most 1. Lines of nothing but
    blanks are passed over; a file without any other is a picture without objects.

    Raises InputError that names file, line, field and value.
    """
    found = 0
    for number, line in enumerate(re.split(r"\r\n|\r|\n", decoded(data, shown)), start=1):
        if line.strip():
            _check_line(line.split(), f"{shown} line {number}", classes)
            found += 1
    return found


def _check_line(fields: list[str], where: str, classes: Sequence[str]) -> None:
    if len(fields) != len(_FIELDS):
        raise InputError(
            f"{where}: it has {len(fields)} fields; a label has five: class, x and y of the centre, width, height"
            f"{_guess(fields)}"
        )
    _check_class(fields[0], where, classes)
    for name, text in zip(_FIELDS[1:], fields[1:], strict=True):
        value = _share(text, name, where)
        if name in ("width", "height"):
            if not 0 < value <= 1:
                raise InputError(f"{where}: {name} is {text}; it must be above 0 and at most 1, a share of the picture")
        elif not 0 <= value <= 1:
            raise InputError(f"{where}: {name} is {text}; it must lie in 0..1, a share of the picture")


def _guess(fields: list[str]) -> str:
    if len(fields) == len(_FIELDS) + 1:
        return " (a sixth may be a confidence: is this a file of predictions?)"
    if len(fields) > len(_FIELDS) and len(fields) % 2:
        return " (this looks like a polygon: convert it to boxes first)"
    return ""


def _check_class(text: str, where: str, classes: Sequence[str]) -> None:
    if _WHOLE.fullmatch(text) is None:
        raise InputError(f"{where}: class is {text[:40]!r}; it must be a whole number from 0 to {len(classes) - 1}")
    # Digits are compared by their length first: a number of a million digits takes Python minutes to read.
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(len(classes))) or int(digits) >= len(classes):
        raise InputError(f"{where}: class is {text[:40]}; there are {len(classes)}, numbered 0 to {len(classes) - 1}")


def _share(text: str, name: str, where: str) -> float:
    if text.lstrip("+-").lower() in ("nan", "inf", "infinity"):
        raise InputError(f"{where}: {name} is {text}, which is not finite; correct or remove the line")
    if _NUMBER.fullmatch(text) is None:
        comma = " (write a decimal point, not a comma)" if "," in text else ""
        raise InputError(f"{where}: {name} is {text[:40]!r}, which is no number{comma}; correct the line")
    value = float(text)
    if not math.isfinite(value):
        raise InputError(f"{where}: {name} is {text[:40]}, which is not finite; correct or remove the line")
    return value
