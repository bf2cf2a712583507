"""Confidence floors slice by slice, and what they gain over one set of floors for all, on data not fitted on."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.measures.thresholds import Aim
from boxscore.model.floors import Floors
from boxscore.model.measure import Measure
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.sliced import slices_of
from boxscore.pipeline.sliced_gains import gains
from boxscore.pipeline.sliced_part import part
from boxscore.pipeline.thresholds import Fitted, fit, fit_one
from boxscore.pipeline.units import units_of
from boxscore.slices.slice import IMAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.model.notes import Note
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.sliced import Slices
    from boxscore.pipeline.units import Units
    from boxscore.slices.slicing import Slicing

    Mask = NDArray[np.bool_]
    Counts = NDArray[np.int64]

FOLDS = 2
_MOST_FOLDS = 100


class FittedBy:
    """Floors of slices, and their gain.

    - `shared`: floors fitted on all images; `by_slice`: those of each slice. A label for which the aim can't be met in
      a slice has its shared floor there.
    - `gains`: for all images that are in a slice (`slice` None) and for each slice, ready for JSON: `shared` and `own`
      with `precision`, `recall`, `f`, `fppi` and counts, `gain`, and `low` and `high`, its percentile interval.
    """

    __slots__ = ("by", "by_slice", "confidence", "folds", "gained", "gains", "notes", "seed", "shared", "unit")

    def __init__(self, shared: Fitted, by_slice: Mapping[str, Fitted], by: str, gained: str) -> None:
        self.shared = shared
        self.by_slice = dict(by_slice)
        self.by = by
        self.gained = gained
        self.gains: list[dict[str, Any]] = []
        self.notes: list[Note] = []
        self.confidence = 0.95
        self.folds = FOLDS
        self.seed = 0
        self.unit = "image"

    def to_dict(self) -> dict[str, Any]:
        """The content of a file of floors: the shared ones as any such file has them, `by`, `slices` and `gain`."""
        slices = {
            name: {"default": one.floors.default, "labels": dict(one.floors.by_label)}
            | ({"not_fitted": one.not_fitted} if one.not_fitted else {})
            for name, one in self.by_slice.items()
        }
        how = {
            "of": self.gained,
            "confidence": self.confidence,
            "folds": self.folds,
            "unit": self.unit,
            "seed": self.seed,
            "slices": self.gains,
        }
        return self.shared.to_dict() | {"by": self.by, "slices": slices, "gain": how}


def fit_by(
    run: Run,
    aim: Aim,
    slicing: Slicing,
    *,
    by_label: bool = True,
    folds: int = FOLDS,
    resampling: Resampling | None = None,
) -> FittedBy:
    """Choose floors for each slice of images, and measure by cross-fitting what that gains.

    Floors are fitted by label, or (`by_label` False) one for all labels of a slice. The shared ones, which all slices
    have in common, are fitted in the same way on all images.

    The units of the images (groups, where the data declare them) fall into `folds` parts by the seed of `resampling`.
    For each part, floors of slices and floors shared by all are fitted on the other parts, and both are counted on it;
    so that every image is counted once, under floors that did not see it. Gains are of the F-beta of the aim, or of
    recall for the other aims, over all rows (micro), with intervals from resamples of units.

    Raises InputError for slices of objects, slices that overlap, and fewer units than parts.
    """
    how = Resampling.of(resampling)
    slices = slices_of(run, slicing)
    _check(slices, slicing)
    units = units_of(run, how)
    if not 2 <= folds <= _MOST_FOLDS or units.count < folds:
        raise InputError(
            f"floors can't be fitted on other data than they are counted on with {folds} parts of {units.count} "
            f"{units.kind}s; give 2 parts or more, and no more than there are {units.kind}s"
        )
    how_fitted = Fit(aim, by_label=by_label)
    shared = how_fitted.on(run)
    by_slice = {one.name: how_fitted.on_part(run, one.mask, shared) for one in slices}
    found = FittedBy(
        shared, by_slice, slicing.by[0], Measure(f"F{aim.beta:.9g}").kind if aim.kind.startswith("best") else "recall"
    )
    found.folds, found.seed, found.unit, found.confidence = folds, how.seed, units.kind, how.confidence
    found.notes = [*slices.notes, *units.notes]
    counts = _counted(run, slices, how_fitted, units, folds, how.seed)
    found.gains = gains(slices, aim, counts, units, how)
    return found


def _check(slices: Slices, slicing: Slicing) -> None:
    import numpy as np

    if len(slicing.by) != 1 or slicing.where:
        raise InputError("floors are fitted by one column, or cross of columns, such as --by weather")
    of_objects = next((one for one in slices if one.kind != IMAGE), None)
    if of_objects is not None:
        raise InputError(
            f"{of_objects.column!r} slices objects, and a detection isn't known to be of one of these before it is "
            "matched; fit floors by a column of images"
        )
    if not any(one.support for one in slices):
        raise InputError(f"no image is in a slice of {slicing.by[0]!r}, so that no floor can be fitted")
    if len(slices) > 1 and int(np.sum([one.mask for one in slices], axis=0).max()) > 1:
        raise InputError(f"slices of {slicing.by[0]!r} overlap, so that an image would have several floors")


class Fit:
    """How floors are fitted: to what end, and whether each label has its own."""

    __slots__ = ("aim", "by_label")

    def __init__(self, aim: Aim, *, by_label: bool) -> None:
        self.aim = aim
        self.by_label = by_label

    def on(self, run: Run) -> Fitted:
        """Floors of all images of a run."""
        if self.by_label:
            return fit(run, self.aim)
        return fit_one(run, self.aim)

    def on_part(self, run: Run, mask: Mask, shared: Fitted) -> Fitted:
        """Floors of a part of the images; where the aim can't be met there, the shared ones stay."""
        if not mask.any():
            return Fitted(shared.floors, dict.fromkeys(run.labels, "no images"))
        own = self.on(part(run, mask))
        if not self.by_label:
            return Fitted(shared.floors, own.not_fitted) if own.not_fitted else own
        return _completed(own, shared, run)


