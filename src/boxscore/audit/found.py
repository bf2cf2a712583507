"""One thing that the audit found, and all of them together."""

from __future__ import annotations

from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class Found:
    """A counted finding.

    - `code`: stable, for programs; `message`: what, with file and row; `remedy`: what to do.
    - `count`: rows (images, labels) that show it.
    - `moves`: at most how much it can move a figure, from 0 to 1: the share of all objects, detections or labels that
      it touches, or, where the other reading was `measured`, the change of AP@0.5 itself.
    - `bound`: the same in words.
    - `stops`: `boxscore eval` refuses it unless told otherwise.
    """

    __slots__ = ("bound", "code", "count", "measured", "message", "moves", "remedy", "stops")

    def __init__(
        self,
        code: str,
        message: str,
        remedy: str,
        *,
        count: int,
        moves: float,
        bound: str,
        measured: bool = False,
        stops: bool = False,
    ) -> None:
        self.code = code
        self.message = message
        self.remedy = remedy
        self.count = count
        self.moves = min(max(moves, 0.0), 1.0)
        self.bound = bound
        self.measured = measured
        self.stops = stops

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, as in JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return f"<Found {self.code}: {self.count}, moves at most {self.moves:.3f}>"


class Report:
    """What an audit found; `read` says how the files were read.

    First what `boxscore eval` refuses and what was measured, then the rest, each by how much it can move the figures.
    `counts` are images, labels, objects and detections, as far as they could be read.
    """

    __slots__ = ("counts", "findings", "read")

    def __init__(self, findings: Iterable[Found], read: Iterable[str], counts: dict[str, int]) -> None:
        self.findings = sorted(findings, key=_order)
        self.read = list(read)
        self.counts = counts

    def codes(self) -> list[str]:
        """The codes, in the order of the findings."""
        return [found.code for found in self.findings]

    def to_dict(self) -> dict[str, Any]:
        """`counts`, `read` and `findings`, ready for JSON."""
        return {"counts": self.counts, "read": self.read, "findings": [found.to_dict() for found in self.findings]}

    def __repr__(self) -> str:
        return f"<Report of {counted(len(self.findings), 'finding')}>"


def _order(found: Found) -> tuple[bool, float, int, str]:
    return not (found.stops or found.measured), -found.moves, -found.count, found.code


def touches(count: int, total: int, what: str) -> tuple[float, str]:
    """Share and words of a bound: `touches 12 of 273 objects`."""
    return (count / total if total else 0.0), f"touches {count} of {counted(total, what)}"
