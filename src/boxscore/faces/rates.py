"""Shares of probes, and losses of shares, with their intervals: what was sampled is actors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.faces.effective import effective_trials

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Rows = NDArray[np.int64]

NO_PROBES = "no probe is larger than this"
WILSON = "Wilson"
EFFECTIVE = "Wilson, effective trials"
RESAMPLED = "actors resampled"
LOST_LESS_WON = "of lost less won, both by Wilson"

METHODS = ("effective", "resampled")
"""Of intervals where actors have several probes. With one probe an actor they are Wilson's either way."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its interval, or the reason why there is none; `count` of `trials` probes.

    `effective` trials are the independent probes that these are worth (None of a loss, whose two shares have their
    own).
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    count: int = 0
    trials: int = 0
    effective: float | None = None
    interval: str | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields, ready for JSON."""
        import dataclasses

        return dataclasses.asdict(self)


class Clusters:
    """The probes' actors, who were sampled, and draws of them with replacement, the same for every figure.

    Attributes:
        actors: the number of each probe's actor, from 0, int64 [n].
        confidence: of all intervals.
        weights: how often each replicate draws each actor, int64 [replicates, actors].
        resampled: whether the draws make the intervals of shares, too (`METHODS`).
    """

    def __init__(
        self, actors: Rows, replicates: int, seed: int, confidence: float, *, method: str = METHODS[0]
    ) -> None:
        import numpy as np

        self.actors = actors
        self.confidence = confidence
        number = int(actors.max()) + 1
        self.resampled = method == METHODS[1] and number < len(actors)
        # Raw numbers of a counter-based generator: the same draws in every version of NumPy.
        raw = np.random.Philox(key=seed).random_raw(replicates * number)
        drawn = (raw % np.uint64(number)).astype(np.int64).reshape(replicates, number)
        self.weights = np.zeros((replicates, number), dtype=np.int64)
        np.add.at(self.weights, (np.arange(replicates)[:, None], drawn), 1)

    @property
    def tails(self) -> tuple[float, float]:
        """The shares of replicates below and up to the ends of an interval."""
        return (1 - self.confidence) / 2, (1 + self.confidence) / 2

    def spread(self, values: NDArray[Any], among: Flags) -> tuple[float, float] | tuple[None, None]:
        """The interval of the mean of values [n] over some probes, by percentiles of the replicates that draw any.

        None where no replicate does.
        """
        import numpy as np

        of_actor = np.bincount(self.actors[among], values[among], self.weights.shape[1])
        there = np.bincount(self.actors[among], minlength=self.weights.shape[1])
        sums, counts = self.weights @ of_actor, self.weights @ there
        if not counts.any():
            return None, None
        low, high = np.quantile(sums[counts > 0] / counts[counts > 0], self.tails)
        return float(low), float(high)

    def rate(self, hits: Flags, among: Flags) -> Rate:
        """The share of hits among some probes; both [n].

        Wilson's interval, of effective trials where actors have several probes (or, where asked for, that of resampled
        actors, which show hardly any spread of one failure in a hundred, and none of none).
        """
        import numpy as np

        from boxscore.stats.intervals import wilson

        trials = int(among.sum())
        if not trials:
            return Rate(None, reason=NO_PROBES)
        there = np.bincount(self.actors[among])
        of_actor = np.bincount(self.actors[hits & among], minlength=len(there))[there > 0]
        there = there[there > 0]
        count, effective = int(of_actor.sum()), effective_trials(of_actor, there, self.confidence)
        share = count / trials
        if self.resampled:
            low, high = self.spread(hits, among)
            return Rate(share, low, high, count, trials, effective, RESAMPLED)
        how = WILSON if len(there) == trials else EFFECTIVE
        return Rate(share, *wilson(share * effective, effective, self.confidence), count, trials, effective, how)

    def loss(self, before: Flags, after: Flags, among: Flags) -> Rate:
        """By how much the share of hits falls from `before` to `after`, of the same probes; below 0 it rises.

        It is the share of probes that were lost less that of those won. Their intervals make that of the loss (Zou &
        Donner 2008), with the correlation that two shares of one whole have.
        """
        import numpy as np

        lost, won = self.rate(before & ~after, among), self.rate(after & ~before, among)
        if lost.value is None or won.value is None:
            return lost
        loss = lost.value - won.value
        count = lost.count - won.count
        if self.resampled:
            change = before.astype(np.int64) - after
            low, high = self.spread(change, among)
            return Rate(loss, low, high, count, lost.trials, None, RESAMPLED)
        together = _correlation(lost.value, won.value)
        down = _reach(_below(lost), _above(won), together)
        up = _reach(_above(lost), _below(won), together)
        return Rate(loss, max(loss - down, -1.0), min(loss + up, 1.0), count, lost.trials, None, LOST_LESS_WON)


def _below(rate: Rate) -> float:
    return (rate.value or 0.0) - (rate.low or 0.0)


def _above(rate: Rate) -> float:
    return (rate.high or 0.0) - (rate.value or 0.0)


def _correlation(one: float, other: float) -> float:
    """Of two shares of the same trials, one of which excludes the other: 0 to -1."""
    both = one * other
    return -math.sqrt(both / ((1 - one) * (1 - other))) if both else 0.0


def _reach(one: float, other: float, correlation: float) -> float:
    """How far the difference of two figures may lie off, by how far each may."""
    return math.sqrt(max(one**2 + other**2 - 2 * correlation * one * other, 0.0))
