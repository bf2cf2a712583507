"""Figures of plain columns: `success` (its mean), `latency[p95]`, `latency[max]`."""

from __future__ import annotations

import re

from boxscore.errors import MeasureError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_FORM = re.compile(r"(.+?)(?:\[(mean|median|min|max|p\d+(?:\.\d+)?)\])?")
FORMS = "COLUMN (its mean), COLUMN[median], COLUMN[p95], COLUMN[min] or COLUMN[max]"


class Statistic:
    """What is made of a column's values: their mean (`percent` None) or a percentile of them."""

    __slots__ = ("column", "percent")

    def __init__(self, column: str, percent: float | None) -> None:
        self.column = column
        self.percent = percent

    @staticmethod
    def parse(text: str) -> Statistic:
        """Read the printed form. Raises MeasureError that quotes it."""
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise MeasureError(f"measure {text!r} can't be read; write {FORMS}")
        percent = {None: None, "mean": None, "median": 50.0, "min": 0.0, "max": 100.0}.get(found[2], -1.0)
        if percent is not None and percent < 0.0:
            percent = float(found[2][1:])
            if percent > 100.0:
                raise MeasureError(f"measure {text!r}: there is no percentile above 100")
        return Statistic(found[1], percent)

    def of(self, values: Values, weights: NDArray[np.uint32] | None = None) -> float | None:
        """The figure of values, copies of each by `weights`; NaN takes no part. None where nothing is left.

        A percentile is interpolated between order statistics (Hyndman and Fan's type 7, NumPy's default), copies
        standing side by side.
        """
        import numpy as np

        there = ~np.isnan(values)
        if weights is not None:
            there &= weights > 0
        if not there.any():
            return None
        held = values[there]
        copies = np.ones(len(held), dtype=np.int64) if weights is None else weights[there].astype(np.int64)
        if self.percent is None:
            return float(np.dot(held, copies) / copies.sum())
        return _percentile(held, copies, self.percent)


def _percentile(values: Values, copies: NDArray[np.int64], percent: float) -> float:
    import numpy as np

    order = np.argsort(values, kind="stable")
    ordered, ends = values[order], np.cumsum(copies[order])
    place = (int(ends[-1]) - 1) * percent / 100
    below = int(place)
    low, high = (ordered[np.searchsorted(ends, at, side="right")] for at in (below, min(below + 1, int(ends[-1]) - 1)))
    return float(low + (high - low) * (place - below))
