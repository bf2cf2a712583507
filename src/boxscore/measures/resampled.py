"""Figures under integer weights of images, for many weightings and several models, over matches made once."""

from __future__ import annotations

from boxscore.errors import InputError, MeasureError
from boxscore.measures import resampled_rates
from boxscore.model.measure import BEST, COUNTS, FALSE_PER_IMAGE, MEAN_IOU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    import numpy as np
    from numpy.typing import NDArray

    from boxscore import _kernel
    from boxscore.measures.localisation import Overlaps
    from boxscore.model.measure import Measure
    from boxscore.model.protocol import Protocol as EvaluationProtocol
    from boxscore.model.tables import Matches

    Values = NDArray[np.float64]

    class Plan(Protocol):
        """What is drawn, or enumerated (`boxscore.stats`)."""

        units: NDArray[np.uint32]
        num_units: int
        replicates: int
        first: int
        seed: int | None
        weights: NDArray[np.uint32] | None


class Model:
    """Matches of one model, with the names of the labels, and the floors (a label each) of its operating point.

    `overlaps` gives those of its true positives at a cell; without, there is no mean IoU.
    """

    __slots__ = ("floors", "labels", "matches", "overlaps")

    def __init__(
        self,
        matches: Matches,
        labels: Sequence[str],
        floors: Sequence[float] | None = None,
        *,
        overlaps: Callable[[int], Overlaps] | None = None,
    ) -> None:
        self.overlaps = overlaps
        self.matches = matches
        self.labels = labels
        self.floors = None if floors is None else list(floors)


class Wanted:
    """A measure over some labels (positions): all of them, or a single one. Raises MeasureError for what can't be had.

    Of the counts only `objects` is meant: how many there are to be found in a replicate.
    """

    __slots__ = ("measure", "positions")

    def __init__(self, measure: Measure, positions: Sequence[int]) -> None:
        if measure.conf == BEST:
            raise MeasureError(
                f"{measure} chooses its confidence on the very data that it measures, which no interval of the figure "
                "takes into account; give a number (`boxscore thresholds fit` finds one on other data)"
            )
        if measure.kind in COUNTS and measure.kind != "objects":
            raise MeasureError(f"{measure} is what was given, not a figure that has an interval")
        self.measure = measure
        self.positions = tuple(positions)


def resample(models: Sequence[Model], wanted: Sequence[Wanted], plan: Plan, *, threads: int = 1) -> Values:
    """Figures [replicates, models, wanted] under the plan's weights, the same for all models; NaN: does not exist.

    All models are matched under one protocol, over the same images and labels. Raises MeasureError, ProtocolError.
    """
    import numpy as np

    kernels = [model.matches.kernel for model in models]
    floors = [model.floors for model in models]
    draws = _draws(plan, swap=False)
    overlaps = [place for place, one in enumerate(wanted) if one.measure.kind == MEAN_IOU]
    if not overlaps:
        return _drawn(models[0], kernels, floors, wanted, draws, _images(plan, draws, wanted), threads)[:, :, 0]
    from boxscore.measures import resampled_overlaps

    found = np.empty((plan.replicates, len(models), len(wanted)))
    found[..., overlaps] = resampled_overlaps.means(models, [wanted[place] for place in overlaps], plan)
    others = [place for place in range(len(wanted)) if place not in overlaps]
    if others:
        own = [wanted[place] for place in others]
        images = _images(plan, draws, own)
        found[..., others] = _drawn(models[0], kernels, floors, own, draws, images, threads)[:, :, 0]
    return found


def swap(
    models: Sequence[Model], pairs: Sequence[tuple[int, int]], wanted: Sequence[Wanted], plan: Plan, *, threads: int = 1
) -> Values:
    """Figures [replicates, pairs, 2, wanted] of pairs of models that swap their detections in the units drawn.

    `plan.weights` is 1 where a unit's detections are swapped, 0 where they stay; the first of the two is the model that
    has the first one's detections where they stay. Raises MeasureError, ProtocolError.
    """
    import numpy as np

    if any(one.measure.kind == MEAN_IOU for one in wanted):
        raise MeasureError(
            f"{MEAN_IOU} is of pairs, which don't swap with detections; leave it out, or look at its intervals"
        )
    kernels = [_merged(models[first].matches.kernel, models[second].matches.kernel) for first, second in pairs]
    floors = [_both(models[first], models[second]) for first, second in pairs]
    images = np.full((plan.replicates, 1, 1), float(len(plan.units)))
    return _drawn(models[0], kernels, floors, wanted, _draws(plan, swap=True), images, threads)


