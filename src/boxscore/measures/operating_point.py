"""Figures at an operating point: one IoU threshold, one confidence floor a label."""

from __future__ import annotations

from boxscore.errors import MeasureError
from boxscore.measures import rates
from boxscore.measures.counts import Counts, count_in
from boxscore.measures.sweeps import Sweep, joined, sweep
from boxscore.model.measure import BEST, FALSE_PER_IMAGE, MEAN_IOU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boxscore.measures.localisation import Overlaps
    from boxscore.measures.rates import Figure
    from boxscore.model.measure import Measure
    from boxscore.model.tables import Matches

_TALLIES = {"TP": "true_positives", "FP": "false_positives", "FN": "false_negatives", "ignored": "ignored"}


class OperatingPoint:
    """Reads figures at confidence floors off matches.

    `floors` is the lowest score that counts, a label each (None: all detections count); a measure with a confidence of
    its own is at that one instead. With `images`, copies of each image, the figures are those of a part of the images.
    `overlaps` gives the overlaps of true positives at a cell, which mean IoU needs.
    """

    __slots__ = ("_counted", "_floors", "_images", "_labels", "_matches", "_overlaps", "_weights")

    def __init__(
        self,
        matches: Matches,
        labels: Sequence[str],
        *,
        floors: Sequence[float] | None = None,
        images: Sequence[int] | None = None,
        overlaps: Callable[[int], Overlaps] | None = None,
    ) -> None:
        self._overlaps = overlaps
        self._matches = matches
        self._labels = labels
        self._floors = floors
        self._weights = images
        self._images = matches.num_images if images is None else sum(images)
        self._counted: dict[tuple[int, int, object], list[Counts]] = {}

    @property
    def images(self) -> int:
        """Number of images that the figures rest on."""
        return self._images

    def figure(self, measure: Measure, positions: Sequence[int]) -> Figure:
        """Value and reason of a measure over some labels; exactly one of the two is None.

        Raises ProtocolError where the protocol has no such area range, limit or threshold, MeasureError where the
        measure is not one at an operating point, or leaves open which of several thresholds is meant.
        """
        if measure.average == "macro":
            single = measure.replaced(average=None)
            # A label without ground truth has nothing to be found: it is in the counts alone.
            objects = self.counts(single.replaced(conf=None))
            return rates.mean(self.figure(single, [position]) for position in positions if objects[position].objects)
        if measure.conf == BEST:
            best = self.best_confidence(measure, positions)
            # Without detections any floor will do; without objects none is the best.
            if best is None and sum(self.counts(measure.replaced(conf=None))[at].objects for at in positions) == 0:
                return None, rates.NO_OBJECTS
            measure = measure.replaced(conf=best)
        if measure.kind == MEAN_IOU:
            return self._mean_iou(measure, positions)
        counts = self.counts(measure)
        return self._rate(measure, sum((counts[position] for position in positions), Counts()))

    def counts(self, measure: Measure) -> list[Counts]:
        """Counts of every label at the measure's threshold, area range and confidence (else at the floors)."""
        conf = measure.conf
        if isinstance(conf, str):
            raise MeasureError(f"{measure} has a confidence for each set of labels; give a number")
        cell, limit = self.place(measure)
        key = (cell, limit, conf)
        if key not in self._counted:
            floors = self._floors if conf is None else [conf] * len(self._labels)
            self._counted[key] = count_in(
                self._matches,
                len(self._labels),
                cell=cell,
                floors=floors,
                weights=self._weights,
                limit=limit,
            )
        return self._counted[key]

    def by_image(self, measure: Measure) -> list[Counts]:
        """Counts of every image, all labels together, at the floors."""
        cell, limit = self.place(measure)
        return count_in(self._matches, len(self._labels), cell=cell, floors=self._floors, limit=limit, by="image")

    def sweep(self, measure: Measure, position: int) -> Sweep:
        """What is found of a label at every score, at the measure's threshold, area range and limit."""
        cell, limit = self.place(measure)
        objects = self.counts(measure.replaced(conf=None))[position].objects
        return sweep(self._matches, position, self._labels[position], objects, cell=cell, limit=limit)

    def best_confidence(self, measure: Measure, positions: Sequence[int]) -> float | None:
        """The one floor for these labels with the largest F-beta of their joint counts (F1 for other measures)."""
        if self._weights is not None:
            raise MeasureError(f"{measure}: the best confidence of a part of the images can't be found; give a number")
        swept = joined(self.sweep(measure, position) for position in positions)
        place = swept.best(measure.beta or 1.0)
        return None if place is None else swept.score[place]

    def _mean_iou(self, measure: Measure, positions: Sequence[int]) -> Figure:
        from boxscore.measures.localisation import mean_iou

        if self._overlaps is None or self._weights is not None:
            raise MeasureError(f"{measure} needs the overlaps of what was matched, which aren't at hand here")
        cell, limit = self.place(measure)
        floors = self._floors if measure.conf is None else [float(measure.conf)] * len(self._labels)
        return mean_iou(self._overlaps(cell), positions, floors=floors, limit=limit)

    def _rate(self, measure: Measure, counts: Counts) -> Figure:
        found, wrong = counts.true_positives, counts.false_positives
        if measure.kind == "precision":
            return rates.precision(found, wrong)
        if measure.kind == "recall":
            return rates.recall(found, counts.objects)
        if measure.kind == FALSE_PER_IMAGE:
            return rates.per_image(wrong, self._images)
        if measure.beta is not None:
            return rates.f_beta(found, wrong, counts.objects, measure.beta)
        return getattr(counts, _TALLIES[measure.kind]), None

    def place(self, measure: Measure) -> tuple[int, int]:
        """Cell and detection limit."""
        protocol = self._matches.protocol
        if not measure.at_point:
            raise MeasureError(f"measure {measure} is none at an operating point")
        if measure.iou is None and len(protocol.iou_thresholds) > 1:
            several = ", ".join(str(measure.replaced(iou=iou)) for iou in protocol.iou_thresholds[:3])
            raise MeasureError(f"{measure}: say at which IoU threshold: {several} …")
        iou = protocol.iou_thresholds[0] if measure.iou is None else measure.iou
        limit = protocol.max_detections[protocol.limit_index(measure.max_detections)]
        return self._matches.cell(iou, measure.area), limit
