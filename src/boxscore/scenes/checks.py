"""Checks shared by the specifications: each names the field, the value and what may stand there."""

import math
from collections.abc import Iterable
from numbers import Integral, Real

from boxscore.errors import InputError


def refuse(field: str, value: object, remedy: str) -> InputError:
    """The error for a field that can't be used; the caller raises it."""
    return InputError(f"{field} is {value!r}: {remedy}.")


def check_between(owner: str, values: dict[str, float], low: float, high: float) -> None:
    """Refuse values outside `low`..`high` (both allowed), and those that are not numbers."""
    for name, value in values.items():
        check_within(f"{owner}.{name}", value, low, high)


def check_within(field: str, value: float, low: float, high: float) -> None:
    """Refuse a value outside `low`..`high` (both allowed), and what is not a number."""
    if not _is_number(value) or not low <= value <= high:
        raise refuse(field, value, f"give a number from {low:g} to {high:g}")


def check_at_least(owner: str, values: dict[str, float], low: float) -> None:
    """Refuse values below `low`, and those that are not finite numbers."""
    for name, value in values.items():
        if not _is_number(value) or value < low:
            raise refuse(f"{owner}.{name}", value, f"give a finite number of at least {low:g}")


def check_above(owner: str, values: dict[str, float], low: float) -> None:
    """Refuse values at or below `low`, and those that are not finite numbers."""
    for name, value in values.items():
        if not _is_number(value) or value <= low:
            raise refuse(f"{owner}.{name}", value, f"give a finite number above {low:g}")


def check_finite(owner: str, values: dict[str, float]) -> None:
    """Refuse values that are not finite numbers."""
    for name, value in values.items():
        if not _is_number(value):
            raise refuse(f"{owner}.{name}", value, "give a finite number")


def check_count(field: str, value: int, low: int) -> None:
    """Refuse what is not a whole number of at least `low`."""
    if not _is_whole(value) or value < low:
        raise refuse(field, value, f"give a whole number of at least {low}")


def check_seed(value: int) -> None:
    """Refuse what is not a whole number of at least 0."""
    check_count("seed", value, 0)


def check_labels(field: str, labels: Iterable[str]) -> None:
    """Refuse an empty list, empty names and names that occur twice."""
    seen: set[str] = set()
    for name in labels:
        if not isinstance(name, str) or not name:
            raise refuse(field, name, "give every label a name")
        if name in seen:
            raise refuse(field, name, "the name occurs twice; name each label once")
        seen.add(name)
    if not seen:
        raise refuse(field, (), "name at least one label")


def _is_number(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral)
