"""Files that are written whole or not at all."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike


def write_text(path: str | PathLike[str], text: str) -> None:
    """Put a text (UTF-8, line ends as they are) in its place at once: a reader finds the old file or the new one.

    Raises InputError that names the file; what was there then stays as it was, and nothing else is left.
    """
    # Labels may hold halves of surrogate pairs, which UTF-8 has no form for.
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: str | PathLike[str], content: bytes) -> None:
    """`write_text` of what is no text."""
    import os
    from pathlib import Path

    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        beside.write_bytes(content)
        beside.replace(target)
    except OSError as error:
        raise InputError(
            f"{path} can't be written: {error.strerror or error}; check folder, space and rights"
        ) from None
    finally:
        beside.unlink(missing_ok=True)
