"""COCO's JSON a piece at a time: files that need not fit in memory.

Images and categories are read at once, annotations and results in pieces of whole entries. What is told of an entry is
told as it would be of the file read whole.
"""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import coco, parse_errors
from boxscore.io.json_outline import outline
from boxscore.io.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import BinaryIO, NoReturn

    from boxscore import _kernel
    from boxscore.io.json_outline import Outline, Span

_GZIP = b"\x1f\x8b"
_MOST_BYTES, _MOST_LETTERS = 160, 40


class CocoFile:
    """An open file of COCO's JSON with the outline of its arrays. `name` is what messages call it."""

    def __init__(self, path: str, file: BinaryIO, found: Outline) -> None:
        self.path = path
        self.name = Path(path).name
        self._file = file
        self._outline = found

    @property
    def of_object(self) -> bool:
        """Whether it is an object, as ground truth is, rather than a list, as results are."""
        return self._outline.of_object

    def frame(self, *, without: str | None) -> tuple[bytes, list[Span]]:
        """The file with the arrays of a name emptied, and these arrays."""
        emptied = self._outline.named(without)
        pieces, at = [], 0
        for span in emptied:
            pieces.append(self._bytes(at, span.start))
            at = span.end
        return b"".join([*pieces, self._bytes(at, self._outline.size)]), emptied

    def section(self, name: str) -> bytes:
        """An object with the arrays of a name alone; nothing where there is none."""
        spans = self._outline.named(name)
        if not spans:
            return b""
        inner = b"], ".join(b'"' + name.encode() + b'": [' + self._bytes(s.start, s.end) for s in spans)
        return b"{" + inner + b"]}"

    def pieces(self, span: Span, before: bytes = b"[", behind: bytes = b"]") -> Iterator[tuple[bytearray, int]]:
        """Pieces of an array, each between other bytes, with what to add to a byte's place to have that in the file."""
        for start, end in span.pieces:
            held = bytearray(len(before) + end - start + len(behind))
            held[: len(before)], held[len(before) + end - start :] = before, behind
            self._file.seek(start)
            with memoryview(held) as view:
                self._file.readinto(view[len(before) : len(before) + end - start])  # type: ignore[attr-defined]  # of files
            yield held, start - len(before)

    def refuse(self, error: _kernel.ParseError, *, moved: int = 0, row: int = 0, results: bool) -> NoReturn:
        """Raise the InputError for an entry of a piece that the kernel can't read."""
        place = error.byte + moved
        told = Moved(error, place, row, _excerpt(self._bytes(place, place + _MOST_BYTES)))
        refuse = parse_errors.refuse_results if results else parse_errors.refuse_ground_truth
        refuse(told, Source(self._bytes(0, 4096), self.name, self.path))  # type: ignore[arg-type]  # has its fields

    def _bytes(self, start: int, end: int) -> bytes:
        self._file.seek(start)
        return self._file.read(end - start)


class Moved:
    """A ParseError of a piece, with its place in the file and what stands there."""

    def __init__(self, error: _kernel.ParseError, byte: int, rows_before: int, found: str) -> None:
        self.problem = error.problem
        self.section = error.section
        self.field = error.field
        self.found = found
        self.row = None if error.row is None else error.row + rows_before
        self.byte = byte


def _excerpt(data: bytes) -> str:
    """As the kernel cuts it."""
    return data.partition(b"\n")[0].decode(errors="replace")[:_MOST_LETTERS]


@contextmanager
def open_pieces(path: str | PathLike[str]) -> Iterator[CocoFile | None]:
    """The file, unpacked beside other temporary files where it is gzipped; None where its brackets don't match.

    Raises InputError for a file that is missing, empty or of another kind, as reading it whole does.
    """
    shown = os.fspath(path)
    with tempfile.TemporaryFile(prefix="boxscore-json-") as unpacked, _opened(shown) as file:
        head = file.read(4096)
        if head.startswith(_GZIP):
            _unpack(shown, file, unpacked)
            file = unpacked  # noqa: PLW2901  the same file, unpacked
        found = outline(file)
        yield None if found is None else CocoFile(shown, file, found)


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    try:
        opened = Path(path).open("rb")  # noqa: SIM115  closed below
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}; check the path and its rights") from None
    with opened as file:
        yield file


def _unpack(path: str, file: BinaryIO, target: BinaryIO) -> None:
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file) as packed:
            shutil.copyfileobj(packed, target, 1 << 20)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: the gzip file is damaged or cut off ({error}); fetch or write it again") from None


def parse_frame(file: CocoFile) -> tuple[coco.Parsed, Span] | None:
    """Images and categories of ground truth, and where its annotations lie; None where there isn't one such list.

    Raises InputError as reading the file whole does.
    """
    from boxscore import _kernel

    text, spans = file.frame(without="annotations")
    try:
        raw = _kernel.parse_ground_truth(text, 1)
    except _kernel.ParseError as error:
        moved = sum(span.end - span.start for span in spans if error.byte >= span.start)
        file.refuse(error, moved=moved, results=False)
    return (coco.Parsed(raw, file.name, file.path), spans[0]) if len(spans) == 1 else None


def list_of(file: CocoFile) -> Span | None:
    """Where the results of a list lie; None where the file is none, and more than blanks stand around it."""
    if file.of_object:
        return None
    text, spans = file.frame(without=None)
    return spans[0] if text.removeprefix(b"\xef\xbb\xbf").strip() == b"[]" else None
