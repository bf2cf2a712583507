"""A file that a person wrote, field by field: each mistake is kept with its key path, and all are told together."""

from __future__ import annotations

import difflib
import math
import re

from boxscore.errors import InputError
from boxscore.model.given import number, shown, whole_number
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Concatenate, NoReturn, ParamSpec, TypeVar

    T = TypeVar("T")
    P = ParamSpec("P")


_SCIENTIFIC = re.compile(r"[+-]?\d+(\.\d*)?[eE][+-]?\d+")


class Mistakes:
    """The mistakes found in one file, in the order in which they were met.

    With `gaps`, a field that is `null` is as if it weren't there, and reading goes on after a missing one.
    """

    __slots__ = ("_found", "_source", "gaps")

    def __init__(self, source: str, *, gaps: bool = False) -> None:
        self._source = source
        self._found: list[str] = []
        self.gaps = gaps

    def add(self, path: str, message: str) -> None:
        """Keep one: where it is and what is wrong."""
        self._found.append(f"{path}: {message}" if path else message)

    def __bool__(self) -> bool:
        return bool(self._found)

    def stop_if_any(self) -> None:
        """Raises InputError that names all mistakes, if there are any."""
        if not self._found:
            return
        if len(self._found) == 1:
            raise InputError(f"{self._source}: {self._found[0]}")
        told = "".join(f"\n  {one}" for one in self._found)
        raise InputError(f"{self._source} has {counted(len(self._found), 'mistake')}:{told}")


class WrongFieldError(Exception):
    """A field can't be used; its mistake has been kept."""


class Field:
    """A value and where it stands, such as `tables.main.measures[1]`.

    The readers (`text`, `number`, …) give the value as its type, or keep a mistake and raise WrongFieldError, which
    `attempt` catches at the next place from which reading can go on.
    """

    __slots__ = ("mistakes", "path", "value")

    def __init__(self, value: object, path: str, mistakes: Mistakes) -> None:
        self.value = value
        self.path = path
        self.mistakes = mistakes

    def tell(self, message: str) -> None:
        """Keep a mistake of this field, and go on."""
        self.mistakes.add(self.path, message)

    def wrong(self, message: str) -> NoReturn:
        """Keep a mistake of this field, and leave it."""
        self.tell(message)
        raise WrongFieldError

    def fields(self, known: Sequence[str], needed: Sequence[str] = ()) -> dict[str, Field]:
        """The fields of a mapping by name; unknown and missing ones are mistakes."""
        found = dict(self.named())
        for name, field in found.items():
            if name not in known:
                field.tell(f"there is no such field; {nearest(name, known, 'known are')}")
        if self.mistakes.gaps:
            found = {name: field for name, field in found.items() if name in known and field.value is not None}
        missing = [name for name in needed if name not in found]
        if missing:
            self.tell(f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
            if not self.mistakes.gaps:
                raise WrongFieldError
        return found

    def named(self) -> Iterator[tuple[str, Field]]:
        """Key and value of each item of a mapping; whole numbers as keys (`640:`) are taken as text."""
        if not isinstance(self.value, dict):
            self.wrong(f"it is {_kind(self.value)}; it must be a mapping (lines like `name: value`, set in below it)")
        for key, value in self.value.items():
            name = str(key) if isinstance(key, str | int) and not isinstance(key, bool) else None
            if name is None:
                self.tell(f"the key {key!r} is no text; put it in quotes")
                continue
            yield name, Field(value, f"{self.path}.{name}" if self.path else name, self.mistakes)

    def items(self) -> list[Field]:
        """The items of a list that isn't empty."""
        if not isinstance(self.value, list) or not self.value:
            self.wrong(f"it is {_kind(self.value)}; it must be a list with at least one item")
        return [Field(value, f"{self.path}[{i}]", self.mistakes) for i, value in enumerate(self.value)]

    def texts(self) -> list[str]:
        """A list of texts."""
        return [item.text() for item in self.items()]

    def text(self) -> str:
        """A text that isn't empty; a whole number is taken as it is written."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        if not isinstance(self.value, str) or not self.value.strip():
            self.wrong(f"it is {_kind(self.value)}; it must be text")
        return self.value.strip()

    def number(self, least: float = -math.inf, most: float = math.inf) -> float:
        """A finite number in a range."""
        # YAML takes `1e-6` for text, and `1.0e-6` alone for a number.
        stated = float(self.value) if isinstance(self.value, str) and _SCIENTIFIC.fullmatch(self.value) else self.value
        found = number(stated)
        if found is None or not least <= found <= most or not math.isfinite(found):
            self.wrong(f"it is {_kind(self.value)}; it must be a number{_within(least, most)}")
        return float(found)

    def whole(self, least: int, most: int) -> int:
        """A whole number in a range."""
        found = whole_number(self.value)
        if found is None or not least <= found <= most:
            self.wrong(f"it is {_kind(self.value)}; it must be a whole number from {least} to {most}")
        return found

    def flag(self) -> bool:
        """`true` or `false`."""
        if not isinstance(self.value, bool):
            self.wrong(f"it is {_kind(self.value)}; it must be true or false")
        return self.value

    def choice(self, allowed: Collection[str]) -> str:
        """One of some texts."""
        if not isinstance(self.value, str) or self.value not in allowed:
            self.wrong(f"it is {_kind(self.value)}; it must be one of {', '.join(allowed)}")
        return self.value

    def one_of(self, names: Collection[str], what: str) -> str:
        """A text that is one of the declared names."""
        name = self.text()
        if name not in names:
            self.wrong(unknown(name, names, what))
        return name


def attempt(
    given: Field | None, read: Callable[Concatenate[Field, P], T], *arguments: P.args, **options: P.kwargs
) -> T | None:
    """What `read` makes of a field; None where there is no field, and after a mistake, which has been kept."""
    if given is None:
        return None
    try:
        return read(given, *arguments, **options)
    except WrongFieldError:
        return None


def nearest(name: str, names: Collection[str], others: str) -> str:
    """The declared name that is nearest to a wrong one, or all of them behind the words `others`."""
    close = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {close[0]}?" if close else f"{others} {', '.join(names)}"


def unknown(name: str, names: Collection[str], what: str) -> str:
    """That a name isn't declared, with the nearest one, or those that there are."""
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else f"declared: {listed(list(names), 12) or 'none'}"
    return f"there is no {what} {name!r}; {hint}"


def _within(least: float, most: float) -> str:
    if math.isinf(least):
        return ""
    return f" of {least:g} or more" if math.isinf(most) else f" from {least:g} to {most:g}"


def _kind(value: object) -> str:
    return "empty" if value in (None, "", [], {}) else shown(value)
