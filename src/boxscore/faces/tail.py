"""How like strangers may be to a probe, beyond those at hand: the model by which FPI is continued to larger galleries.

The strangers' likenesses to each probe are standardised by their mean and deviation; of all probes' together the
largest tenth makes a tail, which is taken to be generalised Pareto (Pickands 1975), fitted by probability-weighted
moments (Hosking & Wallis 1987). It gives each probe its own chance p that one more stranger is as like as its own
actor, and at the threshold; FPI(g) is the mean over probes of 1 - (1 - p)^(g - 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]

ASSUMPTION = (
    "strangers who are not in the gallery are like those in it and beat a probe independently of one another; their "
    "likeness to a probe, standardised by its mean and deviation, has one and the same tail for all probes: "
    "generalised Pareto over the largest tenth"
)
TOO_FEW = "there are too few other actors, or they are all alike: no tail can be fitted"
_SHARE = 0.1
_LEAST_OTHERS = 4
_LEAST_IN_TAIL = 10


@dataclass(frozen=True, slots=True)
class Tail:
    """`share` of standardised likenesses exceeds `start`, by generalised Pareto amounts of `scale` and `shape`."""

    start: float
    share: float
    scale: float
    shape: float

    def beyond(self, excess: Floats) -> Floats:
        """The chance that a stranger lies so far above `start` (0 or more), or farther."""
        import numpy as np

        if abs(self.shape) < 1e-9:
            return self.share * np.exp(-excess / self.scale)
        inside = np.maximum(1 + self.shape * excess / self.scale, 0.0)
        with np.errstate(divide="ignore"):
            found: Floats = self.share * inside ** (-1 / self.shape)
        return found


class Strangers:
    """The likenesses of all strangers to each probe, [n, m], and what each probe's rival must reach, [n].

    `tail` is None where there is none (`TOO_FEW`).
    """

    def __init__(self, likeness: Floats, bars: Floats) -> None:
        import numpy as np

        self.tail: Tail | None = None
        if likeness.shape[1] < _LEAST_OTHERS:
            return
        means, deviations = likeness.mean(axis=1, keepdims=True), likeness.std(axis=1, ddof=1, keepdims=True)
        if not (deviations > 0).all():
            return
        standard = (likeness - means) / deviations
        self._ordered = np.sort(standard.ravel())
        start = float(self._ordered[-max(1, int(len(self._ordered) * _SHARE)) - 1])
        rows, columns = np.nonzero(standard > start)
        if len(rows) < _LEAST_IN_TAIL:
            return
        self._bars = ((bars[:, None] - means) / deviations).ravel() - start
        order = np.argsort(standard[rows, columns], kind="stable")
        self._excess = standard[rows, columns][order] - start
        self._probes = rows[order]
        self._start = start
        self._number, self._others = likeness.shape
        self.tail = self._fitted(np.ones(self._number))

    def falsely_identified(self, sizes: list[int], times: Floats | None = None) -> Floats:
        """FPI with so many actors in the gallery, the probe's own among them; `times` [n] counts probes repeatedly."""
        import numpy as np

        weights = np.ones(self._number) if times is None else times
        tail = self._fitted(weights)
        below = 1 - np.searchsorted(self._ordered, self._bars + self._start, side="left") / len(self._ordered)
        chances = np.where(self._bars > 0, tail.beyond(np.maximum(self._bars, 0.0)), below)
        others = np.asarray(sizes, dtype=np.float64)[:, None] - 1
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(others == 0, 0.0, -np.expm1(others * np.log1p(-np.minimum(chances, 1.0))))
        found: Floats = (shares * weights).sum(axis=1) / weights.sum()
        return found

    def _fitted(self, times: Floats) -> Tail:
        """The tail by probability-weighted moments, where each probe counts so many times."""
        import numpy as np

        weights = times[self._probes]
        total = weights.sum()
        share = float(total / (times.sum() * self._others))
        if total == 0:
            return Tail(self._start, 0.0, 1.0, 0.0)
        above = 1 - (np.cumsum(weights) - weights / 2) / total
        first = float((weights * self._excess).sum() / total)
        second = float((weights * self._excess * above).sum() / total)
        spread = first - 2 * second
        if spread <= 0:
            return Tail(self._start, share, first, 0.0)
        return Tail(self._start, share, 2 * first * second / spread, 2 - first / spread)
