"""The journal of a run of predictions: what has been found so far, a line a batch, so that a killed run goes on.

A line is the CRC-32 of its text, eight hexadecimal digits, a space and the text: JSON. The first line says which run it
is, each further one holds a batch. A line is written in one go as soon as its batch is done; a torn last one, as kill
-9 or a power cut leaves it, fails its checksum and is cut off, and its batch is done again.
"""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, BinaryIO

    Row = dict[str, Any]

KIND = "boxscore-predict-journal"
VERSION = 1


def place_of(out: Path) -> Path:
    """Where the journal of an output file is: beside it."""
    return out.with_name(f"{out.name}.journal")


class Journal:
    """An open journal, held by this process alone.

    `head` says which run it is; `done` are the batches that it holds already; `continued` is how often it was taken up
    again. Raises InputError where another process writes it, and where it belongs to another run: the fields that
    differ are named.
    """

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        self.path = path
        self._places: dict[int, int] = {}
        self.continued = 0
        self._file = self._opened()
        try:
            self._take_up({"kind": KIND, "version": VERSION, **head})
        except BaseException:
            self._file.close()
            raise

    @property
    def done(self) -> frozenset[int]:
        """Numbers of the batches that are done."""
        return frozenset(self._places)

    def add(self, batch: int, content: Mapping[str, Any]) -> None:
        """Write a batch down; it survives the end of this process as soon as this returns."""
        self._places[batch] = self._file.seek(0, os.SEEK_END)
        self._write({"batch": batch, **content})

    def batches(self) -> Iterator[Row]:
        """What was written of each batch, in order of their numbers."""
        for batch in sorted(self._places):
            self._file.seek(self._places[batch])
            row = _parsed(self._file.readline())
            if row is None:
                raise InputError(f"{self.path} was changed while it was read; start anew with --restart")
            yield row

    def close(self, *, remove: bool = False) -> None:
        """Let go of the file, and take it away where it has served."""
        if remove and os.name == "posix":
            self.path.unlink(missing_ok=True)  # while it is ours, so that it can't be a later one
        self._file.close()
        if remove and os.name != "posix":
            self.path.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        try:
            file = self.path.open("a+b")
        except OSError as error:
            raise InputError(f"{self.path} can't be written: {error.strerror}; check space and rights") from None
        if not _locked(file):
            file.close()
            raise InputError(f"{self.path} is being written by another process; wait for it, or give another --out")
        return file

    def _take_up(self, head: Row) -> None:
        rows = self._rows()
        stated = next(rows, None)
        if stated is None:
            self._file.truncate(0)
            self._write(head)
            return
        _, known = stated
        _refuse_other(self.path, known, head)
        end = self._file.tell()
        for place, row in rows:
            end = self._file.tell()
            if "batch" in row:
                self._places[row["batch"]] = place
            else:
                self.continued += 1
        self._file.truncate(end)
        self._write({"continued": True})
        self.continued += 1

    def _rows(self) -> Iterator[tuple[int, Row]]:
        """Whole lines with their places; what follows a damaged one is not looked at."""
        self._file.seek(0)
        while True:
            place = self._file.tell()
            row = _parsed(self._file.readline())
            if row is None:
                return
            yield place, row

    def _write(self, row: Row) -> None:
        text = json.dumps(row, separators=(",", ":"), allow_nan=False).encode()
        self._file.write(b"%08x %s\n" % (zlib.crc32(text), text))
        self._file.flush()


def _parsed(line: bytes) -> Row | None:
    """The content of a line, None where it is torn or at the end of the file."""
    stated, _, text = line.removesuffix(b"\n").partition(b" ")
    if not line.endswith(b"\n") or stated != b"%08x" % zlib.crc32(text):
        return None
    row: Row = json.loads(text)
    return row


def _refuse_other(path: Path, known: Row, head: Row) -> None:
    # As JSON has it: what went through a file once has lists where Python had tuples.
    wanted = json.loads(json.dumps(head))
    differing = [name for name in {**known, **wanted} if known.get(name) != wanted.get(name)]
    if differing:
        both = _both(known, wanted, differing)
        raise InputError(
            f"{path} holds an unfinished run that differs in {', '.join(differing)} ({both}); "
            "continue it with what it was begun with, or start anew with --restart"
        )


def _both(known: Row, wanted: Row, differing: list[str]) -> str:
    """The first field that differs, both ways, where that is short."""
    there, now = known.get(differing[0]), wanted.get(differing[0])
    if isinstance(there, dict) and isinstance(now, dict):
        inner = [key for key in {**there, **now} if there.get(key) != now.get(key)]
        there, now = ({key: side.get(key) for key in inner} for side in (there, now))
    return f"there {_short(there)}, now {_short(now)}"


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 120 else f"{text[:117]}…"


def _locked(file: BinaryIO) -> bool:
    """Whether this process alone has the file now; the system lets go of it when the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
