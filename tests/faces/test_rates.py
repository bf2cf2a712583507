"""Shares of probes and their losses, with intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.faces.effective import effective_trials
from boxscore.faces.rates import EFFECTIVE, LOST_LESS_WON, NO_PROBES, RESAMPLED, WILSON, Clusters, Rate
from boxscore.faces.smallest import NO, UNKNOWN, YES, Smallest, compare, smallest
from boxscore.stats.distributions import student_quantile
from boxscore.stats.intervals import wilson

EVERY = np.ones(20, bool)


def of_actors(number: int, probes: int = 1, replicates: int = 10, seed: int = 0) -> Clusters:
    return Clusters(np.repeat(np.arange(number), probes), replicates, seed, 0.95)


def with_failures(*failures: int, actors: int = 25, probes: int = 3) -> Rate:
    """TPI where so many probes of the first actor fail, so many of the second, and so on."""
    hits = np.ones((actors, probes), bool)
    for actor, number in enumerate(failures):
        hits[actor, :number] = False
    return of_actors(actors, probes).rate(hits.ravel(), np.ones(actors * probes, bool))


def test_one_probe_an_actor_has_wilsons_interval() -> None:
    hits = np.arange(20) < 15
    found = of_actors(20).rate(hits, EVERY)
    assert (found.value, found.count, found.trials, found.effective, found.interval) == (0.75, 15, 20, 20, WILSON)
    assert (found.low, found.high) == wilson(15, 20)


def test_several_probes_an_actor_are_fewer_observations() -> None:
    """All five of an actor share their outcome: twenty probes are four observations."""
    hits = np.repeat([True, True, True, False], 5)
    clustered = of_actors(4, 5).rate(hits, EVERY)
    assert (clustered.value, clustered.interval) == (0.75, EFFECTIVE)
    assert clustered.effective == pytest.approx(4, abs=0.5)
    assert (clustered.low, clustered.high) == pytest.approx(wilson(3, 4), abs=0.05)


def test_no_spread_is_no_certainty() -> None:
    found = of_actors(4, 5).rate(EVERY, EVERY)
    assert (found.low, found.high, found.effective) == (*wilson(4, 4), 4)


def test_effective_trials_by_hand() -> None:
    """25 actors of 3 probes, one of whom fails once, another three times.

    Disagreement inside actors: 1 * 2 / 3. Of all pairs of probes 4 * 71 disagree, 2 of them inside an actor, so that
    of the (75 * 75 - 25 * 9) / 2 = 2700 pairs across actors it is 282, and of independent probes 50 / 2 * 282 / 2700
    would be expected.
    """
    likeness = 1 - (2 / 3) / (25 * 282 / 2700 + 1)
    fewer = (student_quantile(0.95, 74) / student_quantile(0.95, 24)) ** 2
    assert with_failures(1, 3).effective == pytest.approx(75 / (1 + 2 * likeness) * fewer)


def test_few_failures_make_no_narrower_interval_than_none() -> None:
    """One failure in 75 shows nothing of how alike an actor's probes are, as none does."""
    none, one, two = with_failures(), with_failures(1), with_failures(1, 1)
    assert (none.low, none.high) == wilson(25, 25)
    assert one.low == pytest.approx(none.low, abs=0.005)
    assert one.high is not None
    assert one.high < 1
    assert two.low is not None
    assert none.low is not None
    assert two.low < none.low
    # Wilson's of 75 independent probes would be surer by far, and resampled actors would give 0.96 to 1.
    assert none.low < wilson(74, 75)[0] - 0.05
    # The same number of failures says less where it is of one actor.
    assert (with_failures(3).low or 0) < (with_failures(1, 1, 1).low or 0)


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), min_size=1, max_size=30))
def test_effective_trials_lie_between_actors_and_probes(drawn: list[tuple[int, int]]) -> None:
    trials = np.array([own for own, _ in drawn])
    hits = np.array([min(own, positive) for own, positive in drawn])
    found = effective_trials(hits, trials, 0.95)
    fewest = trials.sum() ** 2 / (trials**2).sum()
    assert found >= 1
    assert fewest * (1 - 1e-12) <= found <= trials.sum() * (1 + 1e-12)
    assert effective_trials(trials - hits, trials, 0.95) == pytest.approx(found)
    assert not math.isnan(found)


