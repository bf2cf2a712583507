"""What was computed of pictures, kept in one SQLite file: a run that is stopped, however, goes on where it was.

Each batch is one transaction: after a kill it is there whole or not at all. Several runs may share a file.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_AT_A_TIME = 500
"""Keys in one question; SQLite limits how many it takes."""
_PATIENCE = 60.0
"""Seconds that a run waits while another one writes."""


class Cache:
    """Bytes by key, without a path in memory. Raises InputError where the file can't be made, read or written."""

    def __init__(self, path: Path | None) -> None:
        self._shown = str(path)
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(":memory:" if path is None else path, timeout=_PATIENCE)
            self._file.execute("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB NOT NULL)")
        except (sqlite3.Error, OSError) as error:
            raise self._refused(error) from None

    def get(self, keys: Iterable[str]) -> dict[str, bytes]:
        """What is kept of these keys."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, bytes] = {}
        try:
            for start in range(0, len(wanted), _AT_A_TIME):
                part = wanted[start : start + _AT_A_TIME]
                marks = ",".join("?" * len(part))
                asked = f"SELECT key, value FROM kept WHERE key IN ({marks})"  # noqa: S608  marks are question marks alone
                found.update(self._file.execute(asked, part))
        except sqlite3.Error as error:
            raise self._refused(error) from None
        return found

    def put(self, values: Mapping[str, bytes]) -> None:
        """Keep values, if there are any; they survive the end of this process as soon as this returns."""
        if not values:
            return
        try:
            with self._file:
                self._file.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", values.items())
        except sqlite3.Error as error:
            raise self._refused(error) from None

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _refused(self, error: Exception) -> InputError:
        return InputError(
            f"the embedding cache {self._shown} can't be used ({error}); check space and rights, or delete it, or give "
            "another with --cache"
        )
