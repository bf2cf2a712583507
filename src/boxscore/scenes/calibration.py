"""Scores that mean what they are told to mean.

A score is *calibrated* when, of the detections that carry it, that share is right. Here the relation is chosen:

    logit P(right | score) = intercept + slope * logit(score)

the logistic recalibration model of Cox (1958), whose slope and intercept are the usual figures for miscalibration:
(0, 1) is calibrated; a slope below 1 means scores too extreme, a negative intercept means scores too high.

How a score is made. Every detection draws evidence, a number: wrong ones from N(0, 1), right ones from N(d, 1), the
equal-variance model of signal detection theory, where d ("separation") is its d'. A duplicate competes with a right
detection for one object, and the higher of the two is the one an evaluation calls right; so it draws from N(0, 1) below
the evidence of its rival. Bayes' rule turns evidence into the probability of being right, given how many detections
are right, wrong, and rivals in the long run (`Outcomes`); the score is what the chosen relation assigns to that
probability. Higher evidence always means a higher score.
"""

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np

from boxscore.scenes.boxes import Floats
from boxscore.scenes.checks import check_above, check_finite, refuse


@dataclass(frozen=True)
class Calibration:
    """The chosen relation of a score to the probability of being right (see the module)."""

    slope: float = 1.0
    intercept: float = 0.0

    def __post_init__(self) -> None:
        check_above("Calibration", {"slope": self.slope}, 0)
        check_finite("Calibration", {"intercept": self.intercept})

    def probability(self, score: Floats) -> Floats:
        """P(right | score) for scores inside 0..1."""
        score = np.asarray(score, dtype=np.float64)
        return logistic(self.intercept + self.slope * (np.log(score) - np.log1p(-score)))


CALIBRATIONS = {
    "calibrated": Calibration(),
    "over-confident": Calibration(slope=0.7, intercept=-0.8),
    "under-confident": Calibration(slope=1.4, intercept=0.8),
}
"""Relations that have a name."""


def calibration_of(choice: Calibration | str) -> Calibration:
    """A relation, or the one of that name. Raises InputError for other names."""
    if isinstance(choice, Calibration):
        return choice
    if choice not in CALIBRATIONS:
        names = ", ".join(CALIBRATIONS)
        raise refuse("DetectorSpec.calibration", choice, f"give a Calibration or one of {names}")
    return CALIBRATIONS[choice]


@dataclass(frozen=True)
class Outcomes:
    """How many detections are right, wrong, and (among the wrong) rivals of a right one, in a sample large enough to
    stand for the long run.
    """

    right: int
    wrong: int
    rivals: int


@dataclass(frozen=True)
class ScoreScale:
    """Turns evidence into scores. `evidence` is an ascending grid, `logit` the score's log odds on it."""

    evidence: Floats
    logit: Floats

    def scores(self, evidence: Floats) -> Floats:
        """Scores strictly inside 0..1, to eight significant digits."""
        return significant(logistic(np.interp(evidence, self.evidence, self.logit)))


def score_scale(outcomes: Outcomes, separation: float, calibration: Calibration) -> ScoreScale:
    """The scale under which scores have the chosen relation to being right, for that mixture of outcomes."""
    grid = evidence_grid(separation)
    rivals = outcomes.rivals / max(outcomes.wrong, 1)
    wrong = (1.0 - rivals) * normal_density(grid) + rivals * _rival_density(grid, separation)
    # One is added to either count: a detector that is never wrong (or never right) still gets scores inside 0..1.
    odds = (outcomes.right + 1.0) / (outcomes.wrong + 1.0)
    # Where all that is wrong is a rival, none lies at the very top of the grid; and far tails underflow.
    right, wrong = (np.maximum(density, _LEAST) for density in (normal_density(grid - separation), wrong))
    log_odds = np.log(odds) + np.log(right) - np.log(wrong)
    return ScoreScale(grid, (log_odds - calibration.intercept) / calibration.slope)


def below(evidence: Floats, uniform: Floats) -> Floats:
    """Evidence of rivals: N(0, 1) cut off at the right detection's evidence, from uniform numbers, (n,)."""
    grid = evidence_grid(0.0)
    cumulative = _normal_cumulative(grid)
    return np.interp(uniform * np.interp(evidence, grid, cumulative), cumulative, grid)


def evidence_grid(separation: float) -> Floats:
    """Evidence from where wrong detections begin to where right ones end, in steps of a hundredth."""
    return np.arange(-_TAIL, separation + _TAIL + _STEP, _STEP)


def normal_density(value: Floats) -> Floats:
    """Density of N(0, 1)."""
    density: Floats = np.exp(-0.5 * value**2) / np.sqrt(2.0 * np.pi)
    return density


def logistic(log_odds: Floats) -> Floats:
    """The probability with those log odds, without overflow."""
    small = np.exp(-np.abs(log_odds))
    probability: Floats = np.where(log_odds >= 0, 1.0, small) / (1.0 + small)
    return probability


def significant(probability: Floats) -> Floats:
    """Rounded to eight significant digits of it or of its complement, whichever is finer, and kept off 0 and 1.

    Scores print short, and those near 1 are told apart as well as those near 0.
    """
    kept = np.clip(probability, 1e-12, 1.0 - 1e-15)
    finer = np.minimum(kept, 1.0 - kept)
    # A double holds some 16 decimals next to 1.
    decimals = np.minimum(7 - np.floor(np.log10(finer)), np.where(kept < 0.5, 19, 15))
    power = _POWERS[decimals.astype(np.int64)]
    rounded: Floats = np.round(kept * power) / power
    return rounded


def _rival_density(grid: Floats, separation: float) -> Floats:
    """Density of N(0, 1) cut off at X, where X is from N(separation, 1).

    phi(t) times the integral over x > t of phi(x - separation) / Phi(x).
    """
    integrand = normal_density(grid - separation) / _normal_cumulative(grid)
    steps = 0.5 * (integrand[1:] + integrand[:-1]) * _STEP
    above = np.concatenate([np.cumsum(steps[::-1])[::-1], [0.0]])
    density: Floats = normal_density(grid) * above
    return density


def _normal_cumulative(grid: Floats) -> Floats:
    """Distribution function of N(0, 1) on the grid: never 0, so that it may divide."""
    return np.array([0.5 * erfc(-value / sqrt(2.0)) for value in grid])


_TAIL = 8.0
_STEP = 0.01
_LEAST = float(np.finfo(np.float64).tiny)
_POWERS = np.array([float(f"1e{power}") for power in range(21)])
"""Exact powers of ten: a whole number over one of them is the double nearest to that decimal, so it prints short."""
