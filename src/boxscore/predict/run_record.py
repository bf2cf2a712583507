"""The record beside an output file, `OUT.run.json`: what was run on what, which pictures failed, how long each took."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boxscore.io.predicted import KIND, beside
from boxscore.model.json_text import to_json
from boxscore.predict.latency import CONFIDENCE, METHOD, percentiles
from boxscore.predict.run_machine import packages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from typing import Any

    from boxscore.predict.latency import Percentile

    Row = dict[str, Any]

FORMAT = "1.0"
STEPS = ("read_ms", "preprocess_ms", "inference_ms", "decode_ms", "to_boxes_ms")
_KEPT = ("file_name", "width", "height", "unreadable", "notes", *STEPS, "warm_up")


@dataclass(slots=True)
class Seen:
    """What a run saw of its pictures, without their boxes."""

    pictures: list[Row] = field(default_factory=list)
    detections: int = 0

    @classmethod
    def of(cls, batches: Iterable[Row]) -> Seen:
        """From a journal's batches."""
        found = cls()
        for batch in batches:
            for entry in batch["pictures"]:
                found.pictures.append({name: entry[name] for name in _KEPT if name in entry})
                found.detections += len(entry.get("scores", ()))
        return found

    @property
    def unreadable(self) -> list[Row]:
        """File name and reason of each picture that could not be read."""
        failed = (entry for entry in self.pictures if "unreadable" in entry)
        return [{"file_name": entry["file_name"], "reason": entry["unreadable"]} for entry in failed]

    @property
    def noted(self) -> list[Row]:
        """File name and notes of each picture of an odd kind."""
        return [{name: entry[name] for name in ("file_name", "notes")} for entry in self.pictures if "notes" in entry]

    def measured(self, step: str) -> list[float]:
        """Milliseconds of a step, without the pictures of a warm-up."""
        return [entry[step] for entry in self.pictures if step in entry and "warm_up" not in entry]

    def latency(self) -> dict[str, dict[str, Percentile]]:
        """Percentiles of each step that was measured, and of all from the decoded picture to its boxes."""
        steps = [step for step in STEPS if step == "to_boxes_ms" or any(step in entry for entry in self.pictures)]
        return {step: percentiles(self.measured(step)) for step in steps}


def marks(seen: Seen, *, skip_unreadable: bool) -> Row:
    """What later steps must know: the same for the same pictures and model, whatever the machine."""
    return {"pictures": len(seen.pictures), "skip_unreadable": skip_unreadable, "unreadable": seen.unreadable}


def write_record(out: Path, content_of: Path, seen: Seen, settings: Mapping[str, Any], *, skip_unreadable: bool) -> Row:
    """Write the record of the bytes in `content_of`, which will be called `out`; returns it.

    `settings` are further fields, of which `machine` says on what was run.
    """
    with content_of.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    latency = {step: {name: one.to_dict() for name, one in by_name.items()} for step, by_name in seen.latency().items()}
    record: Row = {
        "kind": KIND,
        "format": FORMAT,
        "file": out.name,
        "sha256": digest,
        **marks(seen, skip_unreadable=skip_unreadable),
        "detections": seen.detections,
        **settings,
        "versions": packages(),
        "latency_interval": {"confidence": CONFIDENCE, "method": METHOD},
        "latency": latency,
        "device": settings["machine"]["processor"],
        "latency_ms": seen.measured("to_boxes_ms"),
        "by_picture": seen.pictures,
    }
    place = out.with_name(beside(out.name))
    part = out.with_name(f".{place.name}.part")
    try:
        part.write_text(f"{to_json(record)}\n", "utf-8")
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
    return record
