"""One figure at a time: a value, or None with a reason. No other place decides that a figure is undefined."""

from __future__ import annotations

from boxscore.errors import MeasureError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore import _kernel
    from boxscore.model.measure import Measure
    from boxscore.model.protocol import Protocol


class Figures:
    """Reads figures off the kernel's curves, by the protocol's interpolation.

    AP is the mean precision over recall points (or the area under the precision envelope, for every-point protocols),
    AR the largest recall; both are means over the IoU thresholds and labels asked for, as pycocotools sums them.
    """

    __slots__ = ("_curves", "_positives", "_protocol")

    def __init__(self, curves: _kernel.Curves, protocol: Protocol) -> None:
        self._curves = curves
        self._protocol = protocol
        self._positives: list[int] | None = None

    def figure(self, measure: Measure, labels: Sequence[int]) -> tuple[float | None, str | None]:
        """Value and reason of an AP or AR over some labels; exactly one of the two is None.

        Raises ProtocolError where the protocol has no such area range, limit or threshold, MeasureError where the
        measure isn't AP or AR.
        """
        protocol = self._protocol
        area = protocol.area_index(measure.area)
        limit = protocol.limit_index(measure.max_detections)
        every = range(len(protocol.iou_thresholds))
        thresholds = list(every) if measure.iou is None else [protocol.iou_index(measure.iou)]
        mean = self._mean(measure.kind)
        value = mean(area=area, limit=limit, thresholds=thresholds, labels=labels)
        return value, None if value is not None else self._reason(area)

    def objects(self, label: int, area: int = 0) -> int:
        """Ground truth of a label that counts in an area range: no crowds, none that is ignored."""
        if self._positives is None:
            self._positives = [int(count or 0) for count in self._curves.positives.to_list()]
        return self._positives[label * self._curves.num_areas + area]

    def _mean(self, kind: str) -> _Mean:
        if kind == "AR":
            return self._curves.mean_recall
        if kind != "AP":
            raise MeasureError(f"measure {kind} is no mean over labels")
        if self._protocol.interpolation == "every-point":
            return self._curves.mean_average_precision
        return self._curves.mean_precision

    def _reason(self, area: int) -> str:
        return "no ground truth" if area == 0 else f"no ground truth of area {self._protocol.area_ranges[area][0]}"


if TYPE_CHECKING:
    from typing import Protocol as TypingProtocol

    class _Mean(TypingProtocol):
        def __call__(
            self, *, area: int, limit: int, thresholds: Sequence[int], labels: Sequence[int]
        ) -> float | None: ...
