"""Mean IoU under many weightings of images."""

from __future__ import annotations

from boxscore.errors import MeasureError
from boxscore.measures import localisation
from boxscore.measures.operating_point import OperatingPoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.measures.resampled import Model, Plan, Wanted

    Values = NDArray[np.float64]


def means(models: Sequence[Model], wanted: Sequence[Wanted], plan: Plan) -> Values:
    """Figures [replicates, models, wanted]; NaN: a replicate has no true positives. Raises MeasureError."""
    import numpy as np

    from boxscore.measures.resampled import totals

    found = np.empty((plan.replicates, len(models), len(wanted)))
    for number, model in enumerate(models):
        single = [part for one in wanted for part in _parts(one)]
        columns = np.concatenate([_by_unit(model, one, positions, plan) for one, positions in single], axis=1)
        # All at once, so that weights are drawn once.
        sums = totals(plan, columns)
        figures = _share(sums[:, 0::2], sums[:, 1::2])
        start = 0
        for place, one in enumerate(wanted):
            stop = start + len(_parts(one))
            found[:, number, place] = _mean(figures[:, start:stop])
            start = stop
    return found


def _parts(one: Wanted) -> list[tuple[Wanted, Sequence[int]]]:
    """What is averaged: one figure over all labels, or one for each label (macro)."""
    if one.measure.average != "macro":
        return [(one, one.positions)]
    return [(one, [position]) for position in one.positions]


def _by_unit(model: Model, one: Wanted, positions: Sequence[int], plan: Plan) -> Values:
    measure = one.measure
    if model.overlaps is None:
        raise MeasureError(f"{measure} needs the overlaps of what was matched, which aren't at hand here")
    cell, limit = OperatingPoint(model.matches, model.labels).place(measure)
    floors = model.floors if not isinstance(measure.conf, float) else [measure.conf] * len(model.labels)
    overlaps = model.overlaps(cell)
    return localisation.by_unit(overlaps, positions, plan.units, plan.num_units, floors=floors, limit=limit)


def _mean(figures: Values) -> Values:
    """The mean over those that exist [replicates, figures] of each replicate."""
    import numpy as np

    exists = ~np.isnan(figures)
    return _share(np.where(exists, figures, 0.0).sum(axis=1), exists.sum(axis=1).astype(np.float64))


def _share(part: Values, whole: Values) -> Values:
    import numpy as np

    shares: Values = np.full(part.shape, np.nan)
    return np.divide(part, whole, out=shares, where=whole > 0)