def test_intervals_hold_the_share_of_rare_failures() -> None:
    """Of 25 actors by 10, failures of 2 % that are alike within actors; resampled actors hold it far less often."""
    draw = np.random.default_rng(5)
    clusters, every = of_actors(25, 10), np.ones(250, bool)
    held, resampled = [], []
    for _ in range(400):
        own = draw.beta(0.02 * (1 / 0.3 - 1), 0.98 * (1 / 0.3 - 1), 25)
        right = draw.random((25, 10)) >= own[:, None]
        found = clusters.rate(right.ravel(), every)
        assert found.low is not None
        assert found.high is not None
        held.append(found.low <= 0.98 <= found.high)
        by_actor = right.mean(axis=1)
        half = student_quantile(0.95, 24) * by_actor.std(ddof=1) / 5
        resampled.append(by_actor.min() == 1 or by_actor.mean() - half <= 0.98 <= by_actor.mean() + half)
    assert np.mean(held) > 0.93
    assert np.mean(resampled) < 0.88


def test_no_probes_have_no_share_but_a_reason() -> None:
    assert of_actors(20).rate(EVERY, ~EVERY) == Rate(None, reason=NO_PROBES)
    assert of_actors(20).loss(EVERY, EVERY, ~EVERY) == Rate(None, reason=NO_PROBES)


def test_probes_of_actors_who_take_no_part_count_for_nothing() -> None:
    among = np.arange(20) >= 10
    part = of_actors(4, 5).rate(np.arange(20) % 5 > 0, among)
    alone = of_actors(2, 5).rate(np.arange(10) % 5 > 0, np.ones(10, bool))
    assert part == alone


def test_a_loss_is_paired() -> None:
    """Of 16 right ones 4 are lost and 2 of the wrong ones are won: 2 of 20 fewer."""
    before = np.arange(20) < 16
    after = (before & (np.arange(20) >= 4)) | (np.arange(20) >= 18)
    found = of_actors(20).loss(before, after, EVERY)
    assert (found.count, found.interval) == (2, LOST_LESS_WON)
    assert found.value == pytest.approx(0.1)
    lost, won = wilson(4, 20), wilson(2, 20)
    together = -math.sqrt(0.2 * 0.1 / (0.8 * 0.9))
    up, down = lost[1] - 0.2, 0.1 - won[0]
    assert found.high == pytest.approx(0.1 + math.sqrt(up**2 + down**2 - 2 * together * up * down))
    assert (found.low or 0) < 0
    back = of_actors(20).loss(after, before, EVERY)
    assert (back.low, back.high) == pytest.approx((-(found.high or 0), -(found.low or 0)))


def test_no_loss_is_no_certainty() -> None:
    before = np.arange(20) < 16
    same = of_actors(20).loss(before, before, EVERY)
    assert (same.value, same.low, same.high) == (0, -wilson(0, 20)[1], wilson(0, 20)[1])
    # Of one that is lost, as little is known.
    one = of_actors(20).loss(before, before & (np.arange(20) > 0), EVERY)
    assert (one.high or 0) > (same.high or 1)


def test_a_loss_of_everything_is_no_more_than_everything() -> None:
    nothing = np.zeros(20, bool)
    found = of_actors(20).loss(EVERY, nothing, EVERY)
    assert (found.value, found.high) == (1, 1)
    almost = nothing | (np.arange(20) == 3)
    found = of_actors(20).loss(EVERY, almost, EVERY)
    assert (found.high or 1) < 1
    assert 0.65 < (found.low or 0) < 0.95


