"""`drift`: boxscore and other scorers on the same files."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from boxscore.drift import environments, process
from boxscore.drift.explained import Explanation, differences
from boxscore.drift.handed import hand_over
from boxscore.drift.scorers import SCORERS, Asked, asked
from boxscore.drift.switches import figures_of, switched
from boxscore.errors import InputError
from boxscore.model.given import number, shown
from boxscore.model.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.drift.handed import Handed
    from boxscore.drift.process import Scored
    from boxscore.drift.switches import Figures, Switched
    from boxscore.pipeline.run import Run


class Beyond:
    """A figure further from boxscore's than the tolerance allows."""

    __slots__ = ("boxscore", "difference", "measure", "scorer", "value")

    def __init__(
        self, scorer: str, measure: str, value: float | None, boxscore: float | None, difference: float | None
    ) -> None:
        self.scorer = scorer
        self.measure = measure
        self.value = value
        self.boxscore = boxscore
        self.difference = difference

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {name: getattr(self, name) for name in ("scorer", "measure", "value", "boxscore", "difference")}


class Drift:
    """What was found: `run` (boxscore's), `figures` (its twelve), `scored` (each scorer's), `failed` (asked for, and
    why there are no figures), `switches`, and how the files were handed over.
    """

    __slots__ = ("failed", "figures", "how", "run", "scored", "switches")

    def __init__(
        self, run: Run, scored: list[Scored], failed: list[tuple[Asked, str]], switches: list[Switched], how: str
    ) -> None:
        self.run = run
        self.figures: Figures = figures_of(run)
        self.scored = scored
        self.failed = failed
        self.switches = switches
        self.how = how

    def differences(self, scored: Scored) -> Figures:
        """A scorer's figures less boxscore's; None where exactly one of the two exists."""
        return differences(self.figures, scored.figures)

    def explanation(self, scored: Scored) -> Explanation:
        """Which switch, alone, accounts for a scorer's figures."""
        return Explanation(self.figures, scored.figures, self.switches)

    def beyond(self, tolerance: float) -> list[Beyond]:
        """Figures that differ by more than the tolerance, or exist on one side alone."""
        return [
            Beyond(f"{one.asked.scorer.name} {one.version}", name, one.figures[name], self.figures.get(name), apart)
            for one in self.scored
            for name, apart in self.differences(one).items()
            if apart is None or abs(apart) > tolerance
        ]

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        from boxscore.model.versions import versions

        return {
            "boxscore": {**versions(), "figures": self.figures},
            "protocol": self.run.protocol.to_dict(),
            "files": self.how,
            "scorers": [self._scorer(one) for one in self.scored],
            "failed": [{"asked": str(one), "error": error} for one, error in self.failed],
            "switches": [one.to_dict(self.figures) for one in self.switches],
            "notes": [note.to_dict() for note in self.run.notes],
        }

    def _scorer(self, one: Scored) -> dict[str, Any]:
        return {
            "scorer": one.asked.scorer.name,
            "asked": str(one.asked),
            "version": one.version,
            "location": one.location,
            "python": one.python,
            "uses": one.uses,
            "figures": one.figures,
            "differences": self.differences(one),
            "explanation": self.explanation(one).to_dict(),
        }


def _unheard(message: str) -> None:
    """Nobody listens."""


def drift(
    gt: str | PathLike[str],
    pred: str | PathLike[str],
    scorers: Sequence[str] | None = None,
    *,
    reading: Reading | None = None,
    threads: int | None = None,
    tell: Callable[[str], None] = _unheard,
    **files: Any,  # noqa: ANN401  those of `evaluate`
) -> Drift:
    """Score the same files with boxscore, under the protocol coco, and with others, and switch what may differ.

    `scorers` are names, with a version or without (`supervision==0.27.0.post1`, `pycocotools`); None: all that are
    importable here. An environment that is missing is made, which needs a package index and may take a while; `tell`
    hears of that. `files` are `gt_format`, `gt_options`, `pred_format`, `pred_options` and `taxonomy`, as in
    `evaluate`. A scorer that can't be had, is of another version, or stops, is among `failed`; the others go on.

    Raises InputError for input that boxscore refuses, and for scorers that are not known.
    """
    from boxscore.pipeline.evaluate import evaluate

    wanted = [asked(text) for text in scorers] if scorers is not None else _importable()
    policies = Reading.of(reading)
    run = evaluate(os.fspath(gt), os.fspath(pred), reading=policies, threads=threads, **files)
    predictions = run.predictions
    if predictions is None:  # evaluate keeps what it read
        raise InputError("there is nothing to hand to other scorers")
    scored: list[Scored] = []
    failed: list[tuple[Asked, str]] = []
    with tempfile.TemporaryDirectory(prefix="boxscore-drift-") as name:
        plainly = not files and policies == Reading(area=policies.area, ignore_flag=policies.ignore_flag)
        handed = hand_over(os.fspath(gt), os.fspath(pred), predictions, Path(name), plainly=plainly)
        for one in dict.fromkeys(wanted):
            try:
                scored.append(_scored(one, handed, tell))
            except InputError as error:
                failed.append((one, str(error)))
    return Drift(run, scored, failed, switched(run) if scored else [], handed.how)


def tolerance_of(given: object) -> float | None:
    """A tolerance, checked. Raises InputError for what is no number from 0 on."""
    if given is None:
        return None
    value = number(given)
    if value is None or not 0.0 <= value < float("inf"):
        raise InputError(f"tolerance is {shown(given)}; it must be a number from 0 on, such as 0.001")
    return float(value)


def _scored(one: Asked, handed: Handed, tell: Callable[[str], None]) -> Scored:
    python = environments.python_for(one, tell)
    return process.score(python, one, handed.ground_truth, handed.predictions)


def _importable() -> list[Asked]:
    here = [Asked(one, None) for one in SCORERS.values() if process.version_in(sys.executable, one) is not None]
    if not here:
        raise InputError(
            f"none of {', '.join(SCORERS)} is importable here; name one that drift is to fetch: --with "
            "pycocotools==2.0.11"
        )
    return here
