"""One precision-recall curve, as points."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore import _kernel
    from boxscore.model.labels import LabelSet
    from boxscore.model.protocol import Protocol


class PrecisionRecall:
    """Interpolated precision of one label at the protocol's recall points, for its largest detection limit.

    `recall[i]` is reached with precision `precision[i]` by keeping detections down to score `score[i]`. Where a recall
    is never reached, precision is 0.0 and the score None. Without ground truth the lists are empty and `reason` says
    so.
    """

    __slots__ = ("area", "iou", "label", "precision", "reason", "recall", "score")

    def __init__(self, label: str, iou: float, area: str) -> None:
        self.label = label
        self.iou = iou
        self.area = area
        self.recall: list[float] = []
        self.precision: list[float] = []
        self.score: list[float | None] = []
        self.reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The curve, ready for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return f"<PrecisionRecall of {self.label!r} at IoU {self.iou}, area {self.area}: {len(self.recall)} points>"


def precision_recall(
    curves: _kernel.Curves, protocol: Protocol, labels: LabelSet, label: str, *, iou: float, area: str
) -> PrecisionRecall:
    """The curve of one label; `curves` must hold scores and precision at the largest limit alone."""
    a, t, k = protocol.area_index(area), protocol.iou_index(iou), labels.index(label)
    points = protocol.recall_points
    curve = PrecisionRecall(label, protocol.iou_thresholds[t], area)
    first = ((k * len(protocol.area_ranges) + a) * len(protocol.iou_thresholds) + t) * len(points)
    precision = list(_floats(curves.precision)[first : first + len(points)])
    if precision[0] < 0:
        curve.reason = "no ground truth" if a == 0 else f"no ground truth of area {area}"
        return curve
    column = curves.scores
    if column is None:
        raise ValueError("these curves were accumulated without scores")
    scores = list(_floats(column)[first : first + len(points)])
    curve.recall = points
    curve.precision = precision
    # Precision is 0 only where the recall is never reached: a recall is reached by a true positive.
    curve.score = [s if p > 0 else None for s, p in zip(scores, curve.precision, strict=True)]
    return curve


def _floats(column: _kernel.Column) -> memoryview[float]:
    return memoryview(column).cast("B").cast("d")
