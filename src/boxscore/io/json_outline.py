"""Where the arrays of a large JSON file and their elements lie, found without reading it into memory.

The file is read in windows. Brackets inside strings are told from others by counting quotes, and depths are sums over
the brackets of a window, so that the outcome is exact. What is no list of objects, and no object whose members include
such lists, has no outline: a parser is to say what is wrong with it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

WINDOW = 4 << 20
"""Bytes looked at at a time; the scan holds about twelve times as many."""

PIECE = 16 << 20
"""Bytes of elements that are read as one, at least, where there are so many."""

_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_STRUCTURE = b'"{}[]'
_MOST_BLANKS = 64
"""Between an element and its comma, for a piece to end there."""

_BOM = b"\xef\xbb\xbf"
_QUOTE, _COMMA = ord('"'), b","
_OPENING = b"{["
_CLOSING = b"}]"
_IN_OBJECT = 2


@dataclass
class Span:
    """An array: its bytes between the brackets, and pieces of whole elements in them."""

    start: int
    end: int
    pieces: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Outline:
    """Arrays of a file, by name in the order in which they stand; a file that is a list has one, without a name."""

    size: int
    of_object: bool
    arrays: list[tuple[str | None, Span]] = field(default_factory=list)

    def named(self, name: str | None) -> list[Span]:
        """The arrays of a name."""
        return [span for stated, span in self.arrays if stated == name]


def outline(file: BinaryIO, *, window: int | None = None, piece: int | None = None) -> Outline | None:
    """The outline of an open file, of which `piece` bytes or more are to be read as one; None where it has none."""
    scan = _Scan(piece or PIECE)
    file.seek(0)
    size = 0
    for start, length, data in _windows(file, window or WINDOW):
        size = start + length
        if not scan.take(start, data):
            return None
    if not scan.complete:
        return None
    names = [_name(file, member, span.start - 1) if scan.of_object else None for member, span in scan.arrays]
    return Outline(size, scan.of_object, list(zip(names, (span for _, span in scan.arrays), strict=True)))


def _name(file: BinaryIO, start: int, end: int) -> str | None:
    """The last text that stands before an array."""
    file.seek(start)
    texts = _STRING.findall(file.read(end - start))
    try:
        return str(json.loads(texts[-1])) if texts else None
    except ValueError:
        return None


def _windows(file: BinaryIO, size: int) -> Iterator[tuple[int, int, bytes]]:
    """Place and number of the bytes of each window, and these, escapes blotted out; none ends inside an escape."""
    start = 0
    while data := file.read(max(size, len(_BOM))):
        while (len(data) - len(data.rstrip(b"\\"))) % 2:
            more = file.read(1)
            if not more:
                break
            data += more
        length = len(data)
        if start == 0 and data.startswith(_BOM):
            data = b"   " + data[3:]
        yield start, length, _ESCAPED.sub(b"__", data) if b"\\" in data else data
        start += length


class _Scan:
    """The state between windows: depth, whether inside a string, and what is known of the outline."""

    def __init__(self, piece: int) -> None:
        self.complete = False
        self.arrays: list[tuple[int, Span]] = []
        self._piece = piece
        self._depth = 0
        self._in_string = False
        self._level = 0  # the depth inside the arrays that are looked for
        self._member = 0  # where the member that is being read begins
        self._open: Span | None = None
        self._piece_start = 0

    @property
    def of_object(self) -> bool:
        """Whether the file is an object."""
        return self._level == _IN_OBJECT

    def take(self, start: int, data: bytes) -> bool:
        """Look at further bytes; False where there can be no outline."""
        import numpy as np

        if not self._level:
            first = data.lstrip()[:1]
            if first not in (b"{", b"["):
                return not first
            self._level = _IN_OBJECT if first == b"{" else 1
        places, marks, depth = self._marked(data)
        opening = (marks == _OPENING[0]) | (marks == _OPENING[1])
        outer = (depth < self._level) | (opening & (depth == self._level))
        ends = np.flatnonzero((depth == self._level) & ~opening)
        before = -1
        for at in np.flatnonzero(outer).tolist():
            if self.complete:
                return False
            self._cut(start, data, places[ends[(ends > before) & (ends < at)]])
            self._outer(start + int(places[at]), int(marks[at]), int(depth[at]))
            before = at
        self._cut(start, data, places[ends[ends > before]])
        return self._depth >= 0

    def _marked(self, data: bytes) -> tuple[Array, Array, Array]:
        """Places of the brackets outside strings, what stands there, and the depth behind each."""
        import numpy as np

        table = np.zeros(256, dtype=bool)
        table[list(_STRUCTURE)] = True
        values = np.frombuffer(data, dtype=np.uint8)
        places = np.flatnonzero(table[values])
        marks = values[places]
        quotes = marks == _QUOTE
        inside = (np.cumsum(quotes, dtype=np.int32) + self._in_string) % 2 == 1
        self._in_string ^= bool(np.count_nonzero(quotes) % 2)
        outside = ~(quotes | inside)
        places, marks = places[outside], marks[outside]
        steps = np.zeros(256, dtype=np.int8)
        steps[list(_OPENING)], steps[list(_CLOSING)] = 1, -1
        depth = np.cumsum(steps[marks], dtype=np.int32) + self._depth
        self._depth = int(depth[-1]) if len(depth) else self._depth
        return places, marks, depth

    def _cut(self, start: int, data: bytes, ends: Array) -> None:
        """End pieces behind the first element by which they are full, where a comma follows."""
        import numpy as np

        if self._open is None:
            return
        at = 0
        while (at := at + int(np.searchsorted(ends[at:], self._piece_start + self._piece - start))) < len(ends):
            rest = data[int(ends[at]) + 1 : int(ends[at]) + 1 + _MOST_BLANKS]
            blanks = len(rest) - len(rest.lstrip())
            if rest[blanks:].startswith(_COMMA):
                comma = start + int(ends[at]) + 1 + blanks
                self._open.pieces.append((self._piece_start, comma))
                self._piece_start = comma + 1
            at += 1

    def _outer(self, place: int, mark: int, depth: int) -> None:
        """A bracket outside the elements."""
        if mark == _OPENING[1] and depth == self._level:
            self._open = Span(place + 1, place + 1)
            self._piece_start = place + 1
        elif mark in _CLOSING and self._open is not None:
            self._open.end = place
            self._open.pieces.append((self._piece_start, place))
            self.arrays.append((self._member, self._open))
            self._open = None
        if depth == 1:
            self._member = place + 1
        self.complete = depth == 0
