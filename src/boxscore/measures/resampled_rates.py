"""Precision, recall, F-beta and counts at an operating point under many weightings: arrays of what `rates` gives."""

from __future__ import annotations

from boxscore.measures.operating_point import OperatingPoint
from boxscore.model.measure import FALSE_PER_IMAGE, TALLIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore import _kernel
    from boxscore.measures.resampled import Model, Wanted
    from boxscore.model.measure import Measure

    Values = NDArray[np.float64]
    Counts = NDArray[np.uint64]
    Floors = Sequence[Sequence[float] | None]


def rates(
    model: Model,
    kernels: Sequence[_kernel.Matches],
    floors: Floors,
    wanted: Sequence[Wanted],
    draws: _kernel.Draws,
    images: Values,
    threads: int,
) -> Values:
    """Figures [replicates, kernels, sides, wanted]; NaN: does not exist. Counts are made once for each confidence.

    `images` [replicates, 1, 1]: how many images each replicate has, copies included.
    """
    import numpy as np

    replicates = len(images)
    counted: dict[tuple[int, int, object], Counts] = {}
    found = []
    for one in wanted:
        place = (*OperatingPoint(model.matches, model.labels).place(one.measure), one.measure.conf)
        if place not in counted:
            counted[place] = _counts(model, kernels, floors, place, draws, replicates, threads)
        counts = counted[place][..., list(one.positions), :].astype(np.float64)
        found.append(_figure(one.measure, counts, images))
    return np.stack(found, axis=-1)


def _counts(
    model: Model,
    kernels: Sequence[_kernel.Matches],
    floors: Floors,
    place: tuple[int, int, object],
    draws: _kernel.Draws,
    replicates: int,
    threads: int,
) -> Counts:
    import numpy as np

    from boxscore import _kernel

    cell, limit, conf = place
    labels = len(model.labels)
    if isinstance(conf, float):
        # A swap has the floors of two models.
        models = kernels[0].num_images // model.matches.kernel.num_images
        floors = [[conf] * labels * models for _ in kernels]
    column = _kernel.resample_counts(
        kernels, draws, num_labels=labels, cell=cell, limit=limit, floors=floors, threads=threads
    )
    return np.array(column).reshape(replicates, len(kernels), -1, labels, 4)


def _figure(measure: Measure, counts: Values, images: Values) -> Values:
    """`counts` [replicates, kernels, sides, labels, 4] to figures without the last two axes."""
    if measure.average == "macro":
        return _macro(measure.replaced(average=None), counts)
    objects, found, wrong, ignored = (counts[..., column].sum(axis=-1) for column in range(4))
    if measure.kind == FALSE_PER_IMAGE:
        return _share(wrong, images)
    if measure.kind in TALLIES:
        tallies: dict[str, Values] = {"TP": found, "FP": wrong, "FN": objects - found, "ignored": ignored}
        return tallies[measure.kind]
    return _rate(measure, objects, found, wrong)


def _rate(measure: Measure, objects: Values, found: Values, wrong: Values) -> Values:
    if measure.kind == "precision":
        return _share(found, found + wrong)
    if measure.kind == "recall":
        return _share(found, objects)
    weight = (measure.beta or 1.0) ** 2
    return _share((1.0 + weight) * found, found + wrong + weight * objects, objects > 0)


def _macro(measure: Measure, counts: Values) -> Values:
    """The mean over labels that have objects, of the figures that exist."""
    import numpy as np

    objects, found, wrong = counts[..., 0], counts[..., 1], counts[..., 2]
    figures = _rate(measure, objects, found, wrong)
    exists = ~np.isnan(figures) & (objects > 0)
    return _share(np.where(exists, figures, 0.0).sum(axis=-1), exists.sum(axis=-1).astype(np.float64))


def _share(part: Values, whole: Values, exists: Any = None) -> Values:  # noqa: ANN401  an array of booleans
    import numpy as np

    there = (whole > 0) if exists is None else exists & (whole > 0)
    shares: Values = np.full(np.broadcast(part, whole).shape, np.nan)
    return np.divide(part, whole, out=shares, where=there)
