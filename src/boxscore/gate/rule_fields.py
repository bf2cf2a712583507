"""Fields of a file of rules: typed, and wrong ones named."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import number, shown, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Fields:
    """A mapping at a place (`rules[2]`) of a file. Raises InputError where it is none."""

    __slots__ = ("content", "place", "source")

    def __init__(self, content: Any, source: str, place: str) -> None:  # noqa: ANN401  whatever the file holds
        if not isinstance(content, dict):
            where = f"{source}: {place} is {shown(content)}" if place else f"{source} holds {shown(content)}"
            raise InputError(f"{where}; it must be a mapping, such as `measure: AP`")
        self.content: dict[str, Any] = content
        self.source = source
        self.place = place

    def refuse_unknown(self, known: Sequence[str]) -> None:
        """Raises InputError for a field that is not known, with the closest that is."""
        import difflib

        for field in self.content:
            if field not in known:
                close = difflib.get_close_matches(str(field), known, n=1)
                meant = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
                raise self.wrong(str(field), "is not known", meant)

    def text(self, field: str) -> str | None:
        """A text that is not empty."""
        value = self.content.get(field)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(
                field, f"is {shown(value)}", "it must be a text (in quotes, where YAML takes it for a number)"
            )
        return value.strip()

    def texts(self, field: str) -> tuple[str, ...] | None:
        """A text, or a list of them."""
        value = self.content.get(field)
        if value is None:
            return None
        listed = value if isinstance(value, list) else [value]
        if not listed or not all(isinstance(one, str) and one.strip() for one in listed):
            raise self.wrong(field, f"is {shown(value)}", "it must be a text, or a list of texts (in quotes)")
        return tuple(one.strip() for one in listed)

    def choice(self, field: str, choices: Sequence[str]) -> str | None:
        """One of a few words."""
        value = self.content.get(field)
        if value is not None and value not in choices:
            raise self.wrong(field, f"is {shown(value)}", f"it must be one of {', '.join(choices)}")
        found: str | None = value
        return found

    def number(self, field: str) -> float | None:
        """A finite number."""
        value = self.content.get(field)
        if value is None:
            return None
        stated = number(value)
        if stated is None or not abs(stated) < float("inf"):
            raise self.wrong(field, f"is {shown(value)}", "it must be a number")
        return float(stated)

    def amount(self, field: str) -> float | None:
        """A number from 0 on."""
        found = self.number(field)
        if found is not None and found < 0.0:
            raise self.wrong(field, f"is {shown(found)}", "it must be 0 or more")
        return found

    def share(self, field: str) -> float | None:
        """A number between 0 and 1."""
        found = self.number(field)
        if found is not None and not 0.0 < found < 1.0:
            raise self.wrong(field, f"is {shown(found)}", "it must lie between 0 and 1, such as 0.05")
        return found

    def whole(self, field: str) -> int | None:
        """A whole number from 0 on."""
        value = self.content.get(field)
        if value is None:
            return None
        stated = whole_number(value)
        if stated is None or stated < 0:
            raise self.wrong(field, f"is {shown(value)}", "it must be a whole number from 0 on")
        return stated

    def wrong(self, field: str, problem: str, remedy: str) -> InputError:
        """The error: what, where, what to do."""
        name = f"{self.place}.{field}" if self.place else field
        return InputError(f"{self.source}: {name} {problem}; {remedy}")
