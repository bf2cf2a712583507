"""How often the intervals of `boxscore faces min-size` hold the true share, and the true loss, of actors' probes.

    python bench/faces_coverage.py [--sets 2000]

Each data set draws actors, each with a share of their own (beta-distributed about the true one, so that two probes of
one actor have the stated correlation), and probes of each. A loss is drawn the same way, as probes that are lost, won
or neither (Dirichlet). Beside the command's interval stand Wilson's of as many independent probes, and Student's of
resampled actors: Hesterberg's, which needs no draws of a mean. Prints Markdown tables: by how many probes of all are
expected to fail, the mean over actors, probes and correlations, and the worst cell.
"""

import argparse
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boxscore.faces.rates import Clusters
from boxscore.stats.distributions import student_quantile
from boxscore.stats.intervals import wilson

Rows = NDArray[np.int64]
Floats = NDArray[np.float64]
Ends = tuple[float, float]

ACTORS, PROBES, CORRELATIONS = (10, 25, 100), (2, 3, 5, 10), (0.0, 0.1, 0.3, 0.6, 1.0)
FAILING = (0.003, 0.01, 0.02, 0.05, 0.1, 0.3, 0.5)
LOST_WON = ((0.01, 0.0), (0.03, 0.01), (0.05, 0.05), (0.1, 0.02), (0.3, 0.02), (0.6, 0.0), (0.9, 0.0))
CONFIDENCE = 0.95


@dataclass
class Held:
    """Of one cell after the other: the share of data sets whose interval holds the truth, and its mean width."""

    shares: list[float] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def add(self, ends: list[Ends], truth: float) -> None:
        low, high = np.array(ends).T
        self.shares.append(float(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).mean()))
        self.widths.append(float((high - low).mean()))

    def cells(self) -> str:
        return f"{np.mean(self.shares):.3f} | {min(self.shares):.3f} | {np.mean(self.widths):.3f}"


def outcomes(draw: np.random.Generator, shares: Floats, correlation: float, actors: int, probes: int) -> Rows:
    """Which of the outcomes, whose shares are given, each probe has: [actors, probes], from 0."""
    if correlation == 0:
        own = np.tile(shares, (actors, 1))
    elif correlation == 1:
        own = draw.multinomial(1, shares, actors).astype(float)
    else:
        own = draw.dirichlet(np.maximum(shares, 1e-9) * (1 / correlation - 1), actors)
    found: Rows = (draw.random((actors, probes, 1)) >= own.cumsum(axis=1)[:, None, :-1]).sum(axis=2)
    return found


def by_student(of_actor: Floats, alike: Callable[[float], Ends]) -> Ends:
    """Student's interval of a mean over actors, [actors]; where they don't differ, what `alike` says of the mean."""
    mean, deviation = float(of_actor.mean()), float(of_actor.std(ddof=1))
    if deviation < 1e-12:
        return alike(mean)
    half = student_quantile(CONFIDENCE, len(of_actor) - 1) * deviation / len(of_actor) ** 0.5
    return mean - half, mean + half


def share_of_all_alike(actors: int, mean: float) -> Ends:
    return wilson(mean * actors, actors)


def loss_of_all_alike(actors: int, mean: float) -> Ends:
    reach = wilson(0, actors)[1]
    return mean - reach, mean + reach


def ends(low: float | None, high: float | None) -> Ends:
    assert low is not None and high is not None  # noqa: PT018  an interval has both
    return low, high


def of_shares(sets: int) -> None:
    names = ("Wilson, probes", "actors resampled", "as given")
    print(f"| failing | {' | '.join(f'{name} | worst | width' for name in names)} |")
    print(f"|---:|{'---:|' * 3 * len(names)}")
    for failing in FAILING:
        found = {name: Held() for name in names}
        for actors, probes, correlation in itertools.product(ACTORS, PROBES, CORRELATIONS):
            draw = np.random.default_rng((actors, probes, int(correlation * 10), int(failing * 1000)))
            clusters = Clusters(np.repeat(np.arange(actors), probes), 1, 0, CONFIDENCE)
            every = np.ones(actors * probes, bool)
            told: dict[str, list[Ends]] = {name: [] for name in names}
            for _ in range(sets):
                right = outcomes(draw, np.array([failing, 1 - failing]), correlation, actors, probes) == 1
                told[names[0]].append(wilson(int(right.sum()), right.size))
                told[names[1]].append(by_student(right.mean(axis=1), partial(share_of_all_alike, actors)))
                rate = clusters.rate(right.ravel(), every)
                told[names[2]].append(ends(rate.low, rate.high))
            for name in names:
                found[name].add(told[name], 1 - failing)
        print(f"| {failing:.1%} | {' | '.join(found[name].cells() for name in names)} |", flush=True)


def of_losses(sets: int) -> None:
    names = ("actors resampled", "as given")
    print(f"| lost, won | {' | '.join(f'{name} | worst | width' for name in names)} |")
    print(f"|---:|{'---:|' * 3 * len(names)}")
    for lost, won in LOST_WON:
        found = {name: Held() for name in names}
        for actors, probes, correlation in itertools.product(ACTORS, (1, *PROBES), CORRELATIONS):
            draw = np.random.default_rng((actors, probes, int(correlation * 10), int(lost * 1000)))
            clusters = Clusters(np.repeat(np.arange(actors), probes), 1, 0, CONFIDENCE)
            every = np.ones(actors * probes, bool)
            told: dict[str, list[Ends]] = {name: [] for name in names}
            for _ in range(sets):
                which = outcomes(draw, np.array([lost, won, 1 - lost - won]), correlation, actors, probes)
                change = ((which == 0).astype(float) - (which == 1)).mean(axis=1)
                told[names[0]].append(by_student(change, partial(loss_of_all_alike, actors)))
                rate = clusters.loss((which != 1).ravel(), (which != 0).ravel(), every)
                told[names[1]].append(ends(rate.low, rate.high))
            for name in names:
                found[name].add(told[name], lost - won)
        print(f"| {lost:.0%}, {won:.0%} | {' | '.join(found[name].cells() for name in names)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000)
    sets = parser.parse_args().sets
    of_shares(sets)
    print()
    of_losses(sets)


if __name__ == "__main__":
    main()
