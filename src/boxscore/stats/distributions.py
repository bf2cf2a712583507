"""Normal and Student's distribution. SciPy has both, but importing it takes longer than a whole evaluation."""

from __future__ import annotations

import functools
import math

MOST_SUMMED = 400
"""Degrees of freedom up to which Student's distribution is summed term by term; beyond, a series has all digits."""


def normal_share(value: float) -> float:
    """Share of the standard normal distribution below a value."""
    return math.erfc(-value / math.sqrt(2)) / 2


@functools.lru_cache(maxsize=64)
def normal_quantile(share: float) -> float:
    """The value below which a share of the standard normal distribution lies; the share inside 0..1."""
    if share > 0.5:
        return -normal_quantile(1 - share)
    # Abramowitz & Stegun 26.2.22 is right to 0.003; Halley's steps triple the digits each.
    root = math.sqrt(-2 * math.log(share))
    found = (2.30753 + 0.27061 * root) / (1 + 0.99229 * root + 0.04481 * root**2) - root
    for _ in range(3):
        density = math.exp(-(found**2) / 2) / math.sqrt(2 * math.pi)
        step = (normal_share(found) - share) / density
        found -= step / (1 + found * step / 2)
    return found


@functools.lru_cache(maxsize=64)
def student_quantile(confidence: float, freedom: int) -> float:
    """The t that |t| stays below with a probability `confidence` (inside 0..1), for whole degrees of freedom."""
    if freedom > MOST_SUMMED:
        return _series(normal_quantile(0.5 + confidence / 2), freedom)
    scale = 2 * math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    # The share is increasing and concave in the angle: Newton's steps come up from 0 and never go too far.
    angle = 0.0
    for _ in range(200):
        step = (confidence - _central_share(angle, freedom)) / (scale * math.cos(angle) ** (freedom - 1))
        angle += step
        if step <= 1e-15 * angle:
            break
    return math.sqrt(freedom) * math.tan(angle)


def _central_share(angle: float, freedom: int) -> float:
    """Share of Student's distribution with |t| below sqrt(freedom) tan(angle): Abramowitz & Stegun 26.7.3, 26.7.4."""
    odd = freedom % 2
    square = math.cos(angle) ** 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for number in range(1 + odd, freedom, 2):
        total += term
        term *= square * number / (number + 1)
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def _series(normal: float, freedom: int) -> float:
    """Student's quantile from the normal one: Abramowitz & Stegun 26.7.5."""
    z = normal
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / freedom + second / freedom**2 + third / freedom**3 + fourth / freedom**4
