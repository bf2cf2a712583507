"""The table that `summarize` prints, and the twelve figures behind it."""

from typing import Any

import numpy as np
import numpy.typing as npt

SIZES = ("small", "medium", "large")


class Summary:
    """The twelve figures of `eval`'s arrays, in pycocotools' order, and the lines that print them.

    AP (all thresholds, 0.5, 0.75, three sizes) is taken at the largest limit. AR comes at the first limit, the second
    and the largest, then for the sizes at the largest. A figure that does not exist is -1; the lines have one for AR at
    every limit, however many there are.
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found
        self._params = found["params"]
        self.lines: list[str] = []
        limits = list(self._params.maxDets)
        largest = int(np.argmax(limits))
        precision = [self._ap(largest, iou=iou) for iou in (None, 0.5, 0.75)]
        precision += [self._ap(largest, size=size) for size in SIZES]
        recall = [self._ar(limit) for limit in range(len(limits))]
        by_size = [self._ar(largest, size=size) for size in SIZES]
        first = recall[0] if len(limits) > 1 else -1.0
        second = recall[1] if len(limits) > 2 else -1.0
        self.stats: npt.NDArray[np.float64] = np.array([*precision, first, second, recall[largest], *by_size])

    def _ap(self, limit: int, *, iou: float | None = None, size: str = "all") -> float:
        """Mean over recall points, categories and thresholds (or at one)."""
        return self._mean("precision", limit, iou, size)

    def _ar(self, limit: int, *, size: str = "all") -> float:
        return self._mean("recall", limit, None, size)

    def _mean(self, kind: str, limit: int, iou: float | None, size: str) -> float:
        thresholds = np.asarray(self._params.iouThrs)
        values = self._found[kind]
        if iou is not None:
            values = values[np.flatnonzero(thresholds == iou)]
        areas = [place for place, name in enumerate(self._params.areaRngLbl) if name == size]
        values = values[..., areas, limit]
        defined = values[values > -1]
        mean = float(np.mean(defined)) if defined.size else -1.0
        self._tell(kind, limit, iou, size, mean)
        return mean

    def _tell(self, kind: str, limit: int, iou: float | None, size: str, mean: float) -> None:
        title, short = ("Average Precision", "(AP)") if kind == "precision" else ("Average Recall", "(AR)")
        thresholds = self._params.iouThrs
        at = f"{thresholds[0]:0.2f}:{thresholds[-1]:0.2f}" if iou is None else f"{iou:0.2f}"
        most = int(self._params.maxDets[limit])
        self.lines.append(f" {title:<18} {short} @[ IoU={at:<9} | area={size:>6s} | maxDets={most:>3d} ] = {mean:0.3f}")
