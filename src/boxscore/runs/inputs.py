"""Input files as a run folder names them: path, size, SHA-256 of the bytes."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def describe(path: str, read_before: float) -> dict[str, Any]:
    """A file's path as it was given, its size and digest; None, with a reason, where they can't be vouched for.

    `read_before` is the time (seconds since the epoch) by which the file had been read.
    """
    try:
        status = os.stat(path)  # noqa: PTH116  the path is kept as text
        if not stat.S_ISREG(status.st_mode):
            return _unknown(path, "it is no regular file, and can't be read twice")
        if status.st_mtime > read_before:
            return _unknown(path, "it was changed after it was read")
        return {"path": path, "bytes": status.st_size, "sha256": _sha256(path)}
    except OSError as error:
        return _unknown(path, f"it can't be read again: {error.strerror or error}")


def _unknown(path: str, reason: str) -> dict[str, Any]:
    return {"path": path, "bytes": None, "sha256": None, "reason": reason}


def _sha256(path: str) -> str:
    import hashlib

    with open(path, "rb") as file:  # noqa: PTH123  as above
        return hashlib.file_digest(file, "sha256").hexdigest()
