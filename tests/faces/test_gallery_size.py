"""FPI by gallery size: counting against every gallery there is, the model against what it could not see."""

from itertools import combinations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from boxscore.faces.extrapolated import COUNTED, MODELLED, growth
from boxscore.faces.gallery_size import doubled, falsely_identified
from boxscore.faces.rates import Clusters
from boxscore.faces.scores import Likeness
from boxscore.faces.tail import TOO_FEW, Strangers


@given(st.integers(1, 7).flatmap(lambda m: st.tuples(st.just(m), st.integers(0, m), st.integers(1, m + 1))))
def test_counting_is_the_mean_over_every_gallery(case: tuple[int, int, int]) -> None:
    others, beaten, size = case
    galleries = list(combinations(range(others), size - 1))
    expected = sum(any(one < beaten for one in gallery) for gallery in galleries) / len(galleries)
    found = falsely_identified(np.array([beaten]), others, size)[0]
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("whole", "sizes"), [(2, [2]), (10, [10]), (11, [10, 11]), (40, [10, 20, 40]), (100, [10, 20, 40, 80, 100])]
)
def test_galleries_are_doubled_up_to_the_whole(whole: int, sizes: list[int]) -> None:
    assert doubled(whole) == sizes


def likeness(probes: int, others: int, own: float = 3.0, seed: int = 0) -> Likeness:
    """Strangers' likeness is normal; so are the actors' own, around a mean of so many deviations."""
    random = np.random.default_rng(seed)
    cosines = random.normal(0, 0.1, (probes, others + 1))
    cosines[:, 0] = random.normal(own / 10, 0.05, probes)
    return Likeness.of(cosines, np.zeros(probes, np.int64))


def clusters(probes: int) -> Clusters:
    return Clusters(np.arange(probes), 300, 0, 0.95)


EVERY = np.ones(200, bool)


def test_a_larger_gallery_has_more_false_positives() -> None:
    found = growth(likeness(200, 79), EVERY, 0.2, clusters(200), 0)
    assert [row.actors for row in found.sizes] == [10, 20, 40, 80, 100, 300, 1000, 3000, 10_000]
    assert [row.kind for row in found.sizes] == [COUNTED] * 4 + [MODELLED] * 5
    values = [row.value or 0.0 for row in found.sizes]
    assert values == sorted(values)
    assert 0 < values[0] < values[-1] <= 1
    for row in found.sizes:
        assert row.low is not None
        assert row.high is not None
        assert row.low <= (row.value or 0) <= row.high


@pytest.mark.parametrize("threshold", [-1.0, 0.25])
def test_the_model_gives_what_a_far_larger_gallery_counts(threshold: float) -> None:
    large = likeness(200, 2999, own=4.0)
    counted = float(large.false_positive(threshold).mean())
    small = Likeness(large.own, large.others[:, :101], large.best)
    found = growth(small, EVERY, threshold, clusters(200), 0)
    modelled = next(row for row in found.sizes if row.actors == 3000)
    assert modelled.value == pytest.approx(counted, abs=0.12)
    assert (modelled.low or 0) - 0.03 <= counted <= (modelled.high or 0) + 0.03
    # An answer from the share of the small gallery alone would be far off.
    assert (found.sizes[-6].value or 0) < counted / 2


def test_the_model_is_held_to_the_whole_gallery() -> None:
    found = growth(likeness(200, 79, own=2.5), EVERY, -1.0, clusters(200), 0)
    assert found.check is not None
    assert found.check.half == 39
    assert found.check.counted == next(row.value for row in found.sizes if row.actors == 80)
    assert found.check.least <= found.check.predicted <= found.check.most
    assert found.check.predicted == pytest.approx(found.check.counted, abs=0.1)


def test_without_any_false_positive_what_is_open_is_told() -> None:
    found = growth(likeness(200, 79, own=30.0), EVERY, -1.0, clusters(200), 0)
    ten, *_, whole = (row for row in found.sizes if row.kind == COUNTED)
    assert ten.value == whole.value == 0
    assert 0 < (ten.high or 0) <= (whole.high or 0) < 0.05


def test_one_false_positive_does_not_tell_more_than_none() -> None:
    """Of 40 actors by 3, one probe is beaten by one of 79: in a gallery of ten hardly ever, and as little is known."""
    own = np.full(120, 0.9)
    strangers = np.random.default_rng(4).normal(0, 0.1, (120, 79))
    cosines = np.concatenate([own[:, None], strangers], axis=1)
    by_actor = Clusters(np.repeat(np.arange(40), 3), 10, 0, 0.95)
    highs = []
    for beaten in (0, 1):
        cosines[:beaten, 5] = 0.95
        found = growth(Likeness.of(cosines, np.zeros(120, np.int64)), np.ones(120, bool), 0.2, by_actor, 0)
        ten, *_, whole = (row for row in found.sizes if row.kind == COUNTED)
        assert ten.value == pytest.approx(beaten / 120 * 9 / 79)
        assert (ten.high or 0) <= (whole.high or 0)
        assert ten.high is not None
        highs.append(ten.high)
    assert highs[1] == pytest.approx(highs[0], abs=0.02)
    assert highs[1] > 0.05


def test_where_no_replicate_draws_a_probe_there_are_no_bounds() -> None:
    drawn = Clusters(np.arange(200), 1, 0, 0.95)
    found = growth(likeness(200, 79, own=2.5), drawn.weights[0] == 0, -1.0, drawn, 0)
    modelled = [row for row in found.sizes if row.kind != COUNTED]
    assert modelled
    assert all(row.value is not None and row.low is row.high is None for row in modelled)


@pytest.mark.parametrize("others", [1, 3])
def test_too_few_others_are_told(others: int) -> None:
    found = growth(likeness(200, others), EVERY, 0.0, clusters(200), 0)
    assert found.tail is None
    assert found.check is None
    assert found.sizes[0].value is not None
    assert {row.reason for row in found.sizes[1:]} == {TOO_FEW}
    assert {row.value for row in found.sizes[1:]} == {None}


def test_strangers_who_are_all_alike_have_no_tail() -> None:
    assert Strangers(np.zeros((20, 20)), np.ones(20)).tail is None


def test_probes_that_count_twice_are_probes_that_are_there_twice() -> None:
    strangers, bars = np.random.default_rng(1).normal(0, 1, (30, 40)), np.linspace(1, 4, 30)
    times = np.random.default_rng(2).integers(0, 3, 30)
    weighted = Strangers(strangers, bars).falsely_identified([50, 500], times.astype(float))
    repeated = np.repeat(np.arange(30), times)
    assert weighted == pytest.approx(
        Strangers(strangers[repeated], bars[repeated]).falsely_identified([50, 500]), abs=0.02
    )


def test_the_tail_of_an_exponential_is_one() -> None:
    """Excesses of an exponential are exponential: shape 0 and the scale of the distribution."""
    strangers = np.random.default_rng(3).exponential(1.0, (200, 400))
    tail = Strangers(strangers, np.full(200, 9.0)).tail
    assert tail is not None
    assert tail.shape == pytest.approx(0, abs=0.08)
    assert tail.scale == pytest.approx(1, abs=0.1)
    assert tail.share == pytest.approx(0.1, abs=0.001)
    assert tail.beyond(np.array([0.0]))[0] == pytest.approx(0.1, abs=0.001)
