"""Many small files of text: their bytes, where a row of them stands in words, and errors that name file and line."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io.places import Places
from boxscore.io.stems import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from boxscore import _kernel

_ONCE = 1 << 16
"""Bytes asked for at once: a label file comes in one call."""
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class TextFiles:
    """Text files in order; None stands for one that is missing, and reads as empty.

    `name` is what messages call all of them, `paths` their paths as a user knows them, `data` their bytes.
    """

    __slots__ = ("data", "name", "paths")

    def __init__(self, paths: Sequence[str | None], name: str) -> None:
        self.paths = list(paths)
        self.name = name
        self.data = [b"" if path is None else _read(path) for path in self.paths]

    @property
    def num_present(self) -> int:
        """Files that are there."""
        return sum(path is not None for path in self.paths)

    def shown(self, file: int) -> str:
        """A file's path, for messages."""
        return printable(self.paths[file] or self.name)

    def blank(self) -> list[int]:
        """The files that are there and hold nothing but blanks."""
        few = 64  # no line of a box is nothing but this many blanks
        return [
            i
            for i, (path, data) in enumerate(zip(self.paths, self.data, strict=True))
            if path is not None and len(data) < few and not data.strip()
        ]


def _read(path: str) -> bytes:
    try:
        descriptor = os.open(path, _FLAGS)
        try:
            data = os.read(descriptor, _ONCE)
            if len(data) == _ONCE:
                parts = [data]
                while part := os.read(descriptor, 1 << 22):
                    parts.append(part)
                data = b"".join(parts)
            return data
        finally:
            os.close(descriptor)
    except OSError as error:
        raise InputError(f"{printable(path)} can't be read: {error.strerror or error}") from None


class TextPlaces(Places):
    """Names of rows of text files: `labels/a.txt line 2`. Where rows were left out, `kept` are those that weren't."""

    __slots__ = ("_files", "_rows", "kept")

    def __init__(self, files: TextFiles, rows: _kernel.TextRows, noun: str = "detection") -> None:
        super().__init__(files.name, noun)
        self._files = files
        self._rows = rows
        self.kept: list[int] | None = None

    def row(self, row: int) -> str:
        """The row as file and line."""
        file, line = self._rows.place(row if self.kept is None else self.kept[row])
        return f"{self._files.shown(file)} line {line}"

    def first(self, row: int) -> str:
        """The row inside a sentence: `first labels/a.txt line 2`."""
        return f"first {self.row(row)}"


def read_rows(
    files: TextFiles,
    *,
    score: str,
    numbers: str,
    relative: bool,
    numbered: bool,
    sizes: Buffer | None,
    threads: int,
) -> _kernel.TextRows:
    """The rows of all files. Raises InputError that names file, line, field, what stands there, and what to do."""
    from boxscore import _kernel

    try:
        return _kernel.read_text(
            files.data,
            score=score,
            numbers=numbers,
            relative=relative,
            numbered=numbered,
            polygons=numbered,
            sizes=sizes,
            threads=threads,
        )
    except _kernel.TextError as error:
        raise _worded(error, files, score=score, numbered=numbered) from None


def _worded(error: _kernel.TextError, files: TextFiles, *, score: str, numbered: bool) -> InputError:
    data = files.data[error.file]
    shown = files.shown(error.file)
    if data.startswith(b"version https://git-lfs"):
        return InputError(f"{shown} is a Git LFS pointer, not the file itself; fetch it with `git lfs pull` first")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return InputError(f"{shown} is text in UTF-16; save it as UTF-8")
    line = data.split(b"\n")[error.line - 1].strip()
    fields = line.split()
    field = "" if error.field == "line" else f"{error.field}: "
    found = line.decode("utf-8", "replace")[:60] if error.field == "line" else error.found
    remedy = _remedy(error, fields, score=score, numbered=numbered)
    return InputError(f"{shown} line {error.line}: {field}{error.problem}, found {found!r}; {remedy}")


def _remedy(error: _kernel.TextError, fields: list[bytes], *, score: str, numbered: bool) -> str:
    if error.field == "line":
        return _remedy_of_count(fields, score=score, numbered=numbered)
    if b"," in error.found.encode():
        return "write a decimal point (a decimal comma?), and separate by blanks"
    if error.field == "class":
        return (
            'class numbers are expected, names need the form "text"' if numbered else "save the file as UTF-8"
        )  # the only fault a name can have
    return "correct the line"


def _remedy_of_count(fields: list[bytes], *, score: str, numbered: bool) -> str:
    wanted = 5 if score == "none" else 6
    if any(b"," in field or b";" in field for field in fields):
        return "separate the fields by blanks, and write numbers with a decimal point"
    if score == "none" and numbered and len(fields) == wanted + 1:
        return "a label has one class and 4 numbers: is this a prediction file, with a confidence on each line?"
    if score != "none" and len(fields) == wanted - 1:
        return "the confidence is missing: write it with each detection (Ultralytics: save_conf=True)"
    if numbered and len(fields) == wanted + 1:
        return "is there a track number at the end? Leave it out"
    return "correct the line"
