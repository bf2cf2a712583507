"""Verdicts to files: those asked for, and what the run folder keeps."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.gate.result import GateResult

DERIVED = "gate"


def write(path: str, text: str) -> None:
    """Beside its place first, then moved there, so that the file is whole or as it was. Raises InputError."""
    place = Path(path)
    beside = place.with_name(f".{place.name}.{os.getpid()}.partial")
    try:
        beside.write_text(text, encoding="utf-8", errors="backslashreplace")
        beside.replace(place)
    except OSError as error:
        raise InputError(
            f"{path} can't be written: {error.strerror or error}; check the folder and its rights"
        ) from None
    finally:
        beside.unlink(missing_ok=True)


def save(folder: str, result: GateResult) -> None:
    """Keep the verdict under RUN/derived/gate.json. Raises InputError where it can't be written."""
    from boxscore.runs.derived import write_derived

    write_derived(folder, DERIVED, result.to_dict())
