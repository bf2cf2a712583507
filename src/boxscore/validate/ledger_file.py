"""A ledger's file: read whole, replaced whole, by one process at a time."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE = 30.0
"""Seconds that another look is waited for; appending takes milliseconds."""
_PAUSE = 0.02


def content(path: str) -> bytes:
    """The bytes of a ledger, none where there is no file yet. Raises InputError."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}; check the path of the ledger") from None


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold the ledger for this process. A process that dies lets go by itself. Raises InputError."""
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise InputError(f"{path}: there is no folder {Path(path).parent} to keep the ledger in; make it first")
    if os.name != "posix":
        with _locked_by_file(path):
            yield
        return
    import fcntl

    # The folder is locked rather than the file, which is replaced.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _locked_by_file(path: str) -> Iterator[None]:
    """Where folders can't be opened: a file beside it that only one process can make."""
    beside = Path(f"{path}.lock")
    end = time.monotonic() + _PATIENCE
    while not _made(beside):
        if time.monotonic() > end:
            raise InputError(f"{beside} is held by another process; remove it if there is none")
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        beside.unlink(missing_ok=True)


def _made(beside: Path) -> bool:
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def replace(path: str, data: bytes) -> None:
    """Put a whole new file in the place of the old one: a reader finds the old bytes or the new. Raises InputError."""
    target = Path(path).resolve()
    beside = None
    try:
        descriptor, beside = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            Path(beside).chmod(target.stat().st_mode & 0o777)
        else:
            Path(beside).chmod(0o644)
        Path(beside).replace(target)
        beside = None
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror or error}; check space and rights") from None
    finally:
        if beside is not None:
            Path(beside).unlink(missing_ok=True)
