"""One way through the pipeline: evaluate, gate, triage; the same as by the commands, which are told."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.planted.rules import CONFIDENCE, SLICES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.gate.result import GateResult
    from boxscore.pipeline.run import Run
    from boxscore.triage import Triage

    Row = dict[str, Any]

TRIAGE_SLICES = ("profile", "file_name")
SUPPORT = 3
"""Least images, or objects, of a slice that triage tells: three scenes are dark."""


@dataclass(frozen=True)
class Place:
    """The demonstration's folder, and what lies where in it."""

    folder: Path

    @property
    def predictions(self) -> Path:
        """Detections without fault."""
        return self.folder / "predictions.json"

    @property
    def rules(self) -> Path:
        """The gate's rules."""
        return self.folder / "gate.yaml"

    @property
    def baseline(self) -> Path:
        """The promoted run."""
        return self.folder / "baseline"

    def run(self, name: str) -> Path:
        """A run folder."""
        return self.folder / "runs" / name

    def fault(self, name: str) -> Path:
        """What a fault writes."""
        return self.folder / "faults" / name


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """COCO's list of results, a row a line."""
    from boxscore.model.whole_files import write_text

    write_text(path, "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


def evaluated(ground_truth: Path, predictions: Path, folder: Path, iou: float | None = None) -> Run:
    """Evaluate files and save the run folder, with the columns that slices need."""
    from boxscore.model.reading import Reading
    from boxscore.pipeline.evaluate import evaluate
    from boxscore.slices.slicing import Slicing

    run = evaluate(ground_truth, predictions, iou=iou, reading=Reading(ignore_flag="honour"))
    run = run.with_slices(Slicing(SLICES, support=SUPPORT))
    options = {"gt": str(ground_truth), "pred": str(predictions), "ignore_flag": "honour", "slice_by": list(SLICES)}
    run.save(folder, command={"name": "eval", "options": options | ({} if iou is None else {"iou": f"{iou:g}"})})
    return run


def gated(place: Place, name: str) -> GateResult:
    """Hold a run to the baseline by the rules, and keep the verdict in its folder."""
    from boxscore.gate import opened, rule_files
    from boxscore.gate.gating import gate
    from boxscore.gate.written import save

    rules = rule_files.read(place.rules)
    current, baseline = str(place.run(name)), str(place.baseline)
    sides, rules = opened.runs(current, baseline, rules, rule_files.RuleResampling(**rules.resampling))
    found = gate(sides, rules, current=current, baseline=baseline)
    save(current, found)
    return found


def triaged(place: Place, name: str) -> Triage:
    """Sort the failures of a run, and keep them in its folder."""
    from boxscore.slices.slicing import Slicing
    from boxscore.triage import Options, save, triage

    slicing = Slicing(TRIAGE_SLICES, support=SUPPORT)
    found = triage(place.run(name), Options(confidence=CONFIDENCE, slicing=slicing, search=False))
    save(found, place.run(name))
    return found


def eval_command(ground_truth: Path, predictions: Path, folder: Path, iou: float | None = None) -> str:
    """What `evaluated` does, on the command line; over what is there."""
    how = ["--ignore-flag", "honour", *(() if iou is None else ("--iou", f"{iou:g}"))]
    by = [part for one in SLICES for part in ("--slice-by", one)]
    return _command("eval", ground_truth, predictions, *how, *by, "--out", folder, "--overwrite")


def promote_command(place: Place, name: str) -> str:
    """How the baseline is made."""
    return _command("gate", "--promote", place.run(name), place.baseline, "--overwrite")


def gate_command(place: Place, name: str) -> str:
    """What `gated` does, on the command line."""
    return _command("gate", place.run(name), "--baseline", place.baseline, "--rules", place.rules)


def triage_command(place: Place, name: str) -> str:
    """What `triaged` does, on the command line."""
    by = [part for one in TRIAGE_SLICES for part in ("--slice-by", one)]
    options = ("--confidence", f"{CONFIDENCE:g}", *by, "--support", str(SUPPORT), "--no-search")
    return _command("triage", place.run(name), *options)


def _command(*arguments: str | Path) -> str:
    return shlex.join(["boxscore", *map(str, arguments)])
