"""What the kernel noticed in pieces of a file, added up: what a reader of the whole file would say of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from boxscore.io.findings import notes_of
from boxscore.model.labels import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from boxscore import _kernel
    from boxscore.io.labelling import Use
    from boxscore.io.places import Places
    from boxscore.model.labels import Id
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading

_ORDER = (
    "image-repeated",
    "image-conflict",
    "image-id-coerced",
    "annotation-unknown-image",
    "unknown-image",
    "non-finite",
    "degenerate",
    "area-missing",
    "area-far",
    "ignore-without-crowd",
)
"""In the kernel's order. What else it looks for are doubts about a file as a whole, which evaluating parts tells."""

BY_ID = ("image-id-coerced", "image-id-ambiguous", "annotation-unknown-image", "unknown-image")
"""Findings that depend on all ids of the file."""


@dataclass
class Gathered:
    """A finding over all pieces, with a kernel finding's fields."""

    code: str
    count: int
    row: int
    other: int | None
    field: str | None
    value: str | None
    extra: float | None


class Noticed:
    """Findings of pieces whose first rows have the numbers that are given with them."""

    def __init__(self) -> None:
        self._found: dict[str, Gathered] = {}

    def add(self, findings: Iterable[_kernel.Finding], first: int) -> None:
        """Findings of the next piece."""
        for finding in findings:
            known = self._found.get(finding.code)
            if known is not None:
                known.count += finding.count
                continue
            other = None if finding.other is None else finding.other + first
            row = finding.row + first
            self._found[finding.code] = Gathered(
                finding.code, finding.count, row, other, finding.field, finding.value, finding.extra
            )

    def notes(self, places: Places, reading: Reading, images_in: str, distinct: Mapping[str, int]) -> list[Note]:
        """Notes; `distinct` are ids by code. Raises InputError for what the reading doesn't let pass."""
        found = [self._found[code] for code in _ORDER if code in self._found]
        told: Any = [replace(one, extra=float(distinct[one.code])) if one.code in distinct else one for one in found]
        return notes_of(told, places, reading, images_in, background=False)


class StatedIds:
    """The image ids that rows state, where some are not among the images: unknown, or the digits of one that is."""

    def __init__(self, known: Mapping[Id, int]) -> None:
        self._known = known
        self._unknown: set[Id] = set()
        self._coerced: set[Id] = set()
        self._used: Any = None

    def add(self, positions: Any, stated: Iterable[object] | None) -> None:  # noqa: ANN401  an array of positions
        """The next piece: positions of the images that are used, or, where it has such ids, the values it states."""
        import numpy as np

        if self._used is None:
            self._used = np.zeros(len(self._known), dtype=bool)
        if stated is None:
            self._used[positions] = True
            return
        for value in {_as_id(value) for value in _plain(stated)} - {None}:
            assert value is not None  # noqa: S101  taken away
            if value in self._known:
                self._used[self._known[value]] = True
            elif self._alike(value) is not None:
                self._coerced.add(value)
            else:
                self._unknown.add(value)

    def known(self, stated: Iterable[object]) -> set[int]:
        """The positions of the images that values name, or could name."""
        values = {_as_id(value) for value in _plain(stated)} - {None}
        found = {
            place for value in values if value is not None for place in (self._known.get(value), self._alike(value))
        }
        return {place for place in found if place is not None}

    @property
    def ambiguous(self) -> bool:
        """Whether an image is named by number and by text, so that neither can be trusted."""
        return any(self._used[self._alike(value)] for value in self._coerced)

    def distinct(self) -> dict[str, int]:
        """How many ids there are of each code."""
        unknown = len(self._unknown)
        return {
            "image-id-coerced": len(self._coerced),
            "unknown-image": unknown,
            "annotation-unknown-image": unknown,
        }

    def _alike(self, value: Id) -> int | None:
        other = whole(value) if isinstance(value, str) else str(value)
        return None if other is None else self._known.get(other)


class LabelUses:
    """The labels that rows state, numbered as they first appear."""

    def __init__(self) -> None:
        self._number: dict[tuple[bool, Id], int] = {}
        self._first: list[int] = []
        self._rows: list[int] = []

    def numbers(self, uses: Sequence[Use], first: int) -> list[int]:
        """The number of each use of a piece whose first row is number `first`."""
        found = []
        for by_name, value, row, rows in uses:
            number = self._number.setdefault((by_name, value), len(self._first))
            if number == len(self._first):
                self._first.append(row + first)
                self._rows.append(0)
            self._rows[number] += rows
            found.append(number)
        return found

    def all(self) -> list[Use]:
        """Every label once, in the order of the numbers, those given by id before those given by name in each piece."""
        return [
            (by_name, value, self._first[number], self._rows[number])
            for (by_name, value), number in self._number.items()
        ]


def _plain(stated: Iterable[object]) -> list[object]:
    """Values of a column of JSON; where kinds are mixed they come as their JSON text."""
    values = list(dict.fromkeys(stated))
    if any(isinstance(value, str) and value.startswith('"') for value in values):
        return [json.loads(value) if isinstance(value, str) else value for value in values]
    return values


def _as_id(value: object) -> Id | None:
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int | str) else None
