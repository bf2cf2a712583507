"""XML files, opened in one way: damaged ones and Git LFS pointers are told by name."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import BinaryIO

_LFS = b"version https://git-lfs"


def elements(path: Path) -> Iterator[tuple[str, ET.Element]]:
    """`start` and `end` of each element in turn, so that a large file need not be held.

    Raises InputError that names file and line where it can't be read.
    """
    with opened(path) as file:
        try:
            # expat bounds what entities may grow to (since 2.4.1), and fetches nothing from outside.
            yield from ET.iterparse(file, events=("start", "end"))  # noqa: S314  for that reason
        except ET.ParseError as error:
            line, column = error.position
            raise InputError(
                f"{path} line {line}: this is no well-formed XML ({error.msg.split(':')[0]}, column {column}); "
                "write or fetch the file again"
            ) from None


def root_of(path: Path) -> ET.Element:
    """A small file's root, with all below it. Raises InputError likewise."""
    root: ET.Element | None = None
    for _, element in elements(path):
        root = element if root is None else root
    if root is None:
        raise InputError(f"{path} is empty; write or fetch the file again")
    return root


def root_tag(path: Path) -> str | None:
    """The name of the first element; None where the file is no XML, or can't be read."""
    try:
        return next(element.tag for _, element in elements(path))
    except (InputError, StopIteration):
        return None


def opened(path: Path) -> AbstractContextManager[BinaryIO]:
    """The file, open to read. Raises InputError for what can't be read, and for a Git LFS pointer."""
    try:
        file = path.open("rb")
        if file.read(len(_LFS)) == _LFS:
            file.close()
            raise InputError(
                f"{path} is a Git LFS pointer, not the file itself; fetch the content with `git lfs pull` first"
            )
        file.seek(0)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}") from None
    return file
