"""False positives in galleries of fewer actors than there are: counted exactly.

The mean over all galleries of g actors that hold the probe's own: a probe beaten by k of m others, at or over the
threshold, is falsely identified in a share 1 - C(m - k, g - 1) / C(m, g - 1) of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]


def falsely_identified(beaten: Counts, others: int, size: int) -> Floats:
    """Of each probe [n], beaten by so many of `others`: its share of galleries of `size` actors, 1 to others + 1."""
    import numpy as np
    from scipy.special import gammaln

    drawn = size - 1
    spared = others - beaten
    possible = spared >= drawn
    left = np.where(possible, spared, drawn).astype(np.float64)
    # C(left, drawn) / C(others, drawn), of which drawn! cancels
    log_share = gammaln(left + 1) - gammaln(left - drawn + 1) - gammaln(others + 1.0) + gammaln(others - drawn + 1.0)
    return np.where(beaten == 0, 0.0, np.where(possible, -np.expm1(log_share), 1.0))


def doubled(whole: int) -> list[int]:
    """10, 20, 40, … below the whole, and the whole."""
    sizes = []
    size = 10
    while size < whole:
        sizes.append(size)
        size *= 2
    return [*sizes, whole]
