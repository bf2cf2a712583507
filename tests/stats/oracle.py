"""Slow, obvious statistics that import nothing from boxscore."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction


def multisets(units: int) -> dict[tuple[int, ...], Fraction]:
    """Weights of units and their exact probability, by going through all k^k ordered draws."""
    counts: Counter[tuple[int, ...]] = Counter()
    for draw in itertools.product(range(units), repeat=units):
        counts[tuple(draw.count(unit) for unit in range(units))] += 1
    return {weights: Fraction(count, units**units) for weights, count in counts.items()}


def weighted_quantile(values: Sequence[float], weights: Sequence[float], share: float) -> float:
    """By interpolation over cumulative weight minus half the own weight."""
    rows = sorted(zip(values, weights, strict=True))
    total = math.fsum(weights)
    middles, before = [], 0.0
    for _, weight in rows:
        middles.append((before + weight / 2) / total)
        before += weight
    if share <= middles[0]:
        return rows[0][0]
    for place in range(1, len(rows)):
        if share <= middles[place]:
            part = (share - middles[place - 1]) / (middles[place] - middles[place - 1])
            return rows[place - 1][0] + part * (rows[place][0] - rows[place - 1][0])
    return rows[-1][0]


def swap_p(differences: Sequence[float]) -> float:
    """Two-sided p of the mean of paired differences, by all 2^k patterns of signs."""
    observed = abs(sum(differences))
    patterns = list(itertools.product((1, -1), repeat=len(differences)))
    large = sum(
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True))) >= observed - 1e-9
        for signs in patterns
    )
    return large / len(patterns)


def step_down(observed: Sequence[float], replicates: Sequence[Sequence[float]], *, exact: bool) -> list[float]:
    """Adjusted p by the literal step-down: test the largest statistic among all pairs, take it out, go on.

    `replicates` holds a row a replicate; all numbers exist.
    """
    scales = [math.sqrt(sum(row[pair] ** 2 for row in replicates) / len(replicates)) for pair in range(len(observed))]

    def statistic(value: float, pair: int) -> float:
        if scales[pair] == 0:
            return math.inf if value else 0.0
        return abs(value) / scales[pair]

    left = list(range(len(observed)))
    adjusted = [0.0] * len(observed)
    least = 0.0
    while left:
        first = max(left, key=lambda pair: statistic(observed[pair], pair))
        bar = statistic(observed[first], first)
        large = 0
        for row in replicates:
            top = max(statistic(row[pair], pair) for pair in left)
            large += top >= bar - 1e-9 * (1 + bar)
        p = large / len(replicates) if exact else (large + 1) / (len(replicates) + 1)
        least = max(least, p)
        adjusted[first] = least
        left.remove(first)
    return adjusted
