"""Writing a run folder: beside its place first, then moved there whole."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError
from boxscore.model.json_text import to_json
from boxscore.runs.contents import frames
from boxscore.runs.derived import foreign_among
from boxscore.runs.layout import DERIVED, KIND, MANIFEST, METRICS, REPORTS, TABLES, file_of
from boxscore.runs.manifest import describe, manifest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from os import PathLike
    from typing import Any

    import polars as pl

    from boxscore.runs.contents import Evaluation

_OURS = {MANIFEST, METRICS, DERIVED, *REPORTS, *map(file_of, TABLES)}


def write_run(
    run: Evaluation,
    folder: str | PathLike[str],
    *,
    overwrite: bool = False,
    command: Mapping[str, Any] | None = None,
) -> None:
    """Write the run folder in one piece: it is there whole, or not at all.

    An existing folder is replaced only with `overwrite`, and only where it is a run folder that boxscore made, with
    nothing else in it. `command` says what was run. Missing parent folders are made.

    Raises InputError that names the folder where it can't be written.
    """
    place_run(folder, lambda beside: _fill(beside, run, command), overwrite=overwrite)


def place_run(folder: str | PathLike[str], fill: Callable[[Path], None], *, overwrite: bool = False) -> None:
    """Let `fill` write a run into a folder beside its place, then move it there whole. Raises as `write_run` does."""
    check_target(folder, overwrite=overwrite)
    target = Path(folder).resolve()
    beside = target.with_name(f".{target.name}.{_token()}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside.mkdir()
    except OSError as error:
        raise _refused(folder, error) from None
    try:
        fill(beside)
        _to_disk(beside)
        check_target(folder, overwrite=overwrite)  # it may have appeared while we wrote
        _move(beside, target)
    except OSError as error:
        raise _refused(folder, error) from None
    finally:
        _remove(beside)


def check_target(folder: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Refuse a folder that must not be written, by the rules of `write_run`, before any work is done."""
    target = Path(folder)
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise InputError(f"{target} exists and is no folder; give a new folder to write the run to")
    if not _is_run_folder(target):
        raise InputError(f"{target} exists and is no run folder; give a new folder to write the run to")
    if not overwrite:
        raise InputError(f"{target} exists and holds a run; give a new folder, or replace that run with --overwrite")
    foreign = sorted(entry.name for entry in target.iterdir() if entry.name not in _OURS) + foreign_among(target)
    if foreign:
        raise InputError(
            f"{target} holds {foreign[0]}, which is no part of a run, and replacing the run would delete it; "
            "move it away, or give a new folder"
        )


def _is_run_folder(folder: Path) -> bool:
    import json

    try:
        content = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and content.get("kind") == KIND


def _fill(folder: Path, run: Evaluation, command: Mapping[str, Any] | None) -> None:
    tables = frames(run)
    metrics_text = f"{run.to_json()}\n".encode()
    described = {name: describe(frame) for name, frame in tables.items()}
    manifest = manifest_of(run, described, metrics_text, command)
    for name, frame in tables.items():
        write_table(folder / file_of(name), frame)
    write_bytes(folder / METRICS, metrics_text)
    # Last, as it names all the others.
    write_bytes(folder / MANIFEST, f"{to_json(manifest)}\n".encode())


def write_table(path: Path, frame: pl.DataFrame) -> None:
    """A table as Parquet, on the disk when this returns. Raises OSError."""
    import polars as pl

    try:
        with path.open("wb") as file:
            frame.write_parquet(file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
    except pl.exceptions.PolarsError as error:
        raise OSError(0, f"{path.name}: {error}") from None


def write_bytes(path: Path, data: bytes) -> None:
    """Bytes, on the disk when this returns. Raises OSError."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _to_disk(folder: Path) -> None:
    """Make the folder's entries survive a power cut; where folders can't be opened (Windows), the system sees to it."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _move(beside: Path, target: Path) -> None:
    if not target.exists():
        beside.rename(target)
        return
    replaced = target.with_name(f".{target.name}.{_token()}.replaced")
    target.rename(replaced)
    try:
        beside.rename(target)
    except BaseException:
        replaced.rename(target)
        raise
    _remove(replaced)


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _token() -> str:
    return f"{os.getpid()}-{os.urandom(4).hex()}"


def _refused(folder: str | PathLike[str], error: OSError) -> InputError:
    reason = error.strerror or str(error)
    return InputError(f"{os.fspath(folder)}: the run can't be written there: {reason}; check space and rights")
