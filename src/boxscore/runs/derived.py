"""What analyses found of a run, kept in its folder: RUN/derived/NAME.json, and NAME.parquet where rows are many.

Each file states the digest of the run that it was derived from, so that findings of another run are never taken for
this one's.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from boxscore.errors import InputError
from boxscore.model.json_text import to_json
from boxscore.runs.layout import DERIVED, DERIVED_FORMAT, KIND, MANIFEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from os import PathLike
    from typing import Any

    import polars as pl

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_FIELDS = ("derived", "format", "of", "content")


def write_derived(
    folder: str | PathLike[str], name: str, content: Mapping[str, Any], table: pl.DataFrame | None = None
) -> None:
    """Write what was found under a name (small letters, digits, `-`, `_`), in place of what was there under it.

    `content` is ready for JSON (no NaN: a figure that does not exist is None). `table` goes to NAME.parquet. A reader
    finds the old files or the new, never half of one.

    Raises InputError where the folder is no run folder or can't be written, ValueError for NaN and for a bad name.
    """
    home = Path(folder)
    made: dict[str, Any] = {"derived": _checked(name), "format": DERIVED_FORMAT, "of": run_digest(home)}
    try:
        _place(home).mkdir(exist_ok=True)
        if table is not None:
            made["table"] = {"rows": table.height, "sha256": _write_table(table, _table_file(home, name))}
        text = to_json(made | {"content": dict(content)})
        _replace(_file(home, name), lambda path: path.write_text(f"{text}\n", encoding="ascii"))
        if table is None:
            _table_file(home, name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"{_file(home, name)}: it can't be written: {error.strerror or error}; check space and rights"
        ) from None


def read_derived(folder: str | PathLike[str], name: str) -> dict[str, Any] | None:
    """What was found under a name; None where nothing was.

    Raises InputError where the file is damaged, and where it was derived from another run than the one that is there.
    """
    found = _stated(Path(folder), name)
    return None if found is None else found["content"]


def read_derived_table(folder: str | PathLike[str], name: str) -> pl.DataFrame | None:
    """The table beside what was found; None where there is none. Raises InputError as `read_derived` does."""
    import hashlib
    import io

    import polars as pl

    home = Path(folder)
    found = _stated(home, name)
    if found is None or "table" not in found:
        return None
    path = _table_file(home, name)
    data = _bytes(path)
    if data is None:
        raise InputError(f"{path} is missing, and {_file(home, name).name} names it; {_again(name)}")
    if hashlib.sha256(data).hexdigest() != found["table"]["sha256"]:
        raise InputError(f"{path}: its SHA-256 is not the one that {name}.json states; {_again(name)}")
    return pl.read_parquet(io.BytesIO(data))


def list_derived(folder: str | PathLike[str]) -> list[str]:
    """Names of what was found, sorted; those that are stale or damaged too."""
    place = _place(Path(folder))
    return sorted(path.stem for path in place.glob("*.json") if _NAME.fullmatch(path.stem)) if place.is_dir() else []


def run_digest(folder: str | PathLike[str]) -> str:
    """The digest that run.json states of itself. Raises InputError where there is no run folder."""
    path = Path(folder) / MANIFEST
    data = _bytes(path)
    if data is None:
        raise InputError(f"{path} is missing; give a folder that `boxscore eval --out` wrote")
    stated = _parsed(data)
    if stated is None or stated.get("kind") != KIND or not isinstance(stated.get("digest"), str):
        raise InputError(f"{path} is not a run's description: it was cut off or changed; write the run again")
    digest: str = stated["digest"]
    return digest


def foreign_among(folder: Path) -> list[str]:
    """Entries of the folder `derived` that boxscore did not write, sorted, as paths from the run folder."""
    place = _place(folder)
    if not place.is_dir() or place.is_symlink():
        return [DERIVED] if os.path.lexists(place) else []
    names = [entry.name for entry in place.iterdir() if not (_ours(entry) and entry.is_file())]
    return sorted(f"{DERIVED}/{name}" for name in names)


def _ours(entry: Path) -> bool:
    left_over = entry.name.startswith(".") and entry.suffix == ".partial"
    return left_over or (entry.suffix in (".json", ".parquet") and _NAME.fullmatch(entry.stem) is not None)


def _stated(home: Path, name: str) -> dict[str, Any] | None:
    path = _file(home, _checked(name))
    of = run_digest(home)
    data = _bytes(path)
    if data is None:
        return None
    found = _parsed(data)
    if found is None:
        raise InputError(f"{path} is not valid JSON: it was cut off or changed; {_again(name)}")
    missing = [field for field in _FIELDS if field not in found]
    if missing or found["derived"] != name or not isinstance(found["content"], dict):
        problem = f"{missing[0]} is missing" if missing else f"it does not hold what was derived as {name!r}"
        raise InputError(f"{path}: {problem}: it was changed; {_again(name)}")
    if found["format"] != DERIVED_FORMAT:
        raise InputError(f"{path}: format is {found['format']!r}, not {DERIVED_FORMAT}; {_again(name)}")
    if found["of"] != of:
        raise InputError(
            f"{path} is stale: it was derived from another run than the one in this folder; {_again(name)}"
        )
    return found


def _again(name: str) -> str:
    return f"derive {name} again, or delete the file"


def _write_table(table: pl.DataFrame, path: Path) -> str:
    import hashlib
    import io

    held = io.BytesIO()
    table.write_parquet(held, compression="zstd")
    data = held.getvalue()
    _replace(path, lambda beside: beside.write_bytes(data))
    return hashlib.sha256(data).hexdigest()


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Written beside its place and moved there, so that a name is complete or as it was."""
    beside = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.partial")
    try:
        write(beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _place(home: Path) -> Path:
    return home / DERIVED


def _file(home: Path, name: str) -> Path:
    return _place(home) / f"{name}.json"


def _table_file(home: Path, name: str) -> Path:
    return _place(home) / f"{name}.parquet"


def _checked(name: str) -> str:
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"{name!r} is no name for what was derived: small letters, digits, - and _")
    return name


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}; check its rights") from None


def _parsed(data: bytes) -> dict[str, Any] | None:
    import json

    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
