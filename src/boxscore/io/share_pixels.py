"""Shares of a picture's side, stated with some number of decimals, as pixels."""

from __future__ import annotations

_LEAST = 1e-9
"""Pixels: what a division and a multiplication in 64 bits may leave."""
_MOST = 0.01
"""Pixels: where the decimals say no more than this, shares are not known to mean whole pixels."""


def is_whole(share: float, side: float, decimals: int) -> bool:
    """Whether a share lies as near to a whole pixel as its decimals can say."""
    within = max(0.5 * 10.0**-decimals * side, _LEAST)
    value = share * side
    return within <= _MOST and abs(value) < 2**53 and abs(value - round(value)) <= within


def pixels(share: float, side: float, *, whole: bool) -> float:
    """A share as pixels; as the nearest `whole` one where all of a file's shares lie as near to one as they can.

    Overlaps of whole-pixel boxes lie exactly on thresholds; rounded shares of them would fall to either side.
    """
    return float(round(share * side)) if whole else share * side
