"""What triage reads: a run in memory or a run folder, its matches and pairs as NumPy columns."""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.pipeline.run import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from numpy.typing import NDArray

    Columns = dict[str, NDArray[Any]]

_GIVE = "give the folder of a run that `boxscore eval --out` wrote"


class Source:
    """A run with its tables.

    - `run`: labels, protocol, floors, groups, image ids.
    - `detections` (image, label, score, rank, matched, ignored, and w, h): a row a detection, by image, label, rank.
    - `objects` (image, label, matched, ignored, area): a row an object.
    - `pairs` (detection, ground_truth, overlap): rows of both that overlap by 0.1 or more, whatever their labels.
    - `folder`: the run folder, None for a run in memory.
    """

    __slots__ = ("detections", "folder", "objects", "pairs", "run")

    def __init__(self, run: Run, detections: Columns, objects: Columns, pairs: Columns) -> None:
        self.run = run
        self.detections = detections
        self.objects = objects
        self.pairs = pairs
        self.folder: Path | None = None


def source_of(given: Run | str | PathLike[str], *, verify: bool = True) -> Source:
    """The tables of a run, or of the run that a folder holds. Raises InputError where it let its boxes go."""
    if isinstance(given, Run):
        return _of_run(given)
    folder = Path(given)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; {_GIVE}, or a table of matches with the column match_type (.csv)")
    return _of_folder(folder, verify=verify)


def _of_run(run: Run) -> Source:
    pairs = run.pairs()
    if pairs is None or run.predictions is None or run.dataset is None:
        raise InputError("triage needs the boxes, which this run has let go once matched; evaluate the files again")
    matches = run.matches
    detections = _columns(matches.detections, ("image", "label", "score", "rank", "matched", "ignored"))
    detections |= _columns(run.predictions.table, ("w", "h"))
    objects = _columns(matches.ground_truth, ("image", "label", "matched", "ignored"))
    objects |= _columns(run.dataset.ground_truth, ("area",))
    return Source(run, detections, objects, _columns(pairs, ("detection", "ground_truth", "overlap")))


def _of_folder(folder: Path, *, verify: bool) -> Source:
    from boxscore.pipeline.saved import load_run
    from boxscore.runs import read_run

    saved = read_run(folder, verify=verify)
    if "pairs" not in saved.tables:
        reason = saved.manifest["not_kept"].get("pairs", "it has no such table")
        raise InputError(
            f"{folder}: triage needs the run's pairs, and it kept none ({reason}); evaluate the files again"
        )
    run = load_run(folder, verify=False)  # verified above
    found = Source(
        run,
        _columns(saved.table("detections"), ("image", "label", "score", "rank", "matched", "ignored", "w", "h")),
        _columns(saved.table("ground_truth"), ("image", "label", "matched", "ignored", "area")),
        _columns(saved.table("pairs"), ("detection", "ground_truth", "overlap")),
    )
    found.folder = folder
    return found


def _columns(table: Any, names: tuple[str, ...]) -> Columns:  # noqa: ANN401  a kernel table or a polars frame
    """Columns without nulls, as NumPy has them."""
    import numpy as np

    # Kernel columns give their numbers through the buffer protocol; polars' to NumPy directly.
    return {name: np.asarray(table.column(name) if hasattr(table, "column") else table[name]) for name in names}