def _completed(own: Fitted, shared: Fitted, run: Run) -> Fitted:
    by_label = dict(own.floors.by_label)
    by_label |= {name: floor for name, floor in shared.floors.by_label.items() if name in own.not_fitted}
    ordered = {name: by_label[name] for name in run.labels if name in by_label}
    return Fitted(own.floors.replaced(by_label=ordered), own.not_fitted)


def _counted(run: Run, slices: Slices, how: Fit, units: Units, folds: int, seed: int) -> Counts:
    """[2, images, 3]: objects, true and false positives under shared floors and under those of slices, cross-fitted."""
    import numpy as np

    from boxscore.stats.plans import blocks

    kept = blocks(units.of_image, units.count, most=folds, seed=seed).weights
    counts = np.zeros((2, run.num_images, 3), dtype=np.int64)
    for weights in () if kept is None else kept:
        fitted_on = weights[units.of_image] > 0
        shared = how.on(part(run, fitted_on))
        for one in slices:
            here = one.mask & ~fitted_on
            if here.any():
                own = how.on_part(run, one.mask & fitted_on, shared)
                for side, floors in enumerate((shared.floors, own.floors)):
                    counts[side, here] = _by_image(run, floors)[here]
    return counts


def _by_image(run: Run, floors: Floors) -> Counts:
    import numpy as np

    from boxscore.measures.operating_point import OperatingPoint

    point = OperatingPoint(run.matches, run.labels.names, floors=floors.of(run.labels))
    found = point.by_image(Measure("recall", iou=run.protocol.iou_thresholds[0]))
    return np.array([[one.objects, one.true_positives, one.false_positives] for one in found]).reshape(-1, 3)
