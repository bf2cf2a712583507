"""Calibration: whether confidences are the shares of true positives that they look like.

Detections fall into bins of equal width over 0..1 by confidence, right-closed, the first with its left end. In each bin
the mean confidence is held against the precision, the share of true positives among its detections. The expected
calibration error is the mean of the differences, each bin weighed by its detections, the maximum calibration error the
largest of them. Naeini, Cooper and Hauskrecht, AAAI 2015; Guo, Pleiss, Sun and Weinberger, ICML 2017; for detections,
Küppers, Kronenberger, Shantia and Haselhoff, CVPR workshops 2020 (their errors over confidence alone).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

BINS = 10

NO_DETECTIONS = "no detections"
OUTSIDE = "confidences lie outside 0..1"


class Reliability:
    """The reliability curve of some detections, with its two errors.

    - `edges`: float64 [bins + 1]; `detections`: how many fall into each bin; `confidence`: their mean confidence;
      `precision`: share of true positives among them; NaN in bins without detections.
    - `expected`, `largest`: the errors; None with a `reason` where there are none.
    """

    __slots__ = ("confidence", "detections", "edges", "expected", "largest", "precision", "reason")

    def __init__(self, edges: Numbers, detections: Any, scores: Any, found: Any, outside: int = 0) -> None:  # noqa: ANN401  numbers by bin
        import numpy as np

        self.edges = edges
        self.detections = detections.astype(np.int64)
        there = detections > 0
        empty = np.full(len(detections), np.nan)
        self.confidence = np.divide(scores, detections, out=empty.copy(), where=there)
        self.precision = np.divide(found, detections, out=empty, where=there)
        self.expected: float | None = None
        self.largest: float | None = None
        self.reason = OUTSIDE if outside else None if there.any() else NO_DETECTIONS
        if self.reason is None:
            gaps = np.abs(self.precision - self.confidence)[there]
            self.expected = float((gaps * detections[there]).sum() / detections.sum())
            self.largest = float(gaps.max())

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON: `detections`, `ece`, `mce`, `reason`, and `bins`; null where there is nothing."""
        pairs = zip(self.edges[:-1].tolist(), self.edges[1:].tolist(), strict=True)
        columns = (self.detections.tolist(), _or_none(self.confidence), _or_none(self.precision))
        bins = [
            {"low": low, "high": high, "detections": count, "confidence": confidence, "precision": precision}
            for (low, high), count, confidence, precision in zip(pairs, *columns, strict=True)
        ]
        total = int(self.detections.sum())
        return {"detections": total, "ece": self.expected, "mce": self.largest, "reason": self.reason, "bins": bins}


class Binned:
    """Detections in their bins, from which curves of any part of them are had.

    `score`: float64; `true`: booleans, whether each is a true positive. Those that count neither way are none of them.
    """

    __slots__ = ("_bin", "_outside", "_score", "_true", "edges")

    def __init__(self, score: Numbers, true: NDArray[np.bool_], *, bins: int = BINS) -> None:
        import numpy as np

        self.edges = np.arange(bins + 1) / bins
        self._score = score
        self._true = true
        self._bin = np.maximum(np.searchsorted(self.edges, score, side="left") - 1, 0)
        self._outside = (score < 0) | (score > 1)
        self._bin[self._outside] = 0

    def curve(self, rows: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Reliability:
        """That of some rows."""
        import numpy as np

        place, bins = self._bin[rows], len(self.edges) - 1
        scores = np.bincount(place, weights=self._score[rows], minlength=bins)
        found = np.bincount(place, weights=self._true[rows], minlength=bins)
        counts = np.bincount(place, minlength=bins).astype(np.float64)
        return Reliability(self.edges, counts, scores, found, int(self._outside[rows].sum()))


def _or_none(values: Numbers) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]  # noqa: PLR0124  NaN: an empty bin
