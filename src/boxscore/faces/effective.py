"""How many independent probes the probes at hand are worth: pictures of one actor are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

_DOUBT = 1.0
"""Disagreements between an actor's own probes that must be expected before likeness is half believed not to be full."""


def effective_trials(hits: Counts, trials: Counts, confidence: float) -> float:
    """Independent trials that say as much of a share as these, of which each actor [k] has one or more, and `hits`.

    Trials divided by the design effect (Kish 1965), 1 + (m - 1) * rho, m the mean number of probes that a probe's actor
    has. It is never below 1, and at most what it is where an actor's probes always end alike: then each actor is worth
    one. One probe an actor is a trial each. The shares vary by actor, so that few actors count for less still, by the
    quantiles of Student's t (Korn & Graubard 1998).
    """
    from boxscore.stats.distributions import student_quantile

    total, actors = int(trials.sum()), len(trials)
    fewest = total**2 / float((trials**2).sum())
    if actors in (1, total):
        return fewest
    found = total / (1 + (total / fewest - 1) * _likeness(hits, trials))
    fewer = student_quantile(confidence, total - 1) / student_quantile(confidence, actors - 1)
    return max(found * fewer**2, fewest)


def _likeness(hits: Counts, trials: Counts) -> float:
    """How alike an actor's probes end, from 0 to 1: the correlation within actors (Fleiss & Cuzick 1979).

    Few failures show nothing of it: of a single one, no other probe of its actor can have failed too. So the
    disagreements that were seen are held against those expected of independent probes and `_DOUBT` more: without any
    expected, actors are taken to be wholly alike, and with many the estimate is what was seen.
    """
    total, actors = int(trials.sum()), len(trials)
    positive = int(hits.sum())
    inside = hits * (trials - hits)
    across = positive * (total - positive) - int(inside.sum())
    pairs = (total**2 - int((trials**2).sum())) / 2
    expected = (total - actors) / 2 * across / pairs
    return max(0.0, 1 - float((inside / trials).sum()) / (expected + _DOUBT))
