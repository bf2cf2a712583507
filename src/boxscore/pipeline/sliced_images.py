"""Figures of slices of images: all slices in one pass over the matches, as weights 0 and 1."""

from __future__ import annotations

from boxscore.measures import rates
from boxscore.measures.localisation import NO_PAIRS
from boxscore.model.measure import BEST, COUNTS, FALSE_PER_IMAGE, MEAN_IOU, TALLIES, Measure
from boxscore.pipeline import operating
from boxscore.pipeline.sliced_tally import Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.pipeline.run import Run
    from boxscore.slices.slice import Slice

    Row = dict[str, Any]
    Values = NDArray[np.float64]


class Asked:
    """A figure of each slice: measure, label (None: all), and how labels are joined."""

    __slots__ = ("average", "label", "measure", "positions")

    def __init__(self, run: Run, measure: Measure, label: str | None, average: str | None) -> None:
        self.measure = measure
        self.label = label
        self.average = average
        self.positions = range(len(run.labels)) if label is None else [run.labels.index(label)]


def rows(
    run: Run, slices: Sequence[Slice], measures: Sequence[Measure] | None = None, *, per_label: bool = True
) -> list[Row]:
    """Rows of the tidy table, slice by slice; those of the run's metrics, or of `measures`."""
    if not slices:
        return []
    import numpy as np

    from boxscore.measures.table import row_of

    asked = [one for one in asked_of(run, measures) if per_label or one.label is None]
    values = _values(run, slices, asked)
    tally = Tally(run, np.stack([one.mask for one in slices]))
    found = []
    for number, one in enumerate(slices):
        for place, figure in enumerate(asked):
            value = values[number, place]
            objects = tally.objects(number, figure.measure, figure.positions)
            if figure.measure.kind in COUNTS:
                given: float | None = tally.count(number, figure.measure.kind, figure.positions)
            else:
                given = None if np.isnan(value) else _plain(figure.measure, value)
            reason = None if given is not None else _reason(run, figure, objects)
            row = row_of(str(figure.measure), figure.label, figure.average, given, reason, one.support, objects)
            found.append(row | {"slice": one.name})
    return found


def asked_of(run: Run, measures: Sequence[Measure] | None) -> list[Asked]:
    """The figures of a slice: those of the run's metrics with mean IoU before them, or those of `measures`."""
    if measures is not None:
        labels: list[str | None] = [None, *([] if run.label_agnostic else run.labels)]
        return [Asked(run, one, label, average_of(run, one, label)) for label in labels for one in measures]
    found: list[Asked] = []
    overlap, has_overlaps = mean_iou_of(run), localised(run)
    localised_labels = set()
    for row in run.metrics:
        if row["slice"] is not None or row["measure"] == str(overlap):
            continue
        label = row["label"]
        if has_overlaps and label not in localised_labels:
            found.append(Asked(run, overlap, label, average_of(run, overlap, label)))
            localised_labels.add(label)
        found.append(Asked(run, Measure.parse(row["measure"]), label, row["average"]))
    return found


def mean_iou_of(run: Run) -> Measure:
    """`meanIoU@0.5`: at the protocol's first threshold."""
    return Measure(MEAN_IOU, iou=run.protocol.iou_thresholds[0])


def localised(run: Run) -> bool:
    """Whether the run has boxes, or the overlaps of its pairs."""
    from boxscore.errors import MeasureError

    try:
        run.overlaps()
    except MeasureError:
        return False
    return True


def average_of(run: Run, measure: Measure, label: str | None) -> str | None:
    """How labels are joined in a figure over all."""
    if label is not None:
        return None
    if measure.kind in COUNTS:
        return "sum"
    if run.label_agnostic:
        return "label-agnostic"
    if not measure.at_point:
        return "macro"
    return measure.average or ("sum" if measure.kind in TALLIES else "micro")