def test_the_same_seed_draws_the_same() -> None:
    first, again, other = (of_actors(20, replicates=50, seed=seed).weights for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    assert (first.sum(axis=1) == 20).all()


def lost(value: float, reach: float = 0.02) -> Rate:
    return Rate(value, value - reach, value + reach, trials=20)


def test_the_smallest_size_is_reached_from_above() -> None:
    """At 24 px the loss is small by luck; 32 px already fails, so that it is 48."""
    losses = {96: lost(0.0), 48: lost(0.05), 32: lost(0.2), 24: lost(0.01)}
    assert smallest(losses, 0.05) == Smallest(48, 96)


def test_no_size_is_small_enough() -> None:
    found = smallest({48: lost(0.3), 24: lost(0.4)}, 0.05)
    assert found.size is None
    assert found.sure is None
    assert "at 48 px" in str(found.reason)
    nothing = smallest({}, 0.05)
    assert "at no size" in str(nothing.reason)


def comparison(**losses: dict[int, Rate]) -> tuple[str, int | None, str]:
    found = compare({name: (smallest(own, 0.05), own) for name, own in losses.items()}, 0.05)
    assert found is not None
    return found.verdict, found.size, found.sentence


FINE = {48: lost(0.0), 24: lost(0.01), 16: lost(0.3)}


def test_one_constant_will_do_where_both_end_alike() -> None:
    verdict, size, sentence = comparison(a=FINE, b=FINE)
    assert (verdict, size) == (YES, 24)
    assert sentence == "One constant will do, 24 px: it is the smallest of each (a 24 px, b 24 px)."


def test_one_constant_will_not_do_where_one_surely_loses() -> None:
    verdict, size, sentence = comparison(a=FINE, b={48: lost(0.0), 24: lost(0.2), 16: lost(0.5)})
    assert (verdict, size) == (NO, 48)
    assert "at 24 px b surely loses more than 0.05. 48 px serves all" in sentence


def test_it_cannot_be_told_where_the_difference_may_be_chance() -> None:
    verdict, size, _ = comparison(a=FINE, b={48: lost(0.0), 24: lost(0.06, 0.1), 16: lost(0.5)})
    assert (verdict, size) == (UNKNOWN, 48)


def test_no_constant_does_where_one_has_none() -> None:
    verdict, size, sentence = comparison(a=FINE, b={48: lost(0.3)})
    assert (verdict, size) == (NO, None)
    assert "b has none" in sentence


def test_one_embedder_is_compared_with_nothing() -> None:
    assert compare({"a": (Smallest(24, 24), FINE)}, 0.05) is None


OUTCOMES = st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.booleans(), st.booleans()), min_size=6, max_size=25)


@given(OUTCOMES, st.integers(0, 99))
def test_resampled_actors_are_their_probes_written_out(rows: list[tuple[int, bool, bool, bool]], seed: int) -> None:
    """Each replicate, with the probes of every actor as often as the actor was drawn, and the mean of these."""
    actors, before, after, among = (np.array(column) for column in zip(*rows, strict=True))
    clusters = Clusters(actors, 30, seed, 0.9, method="resampled")
    replicates = []
    for weights in clusters.weights:
        written = [row for row in rows for _ in range(weights[row[0]]) if row[3]]
        if written:
            replicates.append(np.mean([(one - other, one) for _, one, other, _ in np.array(written, int)], axis=0))
    found, loss = clusters.rate(before, among), clusters.loss(before, after, among)
    if not among.any():
        assert found.reason == loss.reason == NO_PROBES
        return
    bounds = np.quantile(np.array(replicates), [0.05, 0.95], axis=0)
    assert found.interval == loss.interval == RESAMPLED
    assert (loss.low, loss.high) == pytest.approx(tuple(bounds[:, 0]))
    assert (found.low, found.high) == pytest.approx(tuple(bounds[:, 1]))
    plain = Clusters(actors, 30, seed, 0.9)
    assert (plain.rate(before, among).value, plain.loss(before, after, among).value) == (found.value, loss.value)


def test_actors_whom_no_replicate_draws_have_a_share_without_bounds() -> None:
    clusters = Clusters(np.repeat(np.arange(4), 5), 1, 1, 0.95, method="resampled")
    absent = int(np.flatnonzero(clusters.weights[0] == 0)[0])
    among = clusters.actors == absent
    found, loss = clusters.rate(EVERY, among), clusters.loss(EVERY, ~EVERY, among)
    assert (found.value, found.low, found.high) == (1, None, None)
    assert (loss.value, loss.low, loss.high) == (1, None, None)


def test_one_probe_an_actor_is_not_resampled() -> None:
    hits = np.arange(20) < 15
    asked = Clusters(np.arange(20), 10, 0, 0.95, method="resampled")
    assert asked.rate(hits, EVERY) == of_actors(20).rate(hits, EVERY)
    assert asked.loss(EVERY, hits, EVERY) == of_actors(20).loss(EVERY, hits, EVERY)
