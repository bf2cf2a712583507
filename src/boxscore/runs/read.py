"""Reading a run folder back."""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.model.floors import Floors
from boxscore.model.labels import LabelSet
from boxscore.model.metrics import Metrics
from boxscore.model.notes import Note
from boxscore.model.protocol import Protocol
from boxscore.model.reading import CHOICES, Reading
from boxscore.runs.digests import DECIDING, KEPT_LATER
from boxscore.runs.layout import MANIFEST, METRICS, TABLES, file_of
from boxscore.runs.manifest import seal
from boxscore.runs.upgrade import upgrade

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    import polars as pl

    from boxscore.model.labels import Id

_FIELDS: dict[str, tuple[type, ...]] = {
    "time": (str,),
    "command": (dict,),
    "protocol": (dict,),
    "reading": (dict, type(None)),
    "label_agnostic": (bool,),
    "inputs": (dict,),
    "digests": (dict,),
    "arithmetic": (int,),
    "versions": (dict,),
    "over_limit": (list,),
    "not_kept": (dict,),
    "files": (dict,),
    "tables": (dict,),
    "labels": (list,),
    "images": (list,),
}
_ADDED = dict.fromkeys(("mean", "bias", "interval_reason"))
"""Columns of the metrics that older minors lack."""

_AGAIN = "the run folder is damaged: write the run again, or copy the whole folder again"


class SavedRun:
    """A run folder: `manifest` is run.json, `content` metrics.json; tables are read when asked for.

    `labels`, `protocol`, `reading`, `label_agnostic`, `floors`, `steps` and `image_ids` say what was evaluated, and
    `grouped_by` what the column `group` of the images was made of; `resampled` is how intervals were made, `slices`
    what the slices in the metrics are (None: there are none);
    `compatibility` and `data_identity` are the two digests that decide what it may be compared with (the latter None
    where the run had none); `summary`, `metrics` and `notes` are its results.
    """

    def __init__(self, folder: Path, manifest: dict[str, Any], content: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        self.content = content
        labels = manifest["labels"]
        self.labels = LabelSet([label["id"] for label in labels], [label["name"] for label in labels])
        self.protocol = _protocol(manifest["protocol"])
        self.reading = None if manifest["reading"] is None else _reading(manifest["reading"])
        self.label_agnostic: bool = manifest["label_agnostic"]
        # Format 1.0 had none of these: its corners were continuous, its runs at no operating point.
        self.corner_convention: str = manifest.get("corner_convention", "continuous")
        floors = manifest.get("floors")
        self.floors = None if floors is None else Floors.from_dict(floors)
        self.steps: list[dict[str, Any]] = manifest.get("steps", [])
        # Nor did 1.1 know what groups were made of, or why there is no interval.
        self.grouped_by: dict[str, str] | None = manifest.get("grouped_by")
        self.resampled: dict[str, Any] | None = content.get("intervals")
        self.slices: dict[str, Any] | None = content.get("slices")
        self.image_ids: list[Id] = manifest["images"]
        self.compatibility: str = manifest["digests"]["compatibility"]
        self.data_identity: str | None = manifest["digests"]["data"]
        self.summary: dict[str, float | None] = content["summary"]
        self.metrics = Metrics([_ADDED | row for row in content["metrics"]])
        self.notes = [Note(note["code"], note["message"], note["count"]) for note in content["notes"]]

    @property
    def tables(self) -> list[str]:
        """Names of the tables that the folder holds."""
        return list(self.manifest["tables"])

    def table(self, name: str) -> pl.DataFrame:
        """A table as it is on disk. Raises InputError where the run kept none, or the file can't be read."""
        if name not in self.manifest["tables"]:
            reason = self.manifest["not_kept"].get(name, f"there are {', '.join(self.tables)}")
            raise InputError(f"{self.folder}: this run has no table {name!r} ({reason})")
        return _parquet(self.folder / file_of(name))

    def __repr__(self) -> str:
        return f"<SavedRun {self.folder}: {len(self.image_ids)} images, protocol {self.protocol.name}>"


def read_run(folder: str | PathLike[str], *, verify: bool = True) -> SavedRun:
    """Read a run folder of this or an older format.

    The two JSON files are always held to their digests. With `verify`, every table is too, so that a changed, missing
    or cut-off file is refused by name; without, tables are trusted as they are.

    Raises InputError that names the file, and what about it is wrong.
    """
    home = Path(folder)
    if not home.is_dir():
        raise InputError(f"{home}: there is no such folder; give a folder that `boxscore eval --out` wrote")
    stated = _json(home / MANIFEST)
    manifest = upgrade(stated, str(home / MANIFEST))
    if stated.get("digest") != seal(stated):
        raise InputError(f"{home / MANIFEST}: digest does not fit the file's content: it was changed; {_AGAIN}")
    _check_fields(manifest, home / MANIFEST)
    content = _metrics(home / METRICS, manifest)
    try:
        saved = SavedRun(home, manifest, content)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        problem = f"no {error} where it must be" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{home}: the run's description can't be used: {problem}; {_AGAIN}") from None
    if verify:
        from boxscore.runs.verify import check

        check(saved)
    return saved


def _metrics(path: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    import hashlib

    data = _bytes(path)
    content = _parsed(data, path)
    if manifest["files"].get(METRICS, {}).get("sha256") != hashlib.sha256(data).hexdigest():
        raise InputError(f"{path}: its SHA-256 is not the one that run.json states: it was changed; {_AGAIN}")
    return content


def _check_fields(manifest: dict[str, Any], path: Path) -> None:
    for field, kinds in _FIELDS.items():
        if field not in manifest:
            raise InputError(f"{path}: {field} is missing; {_AGAIN}")
        if not isinstance(manifest[field], kinds):
            raise InputError(f"{path}: {field} is a {type(manifest[field]).__name__}; {_AGAIN}")
    unknown = [name for name in manifest["tables"] if name not in TABLES]
    missing = [name for name in TABLES if name not in manifest["tables"] and name != "pairs"]
    if missing:
        raise InputError(f"{path}: tables lacks {missing[0]}; {_AGAIN}")
    if unknown:
        raise InputError(f"{path}: tables names {unknown[0]!r}, which runs don't have; {_AGAIN}")


def _protocol(stated: dict[str, Any]) -> Protocol:
    fields = {field: stated[field] for field in (*DECIDING, "name", "version", "modified", "headline")}
    fields |= {field: stated[field] for field in KEPT_LATER if field in stated}
    fields["area_ranges"] = [(name, *ends) for name, ends in stated["area_ranges"].items()]
    return Protocol(**fields)


def _reading(stated: dict[str, Any]) -> Reading:
    # A newer minor may know more policies.
    return Reading(**{field: value for field, value in stated.items() if field in CHOICES})


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        hint = "give a folder that `boxscore eval --out` wrote" if path.name == MANIFEST else _AGAIN
        raise InputError(f"{path} is missing; {hint}") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}; check its rights") from None


def _json(path: Path) -> dict[str, Any]:
    return _parsed(_bytes(path), path)


def _parsed(data: bytes, path: Path) -> dict[str, Any]:
    import json

    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not valid JSON ({error}): it was cut off or changed; {_AGAIN}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path} holds a {type(content).__name__} instead of an object; {_AGAIN}")
    return content


def _parquet(path: Path) -> pl.DataFrame:
    import polars as pl

    data = _bytes(path)
    try:
        # From bytes, so that the reader can't map a file that changes under it, and needs no name that is a pattern.
        return pl.read_parquet(data)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path} can't be read as Parquet ({problem}): it was cut off or changed; {_AGAIN}") from None
