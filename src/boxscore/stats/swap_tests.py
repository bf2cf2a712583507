"""Tests of differences between models by swapping their detections, and their adjustment for several pairs.

If two models are equally good, nothing changes when their detections are swapped in some units: the observed difference
is one among those under swaps. p is the share of them that are at least as large, either way.
"""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Values = NDArray[np.float64]

ZERO = 1e-12
"""Differences up to this are rounding, and none."""

TIE = 1e-9
"""Statistics (in standard deviations) that differ by less are equal: a pattern of swaps may sum in another order."""


def least_p(num_units: int) -> float:
    """The smallest two-sided p that swaps of k units can give: 2^(1 - k), below 6 units above 0.05."""
    return float(2.0 ** (1 - num_units))


def max_t(observed: ArrayLike, replicates: ArrayLike, *, exact: bool) -> tuple[Values, Values]:
    """Two-sided p and adjusted p of each pair, [pairs] both, from differences under the same swaps for all.

    `observed` is [pairs], `replicates` [replicates, pairs]; `exact`: all patterns, the one that swaps nothing included,
    so that p is their share; else they are drawn, and p is (b + 1) / (B + 1) (Phipson and Smyth 2010). The adjustment
    is the step-down max-T of Westfall and Young (1993): each pair is compared with the largest statistic among itself
    and the pairs behind it, so that any false separation among all pairs is as rare as one would be. Statistics are
    differences over their standard deviation about 0, their centre: swapping all other units turns the sign.

    NaN in `observed`: p is NaN, and the pair takes no part. NaN in `replicates`: counts as large for its own pair, and
    takes no part in those of others. No difference has p = 1. Raises InputError for shapes that don't fit.
    """
    import numpy as np

    differences = np.asarray(observed, dtype=np.float64)
    swapped = np.asarray(replicates, dtype=np.float64)
    if swapped.ndim != 2 or differences.shape != swapped.shape[1:] or not len(swapped):
        raise InputError(
            f"differences of shape {differences.shape} and replicates of shape {swapped.shape} don't fit; give [pairs] "
            "and [replicates, pairs]"
        )
    single = np.full(differences.shape, np.nan)
    adjusted = single.copy()
    there = np.flatnonzero(~np.isnan(differences))
    if len(there):
        found, under_swaps = _studentised(differences[there], swapped[:, there])
        single[there] = [_share(column, value, exact=exact) for column, value in zip(under_swaps.T, found, strict=True)]
        adjusted[there] = _step_down(found, under_swaps, exact=exact)
    return single, adjusted


def _studentised(observed: Values, replicates: Values) -> tuple[Values, Values]:
    """Absolute differences over the root mean square of the replicates that exist; NaN stays."""
    import numpy as np

    observed = np.where(np.abs(observed) <= ZERO, 0.0, np.abs(observed))
    replicates = np.where(np.abs(replicates) <= ZERO, 0.0, np.abs(replicates))
    exists = ~np.isnan(replicates)
    squares = np.where(exists, replicates, 0.0) ** 2
    scale = np.sqrt(squares.sum(axis=0) / np.maximum(exists.sum(axis=0), 1))
    # Without any variance a difference, if there is one, is beyond all replicates.
    flat = scale == 0.0
    scale[flat] = 1.0
    return np.where(flat & (observed > 0.0), np.inf, observed / scale), replicates / scale


def _share(replicates: Values, value: float, *, exact: bool) -> float:
    """Share of replicates [replicates] at least as large as a value; NaN counts as large."""
    import numpy as np

    large = int(np.count_nonzero(~(replicates < value * (1.0 - TIE) - TIE)))
    return large / len(replicates) if exact else (large + 1) / (len(replicates) + 1)


def _step_down(observed: Values, replicates: Values, *, exact: bool) -> Values:
    """Adjusted p, [pairs], never smaller than that of a pair with a larger statistic."""
    import numpy as np

    order = np.argsort(-observed, kind="stable")
    largest = np.full(len(replicates), -np.inf)
    adjusted = np.empty(len(observed))
    for pair in order[::-1]:
        own = replicates[:, pair]
        # A pair's own NaN counts as large; fmax passes over those of the pairs behind it.
        largest = np.fmax(largest, own)
        adjusted[pair] = _share(np.where(np.isnan(own), np.nan, largest), observed[pair], exact=exact)
    adjusted[order] = np.maximum.accumulate(adjusted[order])
    return adjusted
