"""Digests of a validation's inputs, in forms that others can make again."""

from __future__ import annotations

import hashlib
import json
import os

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.validate.cases import Case


def manifest(cases: Iterable[Case]) -> str:
    """The digest of a data set's names and bytes.

    SHA-256 over, for each case in order, picture then label: the file name in UTF-8, one zero byte, and the 32 raw
    bytes of the SHA-256 of the file's bytes.
    """
    found = hashlib.sha256()
    for case in cases:
        for name, digest in ((case.picture, case.picture_sha256), (case.label, case.label_sha256)):
            found.update(name.encode() + b"\0" + digest)
    return found.hexdigest()


def class_list(names: Sequence[str]) -> str:
    """SHA-256 over the class names in order, each in UTF-8 and followed by a zero byte."""
    return hashlib.sha256(b"".join(name.encode() + b"\0" for name in names)).hexdigest()


def pictures(cases: Iterable[Case]) -> str:
    """SHA-256 over the pictures' raw digests, sorted: the same pictures under other names and labels have the same."""
    return hashlib.sha256(b"".join(sorted(case.picture_sha256 for case in cases))).hexdigest()


def of_content(content: Any) -> str:  # noqa: ANN401  whatever JSON holds
    """SHA-256 of JSON in its plainest form: keys sorted, no blanks, ASCII."""
    return hashlib.sha256(canonical(content)).hexdigest()


def canonical(content: Any) -> bytes:  # noqa: ANN401  likewise
    """JSON with sorted keys, without blanks, in ASCII. Raises ValueError for NaN."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def of_file(path: str | PathLike[str]) -> str:
    """SHA-256 of a file's bytes. Raises InputError where it can't be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123  paths are kept as text
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{os.fspath(path)} can't be read: {error.strerror or error}") from None
