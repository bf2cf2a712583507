"""A run on pictures that is kept in a journal until it is whole, whoever runs its batches."""

from __future__ import annotations

import glob
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from boxscore.errors import InputError
from boxscore.predict import run_output
from boxscore.predict.read_picture import without_warnings
from boxscore.predict.resume import Journal, place_of
from boxscore.predict.run_pictures import pictures_of
from boxscore.predict.run_progress import Progress
from boxscore.predict.run_record import Seen, marks, write_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any, TextIO

    from boxscore.predict.latency import Percentile
    from boxscore.predict.run_output import Ids
    from boxscore.predict.run_pictures import Pictures

    Images = str | PathLike[str] | Sequence[str | PathLike[str]]

LEAST_SCORE = 0.01
"""Detections from here on are written, whatever the floors: these are applied when scoring."""


class Runner(Protocol):
    """Runs batches of pictures, here or elsewhere."""

    def run(self, batches: Iterable[tuple[int, range]]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Numbers of batches and what is found in them, as BatchRunner has it, as they are done."""

    def machine(self) -> dict[str, Any]:
        """On what the batches ran, as `run_machine.machine`, once they have."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """A finished run: what was written, which pictures failed, how long each step took (milliseconds)."""

    out: Path
    pictures: int
    detections: int
    unreadable: list[dict[str, str]]
    noted: list[dict[str, Any]]
    latency: dict[str, dict[str, Percentile]]
    continued: int
    record: dict[str, Any]


def predict_by(
    runner_of: Callable[[Pictures], Runner],
    images: Images,
    out: str | PathLike[str],
    *,
    classes: Sequence[str],
    identity: Mapping[str, Any],
    batch: int = 1,
    least_score: float = LEAST_SCORE,
    skip_unreadable: bool = False,
    ids: Ids | None = None,
    overwrite: bool = False,
    restart: bool = False,
    progress: TextIO | None = None,
    asked: Mapping[str, Any] | None = None,
) -> Predicted:
    """Run batches by `runner_of(pictures)` and write what they find; `run.predict_with` describes all else."""
    target = Path(out)
    pictures = pictures_of(images)
    run_output.check(target, ids=ids, names=pictures.names, classes=classes)
    if batch < 1:
        raise InputError(f"--batch {batch}: a batch has at least 1 picture")
    settings = {
        "detector": {**identity, "classes": list(classes)},
        "batch": batch,
        "least_score": least_score,
    }
    journal = _journal(target, pictures, settings, overwrite=overwrite, restart=restart)
    try:
        runner = runner_of(pictures)
        with without_warnings():
            _run(runner, journal, pictures, batch, progress)
        seen = Seen.of(journal.batches())
        told = marks(seen, skip_unreadable=skip_unreadable)
        record = {**settings, "asked": dict(asked or {}), "continued": journal.continued, "machine": runner.machine()}
        written = _place(target, journal, classes, ids, seen, told, record)
        journal.close(remove=True)
    finally:
        # Of a run that failed before its first batch there is nothing to continue.
        journal.close(remove=not journal.done)
    return Predicted(
        out=target,
        pictures=len(pictures),
        detections=seen.detections,
        unreadable=seen.unreadable,
        noted=seen.noted,
        latency=seen.latency(),
        continued=journal.continued,
        record=written,
    )


def _journal(
    target: Path, pictures: Pictures, settings: Mapping[str, Any], *, overwrite: bool, restart: bool
) -> Journal:
    place = place_of(target)
    # A journal beside the output: the run was killed between the two, and has only to end.
    if target.exists() and not overwrite and not place.exists():
        raise InputError(f"{target} exists; give another --out, or replace it with --overwrite")
    if restart:
        place.unlink(missing_ok=True)
    return Journal(place, {"pictures": len(pictures), "listing": pictures.listing(), **settings})


def _run(runner: Runner, journal: Journal, pictures: Pictures, batch: int, stream: TextIO | None) -> None:
    numbered = list(enumerate(pictures.batches(batch)))
    waiting = [(number, rows) for number, rows in numbered if number not in journal.done]
    done = len(pictures) - sum(len(rows) for _, rows in waiting)
    progress = Progress(stream, len(pictures))
    progress.tell(done)
    try:
        for number, content in runner.run(waiting):
            journal.add(number, content)
            done += len(content["pictures"])
            progress.tell(done)
    finally:
        progress.end()


def _place(
    target: Path,
    journal: Journal,
    classes: Sequence[str],
    ids: Ids | None,
    seen: Seen,
    told: dict[str, Any],
    record: Mapping[str, Any],
) -> dict[str, Any]:
    """The output under another name first, then its record, then the output in its place.

    Killed in between, the next run finds the journal and does this again.
    """
    beside = target.with_name(f".{target.stem}.part{target.suffix}")
    for left in target.parent.glob(f".{glob.escape(beside.name)}.*.part"):
        left.unlink(missing_ok=True)  # by a process that was killed while it wrote
    try:
        run_output.write(beside, journal.batches(), classes, ids, told)
        written = write_record(target, beside, seen, record, skip_unreadable=told["skip_unreadable"])
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return written
