"""Values as a user gives them from Python: numbers and flags read, NumPy's among them, and wrong ones shown."""

from __future__ import annotations

from boxscore.errors import InputError, ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    N = TypeVar("N")

_MOST_SHOWN = 60
"""Characters of a value that an error shows: enough to know it by."""


def plain(value: object) -> object:
    """A number of NumPy's or torch's that is no list (0 dimensions) as Python's; anything else as it is."""
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "shape", None) == () else value


def number(value: object) -> int | float | None:
    """The value as a number of Python's; None for what is none. Booleans are none, nor is what no float can hold."""
    if type(value) is float:  # as most are, in files of millions
        return value
    stated = value if type(value) is int else plain(value)
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return None
    try:
        float(stated)
    except OverflowError:
        return None
    return stated


def whole_number(value: object) -> int | None:
    """The value as a whole number of Python's; None for what is none, 1.0 included."""
    stated = number(value)
    return stated if isinstance(stated, int) else None


def numbers(given: object, name: str) -> list[int | float] | None:
    """An option's number or numbers, None where none is given. Raises ProtocolError that shows the first wrong one."""
    return _each(given, name, number, "a number, or a list of numbers")


def one_number(given: object, name: str) -> float | None:
    """An option that is one number, None where none is given. Raises ProtocolError that shows a wrong one."""
    if given is None:
        return None
    stated = number(given)
    if stated is None:
        raise ProtocolError(f"{name} is {shown(given)}; it must be a number")
    return float(stated)


def whole_numbers(given: object, name: str) -> list[int] | None:
    """An option's whole number or numbers, None where none is given. Raises ProtocolError likewise."""
    return _each(given, name, whole_number, "a whole number, or a list of them")


def flag(given: object, name: str) -> bool:
    """An option that is True or False. Raises InputError for anything else, which Python would take for either."""
    stated = plain(given)
    if not isinstance(stated, bool):
        raise InputError(f"{name} is {shown(given)}; it must be True or False")
    return stated


def _each(given: object, name: str, read: Callable[[object], N | None], meant: str) -> list[N] | None:
    value = plain(given)
    if value is None:
        return None
    iterate = None if isinstance(value, str | bytes | dict) else getattr(value, "__iter__", None)
    named = [(name, value)] if iterate is None else [(f"{name}[{i}]", one) for i, one in enumerate(iterate())]
    found: list[N] = []
    for called, one in named:
        stated = read(one)
        if stated is None:
            raise ProtocolError(f"{called} is {shown(one)}; {name} must be {meant}")
        found.append(stated)
    return found


def shown(value: object) -> str:
    """A value as errors show it: on one line, cut where it is long."""
    text = " ".join(repr(plain(value)).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
