"""A field of a text or JSON file as a number, a flag or a text, checked; errors name place, field and value."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import number, shown

_TRUE = frozenset(("1", "true", "yes"))
_FALSE = frozenset(("0", "false", "no", ""))


def number_in(text: str | None, field: str, place: str) -> float:
    """A field's text as a number; NaN and infinity pass, to be told with the others. Raises InputError."""
    if text is None or not text.strip():
        raise InputError(f"{place}: {field} is missing; give a number")
    try:
        return float(text)
    except ValueError:
        hint = "; write a decimal point, not a comma" if text.count(",") == 1 else ""
        raise InputError(f"{place}: {field} is {shown(text)}; it must be a number{hint}") from None


def number_of(value: object, field: str, place: str) -> float:
    """A JSON value that must be a number. Raises InputError."""
    stated = number(value)
    if stated is None:
        raise InputError(f"{place}: {field} is {shown(value)}; it must be a number")
    return float(stated)


def size_in(text: str | None) -> float:
    """Width or height; NaN where there is none, or 0, which writers put for a size they don't know."""
    try:
        value = float(text or "nan")
    except ValueError:
        return float("nan")
    return value if value > 0 else float("nan")


def flag_in(text: str | None, field: str, place: str) -> bool:
    """`0`, `1`, `true`, `false` (in any case), nothing: false. Raises InputError for anything else."""
    folded = (text or "").strip().lower()
    if folded in _TRUE:
        return True
    if folded in _FALSE:
        return False
    raise InputError(f"{place}: {field} is {shown(text)}; it must be 0 or 1")


def name_in(text: str | None, field: str, place: str) -> str:
    """A label's name, outer blanks taken off. Raises InputError where there is none."""
    name = (text or "").strip()
    if not name:
        raise InputError(f"{place}: {field} is missing; give the label's name")
    return name


def number_text(value: float) -> str:
    """A number as text that reads back to the same bits; whole numbers without a fraction."""
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)
