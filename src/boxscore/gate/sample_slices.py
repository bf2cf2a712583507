"""Slices and groups of samples, by the columns of their table."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.notes import listed
from boxscore.slices import cutting
from boxscore.slices.slice import IMAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from boxscore.pipeline.resampling import Resampling
    from boxscore.slices.slicing import Slicing

    Mask = NDArray[np.bool_]
    Masks = Mapping[str, Mask]


def cut(frame: pl.DataFrame, slicing: Slicing) -> dict[str, Mask]:
    """Which samples are in each slice, by its name. Raises InputError for a column that is missing."""
    names = [*slicing.columns, *(name for one in slicing.conditions for name in cutting.columns_in(one))]
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise InputError(f"there is no column {missing[0]!r} to slice by; there are {listed(frame.columns, 20)}")
    slices = []
    for cross in slicing.crosses:
        slices += cutting.cut(cross, [frame[name] for name in cross.columns], IMAGE)[0]
    slices += [cutting.select(one, frame, IMAGE)[0] for one in slicing.conditions]
    return {one.name: one.mask for one in slices}


def refuse_other(baseline: Masks, current: Masks, ids: Sequence[object]) -> None:
    """Raises InputError for a slice that holds other samples in one table than in the other."""
    import numpy as np

    for name, mask in current.items():
        before = baseline.get(name)
        if before is not None and not np.array_equal(mask, before):
            at = int(np.flatnonzero(mask != before)[0])
            raise InputError(
                f"slice {name!r} is not the same part of both tables: sample {ids[at]!r} is in it in one of them "
                "alone; mend the column that it is made of"
            )


def grouped(frame: pl.DataFrame, resampling: Resampling, name: str) -> tuple[NDArray[np.uint32], int, str]:
    """The unit of each sample, how many units there are, and what they are. Raises InputError."""
    import numpy as np

    column = resampling.group_by
    if column is None:
        return np.arange(frame.height, dtype=np.uint32), frame.height, "sample"
    if column not in frame.columns:
        raise InputError(f"{resampling.named('group_by')} is {column!r}, and {name} has no such column")
    places: dict[object, int] = {}
    units = [places.setdefault(value, len(places)) for value in frame[column].to_list()]
    return np.array(units, dtype=np.uint32), len(places), "group"
