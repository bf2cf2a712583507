"""Intervals of what is found of slices of objects: units of images resampled, with the objects that lie in them."""

from __future__ import annotations

from boxscore.model.measure import COUNTS, TALLIES
from boxscore.pipeline.intervals import plan_of
from boxscore.pipeline.resampling import Resampling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.pipeline.run import Run
    from boxscore.pipeline.sliced_objects import Found
    from boxscore.slices.slice import Slice
    from boxscore.stats.plans import Plan

    Row = dict[str, Any]
    Values = NDArray[np.float64]


def fill(run: Run, found: Found, slices: Sequence[Slice], rows: Sequence[Row], resampling: Resampling) -> None:
    """The columns of intervals of rows of shares, filled in; counts get none. All units of the run are drawn.

    BCa needs figures without blocks, which are not made here: its rows say so. Raises InputError.
    """
    how = Resampling.of(resampling)
    plan, units = plan_of(run, how)
    by_name = {one.name: one for one in slices}
    own = [row for row in rows if _has_interval(row)]
    if how.interval == "bca":
        for row in own:
            row["interval_reason"] = "BCa intervals of slices of objects are not made; ask for another interval"
        return
    columns = [_by_unit(run, found, by_name[row["slice"]], row, plan) for row in own]
    for row, values in zip(own, _replicates(columns, plan), strict=True):
        _fill(row, values, how, plan, units.kind, units.count)


def _has_interval(row: Row) -> bool:
    from boxscore.model.measure import Measure

    kind = Measure.parse(row["measure"]).kind
    return kind not in COUNTS and kind not in TALLIES and row["value"] is not None


def _by_unit(run: Run, found: Found, one: Slice, row: Row, plan: Plan) -> Values:
    """[units, parts, 2]: shares found and objects; one part, or (macro) one for each label."""
    import numpy as np

    from boxscore.model.measure import Measure

    shares, counting = found.share(Measure.parse(row["measure"]))
    inside = one.mask & counting
    if row["label"] is not None:
        inside &= found.label == run.labels.index(row["label"])
    images = np.array(memoryview(run.matches.ground_truth.column("image")), dtype=np.int64)[inside]
    unit = plan.units[images].astype(np.int64)
    parts = len(run.labels) if row["average"] == "macro" else 1
    place = unit * parts + (found.label[inside] if parts > 1 else 0)
    size = plan.num_units * parts
    counts = np.bincount(place, minlength=size).astype(np.float64)
    both: Values = np.stack([np.bincount(place, weights=shares[inside], minlength=size), counts], axis=1)
    return both.reshape(plan.num_units, parts, 2)


def _replicates(columns: Sequence[Values], plan: Plan) -> Iterator[Values]:
    """Replicates of each figure [replicates]; NaN where it does not exist."""
    import numpy as np

    from boxscore.measures.resampled import totals

    if not columns:
        return
    # All at once, so that weights are drawn once.
    together = totals(plan, np.concatenate(columns, axis=1))
    start = 0
    for column in columns:
        total = together[:, start : start + column.shape[1]]
        start += column.shape[1]
        exists = total[..., 1] > 0
        shares = np.divide(total[..., 0], total[..., 1], out=np.zeros(exists.shape), where=exists)
        count = exists.sum(axis=1)
        yield np.divide(shares.sum(axis=1), count, out=np.full(len(count), np.nan), where=count > 0)


def _fill(row: Row, values: Values, how: Resampling, plan: Plan, unit: str, count: int) -> None:
    from boxscore.stats.intervals import interval

    one = interval(
        values,
        row["value"],
        method=how.interval,
        confidence=how.confidence,
        num_units=count,
        probabilities=plan.probabilities,
    )
    row |= {name: getattr(one, name) for name in ("low", "high", "mean", "std_error", "bias", "confidence")}
    row |= {"interval": how.interval, "interval_reason": one.reason, "unit": unit, "replicates": plan.replicates}
    row["seed"] = None if plan.exact else how.seed
