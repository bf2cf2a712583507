"""Ids as pycocotools' users hand them in: Python's or NumPy's integers, whole floats, text."""

from collections.abc import Iterable
from typing import Any

from boxscore.errors import InputError
from boxscore.model.labels import id_order

Id = int | str


def plain_id(value: Any, field: str) -> Id:
    """The id as an `int` or a `str`, which it equals (and hashes like). Raises InputError that names the field."""
    if not isinstance(value, int | str) and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int | str):
        raise InputError(f"{field}: {value!r} is no id; an id is a whole number or a text")
    return int(value) if isinstance(value, int) else value


def plain_ids(values: Iterable[Any], field: str) -> list[Id]:
    """Every id once, in the order given."""
    return list(dict.fromkeys(plain_id(value, field) for value in values))


def ordered_ids(values: Iterable[Any], field: str) -> list[Id]:
    """Every id once: integers ascending, then text by code point."""
    return sorted(plain_ids(values, field), key=id_order)


def shown_id(value: Any) -> float:
    """An annotation's id as `dtMatches` and `gtMatches` show it: those are arrays of floats, in which 0 is "no match".

    An id that is 0, a text or missing can't be shown there; infinity stands for it, which is true and greater than 0.
    """
    number = float(value) if isinstance(value, int | float) else 0.0
    return number if number != 0.0 else float("inf")
