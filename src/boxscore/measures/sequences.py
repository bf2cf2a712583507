"""Misses in a row, and flicker, of what is seen in ordered images."""

from __future__ import annotations

import itertools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Stretch:
    """A longest run: `length` steps from place `first` to place `last`, both included; None where `length` is 0."""

    __slots__ = ("first", "last", "length")

    def __init__(self, length: int, first: int | None, last: int | None) -> None:
        self.length = length
        self.first = first
        self.last = last

    def __repr__(self) -> str:
        return f"<Stretch of {self.length}: {self.first}..{self.last}>"


def longest(flags: Sequence[bool]) -> Stretch:
    """The longest run of true flags, the first among equals."""
    best, start = Stretch(0, None, None), 0
    for place, flag in enumerate(flags):
        if not flag:
            start = place + 1
        elif place + 1 - start > best.length:
            best = Stretch(place + 1 - start, start, place)
    return best


def changes(flags: Sequence[bool]) -> int:
    """How often a flag differs from the one before it: flicker, where flags tell found from missed."""
    return sum(before != now for before, now in itertools.pairwise(flags))
