"""A scorer in a process of its own: started, asked, and its answer read."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from boxscore.drift.scorers import same_version
from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from boxscore.drift.scorers import Asked, Scorer

ADAPTERS = Path(__file__).parent / "adapters"

FIGURES = (
    *("AP", "AP@0.5", "AP@0.75", "AP[area=small]", "AP[area=medium]", "AP[area=large]"),
    *("AR[max=1]", "AR[max=10]", "AR", "AR[area=small]", "AR[area=medium]", "AR[area=large]"),
)
"""COCO's twelve, in its order, by the names that measures have here."""

_MOST_TOLD = 400


@dataclass(frozen=True)
class Scored:
    """What a scorer gave. `figures` holds those it gives, None where it says that one does not exist."""

    asked: Asked
    version: str
    location: str
    python: str
    uses: dict[str, str] = field(default_factory=dict)
    figures: dict[str, float | None] = field(default_factory=dict)


def version_in(python: str | PathLike[str], scorer: Scorer) -> str | None:
    """The version that an interpreter would import, None where there is none; nothing is imported."""
    answer = _answer(python, {"module": scorer.module, "distribution": scorer.name}, scorer.name)
    version = answer.get("version")
    return version if isinstance(version, str) else None


def score(python: str | PathLike[str], asked: Asked, ground_truth: Path, predictions: Path) -> Scored:
    """Score two COCO files with the scorer that an interpreter imports.

    Raises InputError where it can't be imported, is of another version than the one asked for, or stops.
    """
    scorer = asked.scorer
    answer = _answer(
        python,
        {
            "adapter": str(ADAPTERS / f"{scorer.module}.py"),
            "module": scorer.module,
            "distribution": scorer.name,
            "ground_truth": str(ground_truth),
            "predictions": str(predictions),
        },
        scorer.name,
    )
    if answer.get("importing"):
        raise InputError(
            f"{asked} is installed for {python}, but can't be imported: {answer['error']}; install there what it lacks"
        )
    version, location = answer["version"], answer["location"]
    if asked.version is not None and (version is None or not same_version(version, asked.version)):
        raise InputError(
            f"{scorer.name} {asked.version} was asked for, but {python} imports {scorer.name} "
            f"{version or 'of no version that it tells'} from {location}; its figures are not used. Delete that "
            "environment to have it made anew, or ask for the version that is there"
        )
    if "error" in answer:
        raise InputError(
            f"{scorer.name} {version} stops on these files: {answer['error']}. boxscore reads them; "
            "what other scorers do with odd input is not evened out"
        )
    pairs = zip(FIGURES, answer["figures"], strict=True)
    figures = {name: None if value == "undefined" else value for name, value in pairs if value is not None}
    return Scored(asked, version or "unknown", location, str(python), answer["uses"], figures)


def _answer(python: str | PathLike[str], asked: dict[str, str], name: str) -> dict[str, Any]:
    try:
        done = subprocess.run(
            [str(python), "-I", str(ADAPTERS / "run.py")],
            input=json.dumps(asked),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise InputError(f"{name}: {python} can't be started: {error.strerror or error}") from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        said = " ".join(done.stderr.split())[-_MOST_TOLD:] or "it said nothing"
        raise InputError(f"{name}: its process ended with status {done.returncode} and no answer: {said}") from None
    return answer
