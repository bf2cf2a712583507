"""What of a run folder is logged, the same for every tracker: parameters, figures, and files."""

from __future__ import annotations

import json
from pathlib import Path

from boxscore.errors import InputError
from boxscore.runs import list_derived, read_derived, read_run, run_digest
from boxscore.runs.layout import DERIVED, MANIFEST, METRICS, REPORTS, TABLES, file_of
from boxscore.tracking.names import Figure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from boxscore.runs import SavedRun

RUN_FILES = "run"
REPORT_FILES = "report"
NAMES_FILE = "boxscore-names.json"
"""Where a tracker finds them among its artifacts: the run folder, the report, the table of names."""


class Record:
    """What is logged of one run.

    - `folder`: the run folder; `name`: how the run is called.
    - `parameters`: by dotted name (`protocol.name`), values as JSON has them.
    - `figures`: (figure, value) for each figure that exists, and for both ends of each interval.
    - `undefined`: the reason of each figure, or of each end `low`, that does not exist.
    - `files`: path below the run folder to the file; `report`: a report's file, None without one.
    """

    __slots__ = ("figures", "files", "folder", "name", "parameters", "report", "undefined")

    def __init__(
        self,
        saved: SavedRun,
        *,
        name: str,
        report: Path | None,
        files: dict[str, Path],
        gate: dict[str, Any] | None,
    ) -> None:
        self.folder = saved.folder
        self.name = name
        self.report = report
        self.files = files
        self.parameters = _parameters(saved) | _of_gate(gate)
        self.figures: list[tuple[Figure, float]] = []
        self.undefined: list[tuple[Figure, str]] = []
        for row in saved.metrics:
            self._add(row)

    def _add(self, row: dict[str, Any]) -> None:
        about = (row["measure"], row["label"], row["slice"])
        if row["value"] is None:
            self.undefined.append((Figure(*about), row["reason"]))
            return
        self.figures.append((Figure(*about), float(row["value"])))
        if row["low"] is not None and row["high"] is not None:
            self.figures += [(Figure(*about, bound), float(row[bound])) for bound in ("low", "high")]
        elif row["interval_reason"] is not None:
            self.undefined.append((Figure(*about, "low"), row["interval_reason"]))


def record_of(
    folder: str | PathLike[str], *, name: str | None = None, report: str | PathLike[str] | None = None
) -> Record:
    """Read a run folder, held to its digests, and say what of it is logged.

    `name` is that of the run (None: of the folder), `report` the file of a report (None: the folder's report.html or
    report.md, if there). What was derived is held to the run too. Raises InputError for what is damaged, stale or
    missing.
    """
    saved = read_run(folder)
    derived = {found: read_derived(folder, found) for found in list_derived(folder)}
    return Record(
        saved,
        gate=derived.get("gate"),
        name=name or saved.folder.resolve().name,
        report=_report(saved.folder, report),
        files=_files(saved),
    )


def names_text(names: dict[str, Figure]) -> str:
    """The table of names as JSON: by name, which measure, label, slice and bound."""
    from boxscore.model.json_text import to_json

    return to_json({name: figure.to_dict() for name, figure in names.items()}) + "\n"


def text_of(value: object) -> str:
    """A parameter as text: texts as they are, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _report(folder: Path, given: str | PathLike[str] | None) -> Path | None:
    if given is None:
        return next((folder / name for name in REPORTS if (folder / name).is_file()), None)
    path = Path(given)
    if not path.is_file():
        raise InputError(f"--report: there is no file {path}; write it with `boxscore report RUN --out {path}`")
    return path


def _files(saved: SavedRun) -> dict[str, Path]:
    """What the run folder holds of its own, what was derived included."""
    own = [MANIFEST, METRICS, *(file_of(table) for table in TABLES if table in saved.tables)]
    for name in list_derived(saved.folder):
        found = [f"{DERIVED}/{name}.json", f"{DERIVED}/{name}.parquet"]
        own += [path for path in found if (saved.folder / path).is_file()]
    return {path: saved.folder / path for path in own}


def _parameters(saved: SavedRun) -> dict[str, Any]:
    manifest = saved.manifest
    sections = {
        "protocol": manifest["protocol"],
        "reading": manifest["reading"],
        "floors": manifest.get("floors"),
        "grouped_by": saved.grouped_by,
        "inputs": manifest["inputs"],
        "digests": manifest["digests"],
        "versions": manifest["versions"],
        "platform": manifest.get("platform"),
        "interval": saved.resampled,
        "slices": saved.slices,
    }
    found: dict[str, Any] = {
        "run.digest": run_digest(saved.folder),
        "run.time": manifest["time"],
        "command": manifest["command"],
        "label_agnostic": saved.label_agnostic,
        "corner_convention": saved.corner_convention,
        "arithmetic": manifest["arithmetic"],
        "steps": saved.steps,
        "images": len(saved.image_ids),
        "labels": len(saved.labels),
    }
    for section, fields in sections.items():
        found |= _flat(section, fields or {}, deep=section == "inputs")
    return found


def _of_gate(found: dict[str, Any] | None) -> dict[str, Any]:
    """The verdict of `boxscore gate`, where the run was held to a baseline."""
    if found is None:
        return {}
    told = {f"gate.{field}": found[field] for field in ("verdict", "failed", "baseline") if field in found}
    return told | {"gate.checks": len(found.get("checks", []))}


def _flat(section: str, fields: dict[str, Any], *, deep: bool) -> dict[str, Any]:
    """`protocol.name` and so on; with `deep` a level more: `inputs.predictions.sha256`."""
    found: dict[str, Any] = {}
    for key, value in fields.items():
        name = f"{section}.{key}"
        found |= _flat(name, value, deep=False) if deep and isinstance(value, dict) else {name: value}
    return found
