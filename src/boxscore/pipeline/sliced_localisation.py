"""Mean IoU of slices of images, each sum rounded once over the slice's own pairs."""

from __future__ import annotations

import math

from boxscore.pipeline import operating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.model.measure import Measure
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.sliced_images import Asked

    Values = NDArray[np.float64]


def mean_ious(run: Run, masks: Sequence[NDArray[np.bool_]], asked: Sequence[Asked]) -> Values:
    """Figures [slices, asked]; NaN where a slice has no true positives. Raises MeasureError."""
    import numpy as np

    found = np.full((len(masks), len(asked)), np.nan)
    by_measure: dict[Measure, list[int]] = {}
    for place, one in enumerate(asked):
        by_measure.setdefault(one.measure.replaced(average=None), []).append(place)
    for measure, places in by_measure.items():
        image, label, overlap = _rows(run, measure)
        for number, mask in enumerate(masks):
            inside = mask[image]
            means = _Means(label[inside], overlap[inside], len(run.labels))
            for place in places:
                found[number, place] = means.of(asked[place])
    return found


def _rows(run: Run, measure: Measure) -> tuple[NDArray[np.int64], NDArray[np.int64], Values]:
    """Image, label and overlap of the true positives that count, by label."""
    import numpy as np

    cell, limit = operating.point(run).place(measure)
    overlaps = run.overlaps(cell)
    floors = operating.floors_of(run) if measure.conf is None else [float(measure.conf)] * len(run.labels)
    keep = overlaps.counting(floors, limit)
    label = overlaps.label[keep].astype(np.int64)
    order = np.argsort(label, kind="stable")
    return overlaps.image[keep].astype(np.int64)[order], label[order], overlaps.overlap[keep][order]


class _Means:
    """Means over rows that stand by label."""

    def __init__(self, label: NDArray[np.int64], overlap: Values, labels: int) -> None:
        import numpy as np

        self._overlap = overlap.tolist()
        self._starts = np.searchsorted(label, np.arange(labels + 1)).tolist()

    def of(self, asked: Asked) -> float:
        if asked.measure.average == "macro":
            means = [self._mean(self._starts[at], self._starts[at + 1]) for at in asked.positions]
            there = [mean for mean in means if mean == mean]  # noqa: PLR0124  NaN: a label without true positives
            return sum(there) / len(there) if there else math.nan
        first, last = asked.positions[0], asked.positions[-1]
        return self._mean(self._starts[first], self._starts[last + 1])

    def _mean(self, start: int, stop: int) -> float:
        return math.fsum(self._overlap[start:stop]) / (stop - start) if stop > start else math.nan
