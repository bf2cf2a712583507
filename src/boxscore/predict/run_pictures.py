"""Which pictures to predict on, in their order, and by which names."""

# ruff: noqa: PTH113, PTH116, PTH118, PTH119, PTH122  pathlib costs more over ten thousand files

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io import stems, stores
from boxscore.io.pictures import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike


class Pictures:
    """Pictures in order of their names; a name is the path below the folder, with `/` (`cam1/001.jpg`).

    `names` are those of the files in the output, `paths` where they are: of files, or addresses in an object store.
    `marks` tell that content changed, where that is known already.
    """

    __slots__ = ("_marks", "names", "paths")

    def __init__(self, names: Sequence[str], paths: Sequence[str], marks: Sequence[str] | None = None) -> None:
        self.names = list(names)
        self.paths = list(paths)
        self._marks = marks

    def __len__(self) -> int:
        return len(self.names)

    def batches(self, size: int) -> Iterator[range]:
        """Positions of the pictures of each batch: always the same ones, wherever a run is taken up again."""
        for start in range(0, len(self.names), size):
            yield range(start, min(start + size, len(self.names)))

    def listing(self) -> str:
        """SHA-256 over names, sizes in bytes and times of change (of objects: marks of content): what tells that
        pictures are other ones.
        """
        digest = hashlib.sha256()
        for name, seen in zip(self.names, self._marks or map(_mark, self.paths), strict=True):
            digest.update(f"{name}\0{seen}\n".encode(errors="surrogatepass"))
        return digest.hexdigest()


def _mark(path: str) -> str:
    try:
        if stores.is_address(path):
            return stores.mark_of(path) or "unmarked"
        stated = os.stat(path)
    except OSError:
        return "missing"
    return f"{stated.st_size} {stated.st_mtime_ns}"


def pictures_of(images: str | PathLike[str] | Sequence[str | PathLike[str]]) -> Pictures:
    """The pictures of a folder or below an object store's address (those further below, too; hidden ones are passed
    over), one picture, or a list of them.

    Raises InputError where there is none, and where two share a stem: detections go to images by stem.
    """
    if not isinstance(images, str | os.PathLike):
        return _of_files([os.fspath(path) for path in images])
    shown = os.fspath(images)
    if stores.is_address(shown):
        return _in_store(shown)
    if os.path.isfile(shown):
        return _of_files([shown])
    try:
        found = sorted(stems.of_kind(stems.walk(shown), SUFFIXES).values())
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith(f"{shown}:") else f"{shown}: {text}") from None
    if not found:
        raise InputError(f"{shown}: there are no pictures in this folder; names of pictures end in .jpg, .png, …")
    return Pictures([stems.printable(name) for name in found], [os.path.join(shown, name) for name in found])


def _in_store(address: str) -> Pictures:
    root, marks = stores.below(address)
    try:
        found = sorted(stems.of_kind(marks, SUFFIXES).values())
    except InputError as error:
        raise InputError(f"{address}: {error}") from None
    if not found:
        raise InputError(f"{address}: there are no pictures at this address; names of pictures end in .jpg, .png, …")
    return Pictures(found, [stores.joined(root, name) for name in found], [marks[name] or "unmarked" for name in found])


def _of_files(paths: Sequence[str]) -> Pictures:
    if not paths:
        raise InputError("there are no pictures to predict on; give at least one")
    by_name = {os.path.basename(path): path for path in paths}
    if len(by_name) < len(paths):
        raise InputError("two pictures of the list share a name, by which detections go to images; rename one of them")
    try:
        stems.of_kind(by_name, frozenset(os.path.splitext(name)[1].lower() for name in by_name))
    except InputError as error:
        raise InputError(f"pictures given: {error}") from None
    names = sorted(by_name)
    return Pictures([stems.printable(name) for name in names], [by_name[name] for name in names])
