"""Notes: what was seen in the input and what was done about it, in counted sentences."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Note:
    """One thing worth knowing about the input or the result.

    `code` is stable, for programs; `message` is a sentence for people; `count` is the number of rows concerned.
    """

    __slots__ = ("code", "count", "message")

    def __init__(self, code: str, message: str, count: int = 1) -> None:
        self.code = code
        self.message = message
        self.count = count

    def to_dict(self) -> dict[str, Any]:
        """`code`, `message` and `count`, as in JSON."""
        return {"code": self.code, "message": self.message, "count": self.count}

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"Note({self.code!r}, {self.message!r}, count={self.count})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.code, self.message, self.count))


def counted(count: int, singular: str, plural: str | None = None) -> str:
    """`1 detection`, `3 detections`."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


def listed(names: list[str], most: int = 5) -> str:
    """Names joined by commas, cut after `most`: `a, b, c (+4 more)`."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} (+{len(names) - most} more)"
