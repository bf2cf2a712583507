"""Steps, random moments and middles of scenes agree in the limit: all of them estimate shares of time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.presence.moments import Sampling
from boxscore.presence.scoring import Asked, score
from tests.presence.strategies import LENGTH, NAMES, casts
from tests.presence.written import timeline

Cast = dict[str, list[tuple[float, float]]]


def seconds(true: Cast, predicted: Cast) -> tuple[float, float, float]:
    """Seconds of right, wrong and missed presence; ends lie at half-seconds."""
    cells = [place / 2 + 0.25 for place in range(int(LENGTH * 2))]
    found = [0.0, 0.0, 0.0]
    for name in NAMES:
        for time in cells:
            there, said = (any(a <= time < b for a, b in cast.get(name, ())) for cast in (true, predicted))
            for place, counts in enumerate((there and said, said and not there, there and not said)):
                found[place] += 0.5 * counts
    return found[0], found[1], found[2]


def shares(true: Cast, predicted: Cast, sampling: Sampling) -> tuple[float, ...]:
    """TP, FP, FN a moment, times the film's length: estimates of seconds."""
    truth = timeline(true, duration=LENGTH)
    row = score(truth, timeline(predicted, source="prediction"), Asked(sampling, masked=False)).content["masked"]
    moments = score(truth, timeline(predicted, source="prediction"), Asked(sampling)).content["moments"]["count"]
    return tuple(row[name] / moments * LENGTH for name in ("TP", "FP", "FN"))


@settings(deadline=None, max_examples=40)
@given(casts(), casts(), st.sampled_from([0.5, 0.25, 0.1, 0.05]))
def test_steps_that_divide_all_windows_are_exact(true: Cast, predicted: Cast, step: float) -> None:
    assert shares(true, predicted, Sampling(step=step)) == pytest.approx(seconds(true, predicted))


@settings(deadline=None, max_examples=40)
@given(casts(), casts(), st.floats(0.011, 0.05))
def test_other_steps_are_off_by_a_step_at_each_end(true: Cast, predicted: Cast, step: float) -> None:
    ends = 2 * sum(len(own) for cast in (true, predicted) for own in cast.values()) + 2
    found = shares(true, predicted, Sampling(step=step))
    assert found == pytest.approx(seconds(true, predicted), abs=step * (ends + len(NAMES)))


@settings(deadline=None, max_examples=40)
@given(casts(), casts(), st.integers(0, 1000))
def test_random_moments_come_to_the_same(true: Cast, predicted: Cast, seed: int) -> None:
    """With n moments an actor's share has a standard deviation of at most 1 / (2 √n)."""
    count = 4000
    tolerance = 5 * len(NAMES) * LENGTH / (2 * count**0.5)
    assert shares(true, predicted, Sampling(random=count, seed=seed)) == pytest.approx(
        seconds(true, predicted), abs=tolerance
    )


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_middles_of_scenes_are_exact_where_people_stay_for_whole_scenes_of_one_length(data: st.DataObject) -> None:
    scenes = [(place * 2.0, place * 2.0 + 2.0) for place in range(6)]
    who = st.dictionaries(
        st.sampled_from(NAMES), st.lists(st.sampled_from(scenes), unique=True).map(sorted), min_size=1
    )
    true, predicted = data.draw(who), data.draw(who)
    truth = timeline(true, scenes=scenes, duration=LENGTH)
    found = timeline(predicted, source="prediction")
    rows = [
        score(truth, found, Asked(how, masked=False)).content["masked"]
        for how in (Sampling(scene_anchored=True), Sampling(step=0.5), Sampling(step=2.0))
    ]
    for name in ("precision", "recall", "F1"):
        assert rows[0][name]["value"] == pytest.approx(rows[1][name]["value"])
        assert rows[0][name] == rows[2][name]
