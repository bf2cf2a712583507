"""Intervals of proportions of independent trials against SciPy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from boxscore.errors import InputError
from boxscore.stats.intervals import clopper_pearson, wilson

TRIALS = st.integers(1, 300).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@given(TRIALS, st.sampled_from((0.5, 0.9, 0.95, 0.999)))
def test_agree_with_scipy(counted: tuple[int, int], confidence: float) -> None:
    successes, trials = counted
    test = binomtest(successes, trials)
    score, exact = (test.proportion_ci(confidence, method="wilson"), test.proportion_ci(confidence, method="exact"))
    for find, expected in ((wilson, score), (clopper_pearson, exact)):
        assert find(successes, trials, confidence) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(TRIALS)
def test_failures_mirror_successes(counted: tuple[int, int]) -> None:
    successes, trials = counted
    for find in (wilson, clopper_pearson):
        low, high = find(successes, trials)
        assert 0.0 <= low <= successes / trials <= high <= 1.0
        mirrored = find(trials - successes, trials)
        assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-12)


def test_ends_are_exact() -> None:
    for find in (wilson, clopper_pearson):
        assert find(0, 7)[0] == 0.0
        assert find(7, 7)[1] == 1.0


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 4)])
def test_what_is_no_proportion_is_refused(successes: int, trials: int) -> None:
    for find in (wilson, clopper_pearson):
        with pytest.raises(InputError, match="no proportion"):
            find(successes, trials)
