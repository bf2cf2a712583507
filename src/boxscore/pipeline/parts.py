"""Matches in parts over disjoint images, as validation loops and ranks make them, and as one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    import numpy as np

    from boxscore import _kernel
    from boxscore.model.labels import Id

    Array = np.ndarray[Any, np.dtype[Any]]
    Part = tuple[_kernel.Matches, list[Id]]

_FAN = 64
"""Parts of one level that become one part of the next: each row is moved once a level, and few parts are held."""

_NO_ROW = -1


class Parts:
    """Matches of batches with the ids of their images, joined a few at a time as they come."""

    __slots__ = ("_levels",)

    def __init__(self) -> None:
        self._levels: list[list[Part]] = []

    def add(self, matches: _kernel.Matches, ids: list[Id]) -> None:
        """Take in a part whose images no other part has; `ids` runs with its image rows."""
        part, level = (matches, ids), 0
        while True:
            if level == len(self._levels):
                self._levels.append([])
            held = self._levels[level]
            held.append(part)
            if len(held) < _FAN:
                return
            part = _joined(held)
            self._levels[level] = []
            level += 1

    def all(self) -> list[Part]:
        """The parts, those of the earliest images first."""
        return [part for level in reversed(self._levels) for part in level]

    def merged(self, row_of: Mapping[Id, int]) -> _kernel.Matches | None:
        """All parts as one, image ids at the rows given for them; None where there are no parts."""
        from boxscore import _kernel

        parts = self.all()
        if not parts:
            return None
        rows = [[row_of[image_id] for image_id in ids] for _, ids in parts]
        return _kernel.Matches.merge([matches for matches, _ in parts], rows, len(row_of))

    def __getstate__(self) -> tuple[list[Any]]:
        parts = self.all()
        whole = [_joined(parts)] if len(parts) > 1 else parts
        return ([(*matches.state(), ids) for matches, ids in whole],)

    def __setstate__(self, state: tuple[list[Any]]) -> None:
        from boxscore import _kernel

        self._levels = []
        for num_cells, num_images, columns, ids in state[0]:
            self.add(_kernel.Matches.from_state(num_cells, num_images, columns), ids)


def without(matches: _kernel.Matches, ids: Sequence[Id], left_out: Collection[Id]) -> Part:
    """A part without some of its images."""
    from boxscore import _kernel

    kept = [image_id for image_id in ids if image_id not in left_out]
    row_of = {image_id: row for row, image_id in enumerate(kept)}
    rows = [row_of.get(image_id, _NO_ROW) for image_id in ids]
    part = _kernel.Matches.merge([matches], [rows], len(kept))
    return part, kept


def with_own_labels(matches: _kernel.Matches, numbers: Sequence[int]) -> _kernel.Matches:
    """The same with label i as label `numbers[i]` (ascending)."""
    return matches.relabel(range(len(numbers)), numbers)


def with_dense_labels(matches: _kernel.Matches, numbers: Sequence[int]) -> _kernel.Matches:
    """The same with label `numbers[i]` (ascending) as label i."""
    return matches.relabel(numbers, range(len(numbers)))


def _joined(parts: Sequence[Part]) -> Part:
    from boxscore import _kernel

    ids = [image_id for _, own in parts for image_id in own]
    rows = []
    start = 0
    for _, own in parts:
        rows.append(list(range(start, start + len(own))))
        start += len(own)
    return _kernel.Matches.merge([matches for matches, _ in parts], rows, len(ids)), ids