def totals(plan: Plan, columns: Values) -> Values:
    """Sums of columns [units, …] over the units under each replicate's weights [replicates, …]."""
    import numpy as np

    draws = _draws(plan, swap=False)
    found = np.empty((plan.replicates, *columns.shape[1:]))
    for start in range(0, plan.replicates, _AT_A_TIME):
        some = range(start, min(start + _AT_A_TIME, plan.replicates))
        weights = np.array([np.array(draws.replicate(number)) for number in some], dtype=np.float64)
        found[some.start : some.stop] = np.tensordot(weights, columns, axes=(1, 0))
    return found


_AT_A_TIME = 64
"""Replicates whose weights are held in memory at once."""


def _draws(plan: Plan, *, swap: bool) -> _kernel.Draws:
    from boxscore import _kernel

    weights = plan.weights
    given = None if weights is None else _whole(weights)
    return _kernel.Draws(
        _whole(plan.units),
        plan.num_units,
        replicates=plan.replicates,
        first=plan.first,
        seed=plan.seed or 0 if given is None else None,
        given=given,
        swap=swap,
    )


def _whole(numbers: NDArray[np.uint32]) -> memoryview[int]:
    """As the kernel takes them: uint32 side by side."""
    return memoryview(numbers.astype("u4", copy=False).tobytes()).cast("I")


def _images(plan: Plan, draws: _kernel.Draws, wanted: Sequence[Wanted]) -> Values:
    """Images of each replicate, copies included [replicates, 1, 1]; ones where no figure asks for them."""
    import numpy as np

    images = np.ones((plan.replicates, 1, 1))
    if any(one.measure.kind == FALSE_PER_IMAGE for one in wanted):
        sizes = np.bincount(plan.units, minlength=plan.num_units)
        for replicate in range(plan.replicates):
            images[replicate] = np.dot(np.array(draws.replicate(replicate), dtype=np.uint64), sizes)
    return images


def _merged(first: _kernel.Matches, second: _kernel.Matches) -> _kernel.Matches:
    """Two models' matches in one: image i as rows 2 i and 2 i + 1, so that ties across images fall as they would."""
    from boxscore import _kernel

    images = first.num_images
    return _kernel.Matches.merge([first, second], [range(0, 2 * images, 2), range(1, 2 * images, 2)], 2 * images)


def _both(first: Model, second: Model) -> list[float] | None:
    if first.floors is None and second.floors is None:
        return None
    lowest = [float("-inf")] * len(first.labels)
    return (first.floors or lowest) + (second.floors or lowest)


def _drawn(
    model: Model,
    kernels: Sequence[_kernel.Matches],
    floors: Sequence[Sequence[float] | None],
    wanted: Sequence[Wanted],
    draws: _kernel.Draws,
    images: Values,
    threads: int,
) -> Values:
    """[replicates, kernels, sides, wanted]."""
    import numpy as np

    at_point = [position for position, one in enumerate(wanted) if one.measure.at_point]
    means = [position for position, one in enumerate(wanted) if not one.measure.at_point]
    parts: list[tuple[list[int], Values]] = []
    if means:
        own = [wanted[position] for position in means]
        parts.append((means, _means(model, kernels, own, draws, len(images), threads)))
    if at_point:
        own = [wanted[position] for position in at_point]
        parts.append((at_point, resampled_rates.rates(model, kernels, floors, own, draws, images, threads)))
    if not parts:
        raise InputError("there is no measure to resample")
    found = np.empty((*parts[0][1].shape[:3], len(wanted)))
    for positions, values in parts:
        found[..., positions] = values
    return found


def _means(
    model: Model,
    kernels: Sequence[_kernel.Matches],
    wanted: Sequence[Wanted],
    draws: _kernel.Draws,
    replicates: int,
    threads: int,
) -> Values:
    import numpy as np

    from boxscore import _kernel

    protocol = model.matches.protocol
    column = _kernel.resample_figures(
        kernels,
        [_figure(one, protocol) for one in wanted],
        draws,
        num_labels=len(model.labels),
        num_areas=len(protocol.area_ranges),
        limits=protocol.max_detections,
        recall_points=protocol.recall_points,
        every_point=protocol.interpolation == "every-point",
        spaced=protocol.rule == "coco",
        threads=threads,
    )
    return np.array(column).reshape(replicates, len(kernels), -1, len(wanted))


_KINDS = {"AP": "precision", "AR": "recall", "objects": "objects"}


def _figure(one: Wanted, protocol: EvaluationProtocol) -> tuple[str, int, int, list[int], list[int]]:
    measure = one.measure
    every = range(len(protocol.iou_thresholds))
    thresholds = list(every) if measure.iou is None else [protocol.iou_index(measure.iou)]
    limit = protocol.limit_index(measure.max_detections)
    return _KINDS[measure.kind], protocol.area_index(measure.area), limit, thresholds, list(one.positions)
