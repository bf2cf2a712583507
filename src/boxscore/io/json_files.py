"""JSON files that hold other forms than COCO's large lists, read whole."""

from __future__ import annotations

import json
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io.utf8 import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any


def text_of(path: str | PathLike[str]) -> str:
    """The file's text, unpacked where it is gzipped. Raises InputError where it can't be read."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}; check the path and its rights") from None
    if data[:2] == b"\x1f\x8b":
        import gzip
        import zlib

        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{path}: the gzip file is damaged or cut off ({error}); write it again") from None
    return decoded(data, str(path))


def load(path: str | PathLike[str]) -> Any:  # noqa: ANN401  whatever the file holds
    """The content. Raises InputError that names file, line and column where it can't be read."""
    text = text_of(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path} line {error.lineno}, column {error.colno}: no valid JSON ({error.msg}); write the file again"
        ) from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path}: this JSON can't be read ({error})") from None


def head(path: str | PathLike[str], count: int = 4096) -> bytes:
    """The first bytes, unpacked where the file is gzipped; none where it can't be read."""
    import gzip
    import zlib

    try:
        with Path(path).open("rb") as file:
            data = file.read(count)
        if data[:2] == b"\x1f\x8b":
            with gzip.open(path) as packed:
                data = packed.read(count)
    except (OSError, EOFError, zlib.error):
        return b""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()
