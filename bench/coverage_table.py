"""What `coverage.py` found, as Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxscore.stats.intervals import METHODS

LEVEL = 0.05
"""p up to this separates."""


@dataclass(frozen=True)
class Outcome:
    """One data set.

    `points` [measures]: figures of the first model. `bias`, `std_error` [measures]: as its replicates show them.
    `bounds` [measures, methods, 2]: NaN where there is no interval. `p` [measures]: of the difference to the second
    model; NaN: undecidable. `excludes` [measures]: whether a percentile interval of the difference leaves out 0.
    `rarest`: objects of the rarest label.
    """

    points: NDArray[np.float64]
    bias: NDArray[np.float64]
    std_error: NDArray[np.float64]
    bounds: NDArray[np.float64]
    p: NDArray[np.float64]
    excludes: NDArray[np.float64]
    rarest: int


Found = tuple[Sequence[Outcome], NDArray[np.float64]]
"""Outcomes of a cell, and the figures [measures] of a very large draw."""


def told(sets: int, measures: Sequence[str], cells: Mapping[str, Found]) -> str:
    """Three tables: figures, coverage, and how often equal models are called different."""
    parts = [
        f"{sets:,} data sets a cell; a share of 95 % is known to ±{196 * (0.95 * 0.05 / sets) ** 0.5:.1f} points.",
        _table(
            FIGURES, [_figures(name, measure, at, cells[name]) for name in cells for at, measure in enumerate(measures)]
        ),
        _table(
            COVERAGE,
            [_coverage(name, measure, at, cells[name]) for name in cells for at, measure in enumerate(measures)],
        ),
        _table(
            VERDICTS,
            [_verdicts(name, measure, at, cells[name]) for name in cells for at, measure in enumerate(measures)],
        ),
    ]
    return "\n\n".join(parts)


FIGURES = (
    *("data sets", "objects of the rarest label", "measure", "expected figure", "its spread", "very large draw"),
    *("bias shown", "standard error shown"),
)
COVERAGE = (
    *("data sets", "measure", *METHODS),
    *(f"{method}, very large draw" for method in METHODS),
)
VERDICTS = ("data sets", "measure", "separated", "percentile interval of the difference excludes 0")


def _figures(name: str, measure: str, at: int, found: Found) -> list[str]:
    outcomes, large = found
    points = np.array([outcome.points[at] for outcome in outcomes])
    bias, std_error = (
        np.nanmean([getattr(outcome, field)[at] for outcome in outcomes]) for field in ("bias", "std_error")
    )
    return [
        *(name, f"{np.mean([outcome.rarest for outcome in outcomes]):.0f}", f"`{measure}`"),
        *(f"{np.nanmean(points):.4f}", f"{np.nanstd(points, ddof=1):.4f}", f"{large[at]:.4f}"),
        *(f"{bias:+.4f}", f"{std_error:.4f}"),
    ]


def _coverage(name: str, measure: str, at: int, found: Found) -> list[str]:
    outcomes, large = found
    expected = np.nanmean([outcome.points[at] for outcome in outcomes])
    bounds = np.array([outcome.bounds[at] for outcome in outcomes])
    there = ~np.isnan(bounds[..., 0])
    return [name, f"`{measure}`", *_holding(bounds, there, expected), *_holding(bounds, there, large[at])]


def _holding(bounds: NDArray[np.float64], there: NDArray[np.bool_], figure: float) -> list[str]:
    """Per cent of the intervals there are that hold a figure, by method; and how many per cent there are not."""
    holds = (bounds[..., 0] <= figure) & (figure <= bounds[..., 1])
    shares: list[str] = []
    for method in range(there.shape[1]):
        exists = there[:, method]
        missing = 100 * (1 - exists.mean())
        share = f"{100 * holds[exists, method].mean():.1f}" if exists.any() else "none"
        shares.append(f"{share} ({missing:.1f} none)" if 0 < missing < 100 else share)
    return shares


def _verdicts(name: str, measure: str, at: int, found: Found) -> list[str]:
    p = np.array([outcome.p[at] for outcome in found[0]])
    decided = ~np.isnan(p)
    separated = f"{100 * (p[decided] <= LEVEL).mean():.1f}" if decided.any() else "undecidable"
    return [name, f"`{measure}`", separated, f"{100 * np.nanmean([outcome.excludes[at] for outcome in found[0]]):.1f}"]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---" if name in ("data sets", "measure") else "--:" for name in head]
    lines = [head, rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