def _values(run: Run, slices: Sequence[Slice], asked: Sequence[Asked]) -> Values:
    """[slices, asked]; NaN where a figure does not exist. Counts are left out."""
    import numpy as np

    found = np.full((len(slices), len(asked)), np.nan)
    kinds = [_how(one.measure) for one in asked]
    at_once = [place for place, how in enumerate(kinds) if how == "weights"]
    if at_once:
        found[:, at_once] = _weighed(run, slices, [asked[place] for place in at_once])
    for place in (place for place, how in enumerate(kinds) if how == "macro"):
        found[:, place] = _macro(run, slices, asked[place])
    overlaps = [place for place, how in enumerate(kinds) if how == "overlaps"]
    if overlaps:
        from boxscore.pipeline.sliced_localisation import mean_ious

        found[:, overlaps] = mean_ious(run, [one.mask for one in slices], [asked[place] for place in overlaps])
    alone = [place for place, how in enumerate(kinds) if how == "alone"]
    for number, one in enumerate(slices if alone else []):
        from boxscore.pipeline.sliced_part import part

        own = part(run, one.mask)
        for place in alone:
            value = own.value(asked[place].measure, asked[place].label)
            found[number, place] = np.nan if value is None else value
    return found


def _weighed(run: Run, slices: Sequence[Slice], asked: Sequence[Asked]) -> Values:
    """[slices, asked] under the weights 0 and 1 of all slices at once."""
    import numpy as np

    from boxscore.measures.resampled import Model, Wanted, resample
    from boxscore.stats.plans import Plan

    masks = np.stack([one.mask for one in slices]).astype(np.uint32)
    plan = Plan(np.arange(run.num_images, dtype=np.uint32), run.num_images, len(slices), weights=masks)
    model = Model(run.matches, run.labels.names, operating.floors_of(run))
    wanted = [Wanted(one.measure, one.positions) for one in asked]
    return resample([model], wanted, plan, threads=run.threads)[:, 0]


def _macro(run: Run, slices: Sequence[Slice], asked: Asked) -> Values:
    """The mean over labels that have objects in a slice [slices], added up label by label as `OperatingPoint` does."""
    import numpy as np

    single = asked.measure.replaced(average=None)
    labels = [run.labels.names[position] for position in asked.positions]
    values = _weighed(run, slices, [Asked(run, single, label, None) for label in labels])
    tally = Tally(run, np.stack([one.mask for one in slices]))
    means = []
    for number in range(len(slices)):
        there = [at for at, place in enumerate(asked.positions) if tally.objects(number, single, [place])]
        figures = [float(values[number, at]) for at in there if not np.isnan(values[number, at])]
        means.append(sum(figures) / len(figures) if figures else np.nan)
    return np.array(means)


def _how(measure: Measure) -> str:
    """How a figure of a slice is made: under weights, from its matches alone, from overlaps, or by counting rows."""
    if measure.kind in COUNTS:
        return "count"
    if measure.conf == BEST:
        return "alone"  # it needs the slice's own sweep
    if measure.kind == MEAN_IOU:
        return "overlaps"
    return "macro" if measure.average == "macro" else "weights"


def _plain(measure: Measure, value: float) -> float:
    return int(value) if measure.kind in TALLIES else float(value)


def _reason(run: Run, figure: Asked, objects: int) -> str:
    """Why the figure does not exist in a slice, in the words of an evaluation of that slice alone."""
    measure = figure.measure
    if not measure.at_point:
        area = measure.area
        first = run.protocol.area_ranges[0][0]
        return rates.NO_OBJECTS if area in (None, first) else f"no ground truth of area {area}"
    if measure.kind == FALSE_PER_IMAGE:
        return rates.NO_IMAGES
    if measure.kind == MEAN_IOU and (measure.average is None or objects):
        return NO_PAIRS
    if measure.kind == "precision" and (measure.average is None or objects):
        return rates.NO_DETECTIONS
    return rates.NO_OBJECTS
