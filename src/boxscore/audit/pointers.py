"""Git LFS pointers in the place of files."""

from __future__ import annotations

import os

from boxscore.audit.found import Found
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_POINTER = b"version https://git-lfs"


def findings(*paths: object) -> Iterator[Found]:
    """The pointers among files, and in folders down to the last."""
    for path in dict.fromkeys(os.fspath(p) for p in paths if isinstance(p, str | os.PathLike)):
        files = sorted(_files(path))
        found = [os.path.relpath(file, path) if file != path else path for file in files if _is_pointer(file)]
        if found:
            yield Found(
                "git-lfs-pointer",
                f"{path}: {counted(len(found), 'file is a Git LFS pointer', 'files are Git LFS pointers')}, not "
                f"{'the content itself' if len(found) == 1 else 'the contents themselves'}: {listed(found)}",
                "fetch the contents with `git lfs pull`",
                count=len(found),
                moves=len(found) / len(files),
                bound=f"touches {len(found)} of {counted(len(files), 'file')}",
                stops=True,
            )


def _files(path: str) -> Iterator[str]:
    if os.path.isfile(path):  # noqa: PTH113  paths are kept as text
        yield path
    for folder, _, names in os.walk(path):
        yield from (os.path.join(folder, name) for name in names)  # noqa: PTH118  as above


def _is_pointer(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  as above
            return file.read(len(_POINTER)) == _POINTER
    except OSError:
        return False
