"""Run folders of presence: a run like any other, the masked figures among its metrics, and all else under derived."""

from __future__ import annotations

import os

from boxscore.model.notes import Note
from boxscore.presence.actors import NONE
from boxscore.presence.tallies import RATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.presence.scoring import Scored
    from boxscore.slices.slicing import Slicing

DERIVED = "presence"
MASK = "mask: "
"""How `slice` begins in rows of the masked figures, which are no slice that was asked for."""
_TALLIES = ("TP", "FP", "FN")


def folders(out: str | PathLike[str], sources: Sequence[str]) -> dict[str, str]:
    """The run folder of each source: the one that is named; with several sources, one for each in it, by its name."""
    home = os.fspath(out)
    if len(sources) == 1:
        return {sources[0]: home}
    return {source: os.path.join(home, source) for source in sources}  # noqa: PTH118  a text, as the user wrote it


def finished(scored: Scored, resampling: Resampling | None, slicing: Slicing | None = None) -> Run:
    """The run with what was noted, with intervals and slices where they are asked for, and the masked figures."""
    run = scored.run
    for note in scored.content["notes"]:
        run.add_note(Note("presence", note))
    if resampling is not None:
        run = run.with_intervals(resampling)
    if slicing is not None:
        run = run.with_slices(slicing, resampling)
    run.metrics.rows.extend(_masked(scored))
    return run


def save(
    run: Run,
    folder: str,
    content: Mapping[str, Any],
    *,
    overwrite: bool = False,
    command: Mapping[str, Any] | None = None,
) -> None:
    """Write the run folder, and `content` under its derived/presence.json. Raises InputError."""
    from boxscore.runs.derived import write_derived

    run.save(folder, overwrite=overwrite, command=command)
    write_derived(folder, DERIVED, content)


def _masked(scored: Scored) -> Iterator[dict[str, Any]]:
    """Rows of the tidy table, `slice` the mask; none where there is no mask."""
    from boxscore.measures.table import row_of

    if scored.mask.kind == NONE:
        return
    found, made = scored.content["masked"], scored.content["intervals"]
    objects = found["TP"] + found["FN"]
    name = f"{MASK}{scored.mask.kind}"
    for measure in (*RATES, *_TALLIES):
        one = found[measure] if measure in RATES else {"value": found[measure], "reason": None}
        average = "micro" if measure in RATES else "sum"
        row = row_of(measure, None, average, one["value"], one["reason"], scored.run.num_images, objects)
        row["slice"] = name
        if made is not None and measure in RATES and one["value"] is not None:
            row |= {field: one[field] for field in ("low", "high", "std_error", "interval_reason")}
            row |= {field: made[field] for field in ("confidence", "interval", "unit", "replicates", "seed")}
        yield row
