"""From replicates to verdicts, on made-up replicates: what follows from what."""

import itertools
from typing import Any

import numpy as np
import pytest

from boxscore.compare.judging import Contest, Judge
from boxscore.compare.replicates import Replicates
from boxscore.compare.results import PairResult
from boxscore.pipeline.resampling import Resampling
from boxscore.stats.plans import bootstrap, swaps


def made_up(effects: Any) -> Replicates:
    """Replicates of a mean difference over units with these effects [units], of model 0 over model 1."""
    units = len(effects)
    plan = bootstrap(np.arange(units), units)
    swap_plan = swaps(np.arange(units), units)
    weights: Any = plan.weights
    if weights is None:
        weights = np.random.default_rng(0).multinomial(units, [1 / units] * units, size=plan.replicates)
    signs: Any = swap_plan.weights
    if signs is None:
        signs = np.random.default_rng(1).integers(2, size=(swap_plan.replicates, units))
    values = np.zeros((plan.replicates, 2, 1))
    values[:, 0, 0] = weights @ effects / units
    swapped = ((1 - 2.0 * signs) @ effects / units)[:, None, None]
    return Replicates(plan, swap_plan, [(0, 1)], values=values, swapped=swapped, left_out=None)


def judged(effects: list[float], basis: int | None = None, **asked: Any) -> PairResult:
    """The one pair."""
    array = np.array(effects)
    judge = Judge(["a", "b"], made_up(array), Resampling(**asked), "group")
    points = (float(array.mean()), None), (0.0, None)
    (pair,) = judge.family([Contest((0, 1), 0, points, len(effects) if basis is None else basis)])
    return pair


def test_the_published_rule_separates_what_the_verdict_does_not() -> None:
    """An interval off zero with 3 clips is what a published table would call separated."""
    pair = judged([0.02, 0.05, 0.03], interval="midpoint")
    assert pair.excludes_zero is True
    assert pair.p == 0.25
    assert (pair.separated, pair.verdict) == (None, "undecidable")
    assert pair.reason == "with 3 groups no p can be below 0.25, and the verdict needs 0.05"


def test_they_differ_where_there_are_groups_enough_to_decide() -> None:
    pair = judged([0.10, 0.10, 0.10, 0.10, 0.10, -0.005, -0.09], interval="percentile")
    assert pair.excludes_zero is True
    assert pair.p_adjusted is not None
    assert pair.p_adjusted > 0.05
    assert (pair.separated, pair.verdict) == (False, "tie")


@pytest.mark.parametrize(("groups", "verdict"), [(1, "undecidable"), (5, "undecidable"), (6, "separated")])
def test_six_groups_are_the_least_that_decide(groups: int, verdict: str) -> None:
    pair = judged([0.1 + 0.01 * i for i in range(groups)])
    assert pair.verdict == verdict
    assert pair.p == 2.0 ** (1 - groups)


def test_a_laxer_confidence_decides_with_five() -> None:
    pair = judged([0.1, 0.11, 0.12, 0.13, 0.14], confidence=0.9)
    assert pair.separated is True


def test_p_is_the_share_of_patterns_that_are_as_large() -> None:
    effects = [0.3, -0.1, 0.2, 0.05, 0.15, -0.02, 0.1]
    pair = judged(effects)
    observed = abs(sum(effects))
    sums = [
        abs(sum(s * e for s, e in zip(signs, effects, strict=True))) for signs in itertools.product((1, -1), repeat=7)
    ]
    assert pair.p == sum(value >= observed - 1e-12 for value in sums) / 2**7


def test_units_without_objects_do_not_make_a_verdict() -> None:
    pair = judged([0.1 + 0.01 * i for i in range(8)], basis=2)
    assert (pair.separated, pair.verdict) == (None, "undecidable")
    assert pair.reason == "with objects in 2 groups no p can be below 0.5, and the verdict needs 0.05"


def test_equal_models_tie() -> None:
    pair = judged([0.0] * 8)
    assert (pair.difference, pair.p, pair.p_adjusted, pair.verdict) == (0.0, 1.0, 1.0, "tie")
    assert (pair.excludes_zero, pair.units_to_separate) == (False, None)


def test_what_it_would_take() -> None:
    rng = np.random.default_rng(5)
    effects = (rng.normal(size=40) * 0.1).tolist()
    pair = judged(effects)
    assert pair.std_error is not None
    assert pair.difference is not None
    least = (1.959964 + 0.841621) * pair.std_error
    assert pair.detectable == pytest.approx(least, rel=1e-5)
    assert pair.units_to_separate == int(np.ceil(40 * (least / pair.difference) ** 2))


def test_a_figure_that_is_not_there_is_no_contest() -> None:
    judge = Judge(["a", "b"], made_up(np.ones(8)), Resampling(), "image")
    there, missing = ((0.5, None), (None, "no detections"))
    (pair,) = judge.family([Contest((0, 1), 0, (there, missing), 8)])
    assert (pair.difference, pair.p, pair.separated) == (None, None, None)
    assert pair.reason == "there is no figure of b: no detections"
