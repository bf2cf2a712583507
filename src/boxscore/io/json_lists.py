"""Lists in JSON files: whole, or a piece at a time where the file need not fit in memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io import coco_pieces, json_files
from boxscore.model.given import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import ExitStack
    from os import PathLike
    from typing import Any

    from boxscore.io.coco_pieces import CocoFile
    from boxscore.io.json_outline import Span

    Pieces = Callable[[], Iterator[tuple[int, list[Any]]]]
    """Reads a list from the start: number of the first entry, and some entries."""


def whole(path: str | PathLike[str]) -> Pieces:
    """The list that a file is. Raises InputError for another file."""
    entries = json_files.load(path)
    if not isinstance(entries, list):
        raise InputError(f"{path}: {shown(type(entries).__name__)} is found where a list of results is expected")
    return lambda: iter([(0, entries)])


def in_pieces(path: str | PathLike[str], stack: ExitStack) -> Pieces:
    """The same; the file stays open until the stack is closed. One without an outline is read whole."""
    file = stack.enter_context(coco_pieces.open_pieces(path))
    span = None if file is None else coco_pieces.list_of(file)
    return whole(path) if file is None or span is None else of_span(file, span)


def of_span(file: CocoFile, span: Span) -> Pieces:
    """The entries of an array of an open file. Reading them raises InputError where a piece is no JSON."""

    def read() -> Iterator[tuple[int, list[Any]]]:
        first = 0
        for piece, _ in file.pieces(span):
            try:
                entries = json.loads(piece)
            except (ValueError, RecursionError):
                json_files.load(file.path)  # tells the place
                raise
            yield first, entries
            first += len(entries)

    return read
