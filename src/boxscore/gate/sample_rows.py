"""Rows of two tables of samples, brought into one order; columns as numbers."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.model.notes import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    Values = NDArray[np.float64]


def aligned(
    frames: tuple[pl.DataFrame, pl.DataFrame], names: tuple[str, str], sample_id: str
) -> tuple[tuple[pl.DataFrame, pl.DataFrame], list[str]]:
    """Both tables in the order of the baseline's samples, and the samples that the current one lacks.

    Raises InputError for a table without the column, a row without an id, a sample that stands twice, and for samples
    that the current table alone has: then it is of other data.
    """
    ids = [_ids(frame, name, sample_id) for frame, name in zip(frames, names, strict=True)]
    place = {one: row for row, one in enumerate(ids[1])}
    known = set(ids[0])
    more = [one for one in ids[1] if one not in known]
    if more:
        raise InputError(
            f"{names[1]} has samples that {names[0]} has not: {listed(more)}; hold the same samples to each other, or "
            "make a new baseline of all"
        )
    rows = [place[one] for one in ids[0] if one in place]
    return (frames[0], frames[1][rows]), [one for one in ids[0] if one not in place]


def outcome(frame: pl.DataFrame, column: str, name: str) -> Values:
    """A column as numbers, NaN where there is none; true and false are 1 and 0. Raises InputError for other texts."""
    import numpy as np
    import polars as pl

    values = frame[column]
    if values.dtype == pl.Boolean or values.dtype.is_numeric() or values.dtype == pl.Null:
        found: Values = values.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype(np.float64)
        return found
    cast = values.cast(pl.Float64, strict=False)
    wrong = values.filter(cast.is_null() & values.is_not_null())
    raise InputError(
        f"{name}: column {column} holds {shown(wrong[0] if len(wrong) else values[0])}; it must hold numbers"
    )


def _ids(frame: pl.DataFrame, name: str, sample_id: str) -> list[str]:
    if sample_id not in frame.columns:
        raise InputError(
            f"{name}: there is no column {sample_id!r} that says which sample; it has {listed(frame.columns, 20)}"
        )
    values = frame[sample_id].to_list()
    if not values:
        raise InputError(f"{name} has no samples")
    if None in values:
        raise InputError(f"{name} line {values.index(None) + 2}: {sample_id} is missing; give each sample an id")
    ids = [str(value) for value in values]
    if len(set(ids)) != len(ids):
        twice = next(one for one in ids if ids.count(one) > 1)
        raise InputError(f"{name}: sample {twice!r} stands in two rows; keep one of them")
    return ids
