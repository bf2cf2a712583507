"""The bias-corrected and accelerated interval: which quantiles of the replicates to take (Efron 1987)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from boxscore.stats.quantiles import Spread

ONE_SIDE = "all replicates lie on one side of the figure, so that BCa can't tell its bias; ask for another interval"
NO_INFLUENCE = "the figure is the same whichever block is left out, so that BCa has no acceleration; ask for another"
TOO_SKEW = "the figure's distribution is too skew for BCa; ask for another interval"


def adjusted_tails(
    spread: Spread, point: float, tails: tuple[float, float], left_out: ArrayLike
) -> tuple[float, float] | str:
    """Shares at which to take the quantiles, or why there are none.

    The bias correction is the normal quantile of the share of replicates below the figure, equal ones by half.
    """
    from boxscore.stats.distributions import normal_quantile, normal_share

    below, above = spread.beside(point)
    if below <= 0.0 or above <= 0.0:
        return ONE_SIDE
    skew = acceleration(left_out)
    if skew is None:
        return NO_INFLUENCE
    correction = normal_quantile((1.0 + below - above) / 2)
    adjusted: list[float] = []
    for tail in tails:
        shifted = correction + normal_quantile(tail)
        if 1.0 - skew * shifted <= 0.0:
            return TOO_SKEW
        adjusted.append(normal_share(correction + shifted / (1.0 - skew * shifted)))
    return adjusted[0], adjusted[1]


def acceleration(left_out: ArrayLike) -> float | None:
    """Skewness over 6 of the figures with one block left out each; None without two figures that differ.

    Blocks need not be equally large: third and second moments of what units contribute add up within a block.
    """
    import numpy as np

    figures = np.asarray(left_out, dtype=np.float64)
    figures = figures[~np.isnan(figures)]
    if len(figures) < 2:
        return None
    deviations = figures.mean() - figures
    squares = float((deviations**2).sum())
    if np.abs(deviations).max() <= 1e-12 * max(1.0, float(np.abs(figures).max())):
        return None
    return float((deviations**3).sum()) / (6.0 * float(np.sqrt(squares)) ** 3)
