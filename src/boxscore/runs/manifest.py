"""run.json: what was run, on what, by what; and the digests that everything else in the folder is held to."""

from __future__ import annotations

import json

from boxscore.runs import digests, inputs
from boxscore.runs.contents import grouped_by, not_kept
from boxscore.runs.layout import ARITHMETIC, KIND, METRICS, format_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import polars as pl

    from boxscore.runs.contents import Evaluation


def manifest_of(
    run: Evaluation,
    tables: Mapping[str, dict[str, Any]],
    metrics_text: bytes,
    command: Mapping[str, Any] | None,
    *,
    gone: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The content of run.json, sealed. `tables` are described, `gone` says what isn't kept (None: see `not_kept`)."""
    labels = run.labels
    manifest = {
        "kind": KIND,
        "format": format_text(),
        "time": _utc(run.created),
        "command": dict(command or {"name": "python"}),
        "protocol": run.protocol.to_dict(),
        "reading": None if run.reading is None else run.reading.to_dict(),
        "label_agnostic": run.label_agnostic,
        "corner_convention": run.corner_convention,
        "floors": None if run.floors is None else run.floors.to_dict(),
        "steps": run.steps,
        "grouped_by": grouped_by(run),
        "inputs": {role: inputs.describe(path, run.created) for role, path in run.inputs.items()},
        "digests": {
            "compatibility": digests.compatibility(run.protocol, labels, label_agnostic=run.label_agnostic),
            "data": run.data_identity,
        },
        "arithmetic": ARITHMETIC,
        "versions": _versions(),
        "platform": _platform(),
        "over_limit": list(run.matches.over_limit),
        "not_kept": not_kept(run) if gone is None else dict(gone),
        "files": {METRICS: {"bytes": len(metrics_text), "sha256": _sha256(metrics_text)}},
        "tables": dict(tables),
        "labels": [{"id": i, "name": name} for i, name in zip(labels.ids, labels.names, strict=True)],
        "images": run.image_ids,
    }
    return manifest | {"digest": seal(manifest)}


def seal(manifest: Mapping[str, Any]) -> str:
    """SHA-256 of run.json's content but for `digest` itself, independent of how the file is laid out."""
    content = {key: value for key, value in manifest.items() if key != "digest"}
    return _sha256(json.dumps(content, allow_nan=False, sort_keys=True).encode())


def describe(frame: pl.DataFrame) -> dict[str, Any]:
    """A table as run.json states it: rows, and type and digest of each column."""
    columns = {
        series.name: {"type": str(series.dtype), "digest": digests.column_digest(series)}
        for series in frame.iter_columns()
    }
    return {"rows": frame.height, "columns": columns}


def _sha256(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _utc(seconds: float) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _versions() -> dict[str, str]:
    import polars as pl

    from boxscore.model.versions import versions

    return versions() | {"polars": pl.__version__}


def _platform() -> dict[str, str]:
    import platform

    names = {"system": platform.system(), "machine": platform.machine()}
    return names | {"implementation": platform.python_implementation()}
