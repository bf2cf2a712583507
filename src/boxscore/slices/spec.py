"""What a slice is made of, as a command line writes it: columns, bins, crosses of them, and conditions."""

from __future__ import annotations

import re

from boxscore.errors import InputError
from boxscore.model.given import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FORMS = (
    "a column (weather), a column with the edges of bins (distance:0,3,5,inf, named distance:0,3,5,inf=near,mid,far), "
    "or several joined by * (weather*distance:0,3,5,inf)"
)
_CONDITION = re.compile(r"\s*([^=<>!]+?)\s*=(?!=)\s*(\S.*?)\s*", re.DOTALL)


class Bins:
    """Right-closed bins: a value v falls into bin i where edge i < v <= edge i + 1. `names` has one for each.

    Names that aren't given are made of the edges: `(3,5]`. Raises InputError that quotes the text they come from.
    """

    __slots__ = ("edges", "names")

    def __init__(self, edges: Sequence[float], names: Sequence[str] | None = None, *, text: str = "bins") -> None:
        self.edges = [float(edge) for edge in edges]
        if len(self.edges) < 2:
            raise InputError(f"{text!r} has {len(self.edges)} edge of bins; give two or more, such as 0,3,5,inf")
        for low, high in zip(self.edges, self.edges[1:], strict=False):
            if not low < high:
                raise InputError(f"{text!r}: edge {high:g} stands behind {low:g}; edges must ascend, each once")
        pairs = zip(self.edges, self.edges[1:], strict=False)
        self.names = [f"({low:g},{high:g}]" for low, high in pairs] if names is None else list(names)
        if len(self.names) != len(self.edges) - 1:
            raise InputError(
                f"{text!r} names {len(self.names)} bins, and its {len(self.edges)} edges make {len(self.edges) - 1}; "
                "give one name a bin"
            )
        if len(set(self.names)) != len(self.names):
            raise InputError(f"{text!r}: two bins have one name; give each its own")


class Part:
    """One column of a spec, with its bins (None: one slice for each of its values)."""

    __slots__ = ("bins", "column")

    def __init__(self, column: str, bins: Bins | None = None) -> None:
        self.column = column
        self.bins = bins


class Cross:
    """One or more columns whose combinations make slices; `text` is how it was written."""

    __slots__ = ("parts", "text")

    def __init__(self, parts: Sequence[Part], text: str) -> None:
        self.parts = list(parts)
        self.text = text

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [part.column for part in self.parts]

    @staticmethod
    def parse(text: object) -> Cross:
        """Read `weather*distance:0,3,5,inf=near,mid,far`. Raises InputError that quotes what can't be read."""
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"slice-by {shown(text)} can't be read; give {FORMS}")
        parts = [_part(one.strip(), text) for one in text.split("*")]
        columns = [part.column for part in parts]
        if len(set(columns)) != len(columns):
            raise InputError(f"slice-by {text!r} crosses a column with itself; give each once")
        return Cross(parts, text.strip())


class Condition:
    """A named condition over columns, in SQL: `night = hour >= 20 OR hour < 6`."""

    __slots__ = ("name", "sql", "text")

    def __init__(self, name: str, sql: str, text: str) -> None:
        self.name = name
        self.sql = sql
        self.text = text

    @staticmethod
    def parse(text: object) -> Condition:
        """Read `NAME = CONDITION`. Raises InputError for anything else."""
        found = _CONDITION.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise InputError(
                f"slice {shown(text)} can't be read; give NAME = CONDITION, such as night = hour >= 20 OR hour < 6"
            )
        return Condition(found[1], found[2], str(text).strip())


def _part(text: str, whole: str) -> Part:
    """A column whose name may hold a colon itself, as long as no edges follow it."""
    column, colon, stated = text.rpartition(":")
    if not colon:
        column, stated = text, ""
    edges, equals, named = stated.partition("=")
    numbers = _numbers(edges)
    if colon and numbers is None:
        raise InputError(
            f"slice-by {whole!r}: {stated!r} are no edges of bins; write ascending numbers joined by commas, such as "
            "distance:0,3,5,inf"
        )
    if not column.strip():
        raise InputError(f"slice-by {whole!r} lacks a column; give {FORMS}")
    if numbers is None:
        return Part(column.strip())
    names = [name.strip() for name in named.split(",")] if equals else None
    if names is not None and not all(names):
        raise InputError(f"slice-by {whole!r}: the name of a bin is empty; give one name a bin")
    return Part(column.strip(), Bins(numbers, names, text=text))


def _numbers(text: str) -> list[float] | None:
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        return None
    return None if any(number != number for number in found) else found  # noqa: PLR0124  NaN
