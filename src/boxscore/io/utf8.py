"""Bytes of small text files as text: UTF-8 alone, with or without its mark, and an error that names the byte if not."""

from __future__ import annotations

from boxscore.errors import InputError

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def decoded(data: bytes, shown: str) -> str:
    """The text of a file that goes by `shown`. Raises InputError that names the first byte that isn't UTF-8.

    Nothing is guessed: a name that is read in the wrong code page would be another label.
    """
    if data.startswith(_UTF16):
        raise InputError(f"{shown} is text in UTF-16; save it as UTF-8")
    if data.startswith(b"version https://git-lfs"):
        raise InputError(f"{shown} is a Git LFS pointer, not the file itself; fetch the content with `git lfs pull`")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{shown} line {line}: byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8; "
            "save the file as UTF-8 (it may be in a code page such as cp1252)"
        ) from None
