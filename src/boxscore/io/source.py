"""Where bytes come from: a file (mapped, or unpacked if gzipped), or a Python object written as JSON."""

from __future__ import annotations

import os

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, Self

    from typing_extensions import Buffer

_GZIP = b"\x1f\x8b"
_LFS = b"version https://git-lfs"
_WHAT_ELSE = {
    b"PK\x03\x04": "a ZIP archive; unpack it first",
    b"BZh": "a bzip2 file; unpack it first",
    b"\xfd7zXZ": "an xz file; unpack it first",
    b"\x28\xb5\x2f\xfd": "a zstd file; unpack it first",
    b"PAR1": "a Parquet file; COCO's JSON is expected here",
    b"\x93NUMPY": "a NumPy array; COCO's JSON is expected here",
    b"\xff\xfe": "text in UTF-16; save it as UTF-8",
    b"\xfe\xff": "text in UTF-16; save it as UTF-8",
}


class Source:
    """Bytes and their names: `path` as it was given, `name` for messages (the file's own name). Close it, or use it
    as a context manager, to let a mapped file go.
    """

    __slots__ = ("_close", "data", "name", "path")

    def __init__(self, data: Buffer, name: str, path: str | None, close: Callable[[], None] | None = None) -> None:
        self.data = data
        self.name = name
        self.path = path
        self._close = close

    def close(self) -> None:
        """Let the bytes go."""
        self.data = b""
        if self._close is not None:
            self._close()
            self._close = None

    def head(self, count: int = 4096) -> bytes:
        """The first bytes."""
        with memoryview(self.data) as view:
            return bytes(view[:count])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_source(given: Any, role: str) -> Source:  # noqa: ANN401  whatever the user brings
    """The bytes of a path, or of a dict or list as JSON. `role` (`ground truth`, `predictions`) names the latter.

    Raises InputError for a path that isn't a readable, non-empty file of text, and for an object that JSON can't hold.
    """
    if isinstance(given, str | os.PathLike):
        return _open_path(os.fspath(given), role)
    if isinstance(given, dict | list | tuple):
        return Source(_to_json(given, role), role, None)
    raise InputError(
        f"{role}: {type(given).__name__} is given; give a path, a dict or list as in COCO's JSON, or per-image arrays"
    )


def _open_path(path: str, role: str) -> Source:
    name = os.path.basename(path) or path  # noqa: PTH119  pathlib costs a fifth of the start-up
    try:
        data, close = _map(path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path of the {role}") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; the {role} must be one COCO JSON file") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}") from None
    source = Source(data, name, path, close)
    if source.head(2) == _GZIP:
        _unpack(source, path)
    _refuse_other_files(source, path, role)
    return source


def _map(path: str) -> tuple[Buffer, Callable[[], None] | None]:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(descriptor)
        if status.st_mode & 0o170000 == 0o040000:
            raise IsADirectoryError(path)
        regular = status.st_mode & 0o170000 == 0o100000
        if not regular:
            with os.fdopen(os.dup(descriptor), "rb") as stream:
                return stream.read(), None
        if status.st_size == 0:
            return b"", None
        import mmap

        mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        return mapped, mapped.close
    finally:
        os.close(descriptor)


def _unpack(source: Source, path: str) -> None:
    import gzip
    import zlib

    try:
        with memoryview(source.data) as view:
            data = gzip.decompress(view)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: the gzip file is damaged or cut off ({error}); fetch or write it again") from None
    source.close()
    source.data = data


def _refuse_other_files(source: Source, path: str, role: str) -> None:
    head = source.head()
    if not head.strip():
        size = "is empty (0 bytes)" if not head else "holds nothing but blanks"
        meant = "a results file without detections is `[]`" if role == "predictions" else "a COCO JSON file is expected"
        raise InputError(f"{path} {size}; {meant}; write the file again")
    if head.startswith(_LFS):
        raise InputError(
            f"{path} is a Git LFS pointer, not the file itself; fetch the content with `git lfs pull` first"
        )
    for magic, what in _WHAT_ELSE.items():
        if head.startswith(magic):
            raise InputError(f"{path} is {what}")


def _to_json(given: object, role: str) -> bytes:
    import json

    try:
        return json.dumps(given, default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{role}: the object can't be written as JSON: {error}") from None


def _plain(value: Any) -> Any:  # noqa: ANN401  NumPy and torch scalars and arrays have no common type
    for method in ("tolist", "item"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"{type(value).__name__} {value!r} has no JSON form")
