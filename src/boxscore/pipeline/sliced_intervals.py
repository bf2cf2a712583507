"""Intervals of figures of slices: the units inside each slice resampled."""

from __future__ import annotations

from boxscore.model.notes import Note, counted, listed
from boxscore.pipeline import intervals
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.sliced_part import part
from boxscore.pipeline.units import units_of
from boxscore.stats.intervals import FEW_UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.pipeline.run import Run
    from boxscore.slices.slice import Slice

    Row = dict[str, Any]

NO_IMAGES = "no images"


def fill(run: Run, slices: Sequence[Slice], rows: Sequence[Row], resampling: Resampling) -> list[Note]:
    """The columns of intervals of rows of slices of images, filled in; a note names slices of few units.

    Raises InputError.
    """
    how = Resampling.of(resampling)
    groups = units_of(run, how).groups
    by_slice: dict[str, list[Row]] = {}
    for row in rows:
        by_slice.setdefault(row["slice"], []).append(row)
    few: dict[str, int] = {}
    kind = "image"
    for one in slices:
        own = by_slice.get(one.name, [])
        if not one.support:
            for row in own:
                row["interval_reason"] = NO_IMAGES
            continue
        inside = part(run, one.mask, groups=groups)
        plan, units = intervals.plan_of(inside, how)
        for row in own:
            row["slice"] = None  # inside its own run it is a figure over all images
        intervals.fill(inside, own, plan, units, how)
        for row in own:
            row["slice"] = one.name
        kind = units.kind
        if units.count < FEW_UNITS:
            few[one.name] = units.count
    return [_few(few, kind)] if few else []


def _few(few: dict[str, int], kind: str) -> Note:
    which = counted(len(few), "slice has", "slices have")
    names = listed([f"{name} {count}" for name, count in few.items()])
    message = (
        f"{which} fewer than {FEW_UNITS} {kind}s inside, of which intervals say little: {names}; don't read a verdict "
        "off these"
    )
    return Note("slices-few-units", message, len(few))
