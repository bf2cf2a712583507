"""Counts against set arithmetic, the kernel's own figures and intervals, and laws of masks, parts and order."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.pipeline.resampling import Resampling
from boxscore.presence.moments import Sampling
from boxscore.presence.person import Person
from boxscore.presence.scoring import Asked, Scored, score
from tests.presence.strategies import LENGTH, NAMES, casts
from tests.presence.written import timeline

Cast = dict[str, list[tuple[float, float]]]
SCENES = [(0.0, 4.0), (4.0, 7.0), (7.0, LENGTH)]


def scored(true: Cast, predicted: Cast, asked: Asked | None = None, **more: Any) -> Scored:
    truth = timeline(true, scenes=SCENES, duration=LENGTH, **more)
    return score(truth, timeline(predicted, source="prediction"), asked or Asked(Sampling(step=0.5)))


def sets(cast: Cast, names: frozenset[str]) -> set[tuple[float, str]]:
    """Pairs of moment and name, the slow way."""
    times = np.arange(0, LENGTH, 0.5)
    return {(t, name) for name, own in cast.items() if name in names for t in times if any(a <= t < b for a, b in own)}


def counts(row: dict[str, Any]) -> tuple[int, int, int]:
    return row["TP"], row["FP"], row["FN"]


def wanted(true: Cast, predicted: Cast, names: frozenset[str]) -> tuple[int, int, int]:
    there, said = sets(true, names), sets(predicted, names)
    return len(there & said), len(said - there), len(there - said)


@settings(deadline=None)
@given(casts(), casts())
def test_counts_are_those_of_sets(true: Cast, predicted: Cast) -> None:
    content = scored(true, predicted).content
    assert counts(content["unmasked"]) == wanted(true, predicted, frozenset(NAMES))
    detected = frozenset(name for name, own in predicted.items() if own)
    assert counts(content["masked"]) == wanted(true, predicted, detected & frozenset(true))
    for row in content["by_actor"]:
        assert counts(row) == wanted(true, predicted, frozenset({row["name"]}))


@settings(deadline=None)
@given(casts(), casts())
def test_parts_add_up(true: Cast, predicted: Cast) -> None:
    content = scored(true, predicted).content
    masked = counts(content["masked"])
    assert tuple(map(sum, zip((0, 0, 0), *map(counts, content["by_scene"]), strict=True))) == masked
    assert tuple(map(sum, zip((0, 0, 0), *map(counts, content["by_role"]), strict=True))) == masked
    own = [row for row in content["by_actor"] if row["in_mask"]]
    assert tuple(map(sum, zip((0, 0, 0), *map(counts, own), strict=True))) == masked
    outside = content["outside_mask"]
    whole = counts(content["unmasked"])
    assert outside["predicted"] == whole[0] + whole[1] - masked[0] - masked[1]
    assert outside["true"] == whole[0] + whole[2] - masked[0] - masked[2]


@settings(deadline=None)
@given(casts(), casts())
def test_the_run_has_the_unmasked_figures(true: Cast, predicted: Cast) -> None:
    """The mask is no part of the matches: a run's own figures are over all actors."""
    found = scored(true, predicted)
    unmasked = found.content["unmasked"]
    assert tuple(found.run.value(name) for name in ("TP", "FP", "FN")) == counts(unmasked)
    for name in ("precision", "recall", "F1"):
        assert found.run.explain(name) == (unmasked[name]["value"], unmasked[name]["reason"])
    turned_off = scored(true, predicted, Asked(Sampling(step=0.5), masked=False))
    assert turned_off.run.matches.kernel.state() == found.run.matches.kernel.state()


def test_intervals_are_those_of_the_pipeline() -> None:
    """Sums by unit give what the kernel's resampling gives, over all and by actor."""
    true = {"Ann": [(0.0, 5.0), (6.0, 11.0)], "Bob": [(2.0, 8.0)]}
    predicted = {"Ann": [(1.0, 5.5), (7.0, 9.0)], "Bob": [(0.5, 4.0), (7.5, 8.5)]}
    how = Resampling(replicates=300, seed=7)
    found = scored(true, predicted, Asked(Sampling(step=0.1, block=0.5), resampling=how))
    rows = {(row["measure"], row["label"]): row for row in found.run.with_intervals(how).metrics if not row["slice"]}
    compared = [(found.content["unmasked"], None)]
    compared += [(row, row["label"]) for row in found.content["by_actor"]]
    for one, label in compared:
        for name in ("precision", "recall", "F1"):
            for field in ("value", "low", "high", "std_error"):
                assert one[name][field] == pytest.approx(rows[name, label][field], rel=1e-12), (name, label, field)
    assert found.content["intervals"]["units"] == 24


def test_moments_one_by_one_give_narrower_intervals_than_blocks() -> None:
    """Errors that last: neighbours are one observation."""
    true = {"Ann": [(0.0, 12.0)]}
    predicted = {"Ann": [(0.0, 2.0), (4.0, 5.0), (6.0, 10.0)]}
    widths = []
    for unit in (None, "image"):
        asked = Asked(Sampling(step=0.05, block=1.0), resampling=Resampling(unit=unit, seed=1))
        recall = scored(true, predicted, asked).content["masked"]["recall"]
        widths.append(recall["high"] - recall["low"])
    assert widths[1] < widths[0] / 3


def test_intervals_of_single_moments_are_those_of_the_pipeline_however_many_actors() -> None:
    true = {f"Actor {number:02}": [(number / 10, 4.0 + number / 10)] for number in range(30)}
    predicted = {name: [(start + 1.0, end)] for name, [(start, end)] in true.items()}
    how = Resampling(replicates=100, seed=2, unit="image")
    found = scored(true, predicted, Asked(Sampling(step=0.25), resampling=how))
    rows = {(row["measure"], row["label"]): row for row in found.run.with_intervals(how).metrics if not row["slice"]}
    for one in found.content["by_actor"]:
        assert one["recall"]["low"] == pytest.approx(rows["recall", one["label"]]["low"], rel=1e-12)
    assert found.content["intervals"]["unit"] == "moment"


def test_one_scene_gives_no_interval_but_a_reason() -> None:
    asked = Asked(Sampling(step=0.5, block=100.0), resampling=Resampling())
    content = scored({"Ann": [(0, 5)]}, {"Ann": [(0, 4)]}, asked).content
    assert content["masked"]["F1"]["low"] is None
    assert content["masked"]["F1"]["interval_reason"].startswith("one unit")
    assert content["warnings"] == [
        "There is one block only: no interval can be given, and no two models can be told apart."
    ]


def test_the_order_of_people_changes_no_figure() -> None:
    true = {"Ann": [(0.0, 5.0)], "Bob": [(2.0, 8.0)], "Cid": [(1.0, 3.0)]}
    predicted = {"Bob": [(2.5, 8.0)], "Dot": [(0.0, 1.0)], "Ann": [(0.0, 4.0)]}
    one = scored(true, predicted).content
    other = scored(dict(reversed(true.items())), dict(reversed(predicted.items()))).content
    for name in ("masked", "unmasked", "by_scene"):
        assert one[name] == other[name]
    assert sorted(map(str, one["by_actor"])) == sorted(map(str, other["by_actor"]))


@given(casts())
@settings(deadline=None, max_examples=30)
def test_a_prediction_that_is_the_truth_is_right_everywhere(true: Cast) -> None:
    content = scored(true, true).content
    assert counts(content["unmasked"])[1:] == (0, 0)
    assert content["outside_mask"]["true"] == content["outside_mask"]["predicted"] == 0
    assert {one["state"] for one in content["picture"]["stretches"]} <= {"found", "right"}


def test_roles_by_true_presence() -> None:
    """A fifth of the moments and more is a lead, a twentieth and more a supporting role."""
    true = {"Lead": [(0.0, 20.0)], "Half": [(0.0, 19.0), (60.0, 60.5)], "Some": [(5.0, 10.0)], "Few": [(7.0, 11.5)]}
    truth = timeline(true, duration=100.0)
    content = score(
        truth, timeline({**true, "Eve": [(1.0, 2.0)]}, source="prediction"), Asked(Sampling(step=0.5))
    ).content
    roles = {row["name"]: row["role"] for row in content["by_actor"]}
    assert roles == {
        "Lead": "lead",
        "Half": "supporting",
        "Some": "supporting",
        "Few": "minor",
        "Eve": "not in the ground truth",
    }


@pytest.mark.parametrize("value", ["nan", "-1", "inf"])
def test_refuses_gaps_of_no_length(value: str) -> None:
    with pytest.raises(InputError, match="give seconds from 0 on"):
        scored({"Ann": [(0, 1)]}, {"Ann": [(0, 1)]}, Asked(anneal=(float(value),)))


@given(casts(), casts(), st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0, 20.0]), min_size=2, max_size=4))
@settings(deadline=None, max_examples=40)
def test_closing_gaps_finds_more_and_never_less(true: Cast, predicted: Cast, values: list[float]) -> None:
    asked = Asked(Sampling(step=0.5), anneal=(0.0, *sorted(values)))
    content = scored(true, predicted, asked).content
    found = [row["TP"] for row in content["anneal"]]
    wrong = [row["FP"] for row in content["anneal"]]
    assert found == sorted(found)
    assert wrong == sorted(wrong)
    assert counts(content["anneal"][0]) == counts(content["masked"])
    assert len({row["TP"] + row["FN"] for row in content["anneal"]}) == 1, "the ground truth is never smoothed"


def test_inputs_stay_as_they_are() -> None:
    truth = timeline({"Ann": [(0, 5), (4, 8)]}, scenes=SCENES, duration=LENGTH)
    predicted = timeline({"Ann": [(0, 2), (3, 4)]}, source="prediction")
    before = [array.copy() for one in (truth, predicted) for array in (one.windows.start, one.windows.end)]
    score(truth, predicted, Asked(anneal=(5.0,)))
    after = [array for one in (truth, predicted) for array in (one.windows.start, one.windows.end)]
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


def test_the_same_seed_gives_the_same_content() -> None:
    asked = Asked(Sampling(random=50, seed=3), resampling=Resampling(seed=3))
    both = [scored({"Ann": [(0, 7)]}, {"Ann": [(1, 9)]}, asked).content for _ in range(2)]
    assert both[0] == both[1]


def test_refuses_nobody_on_either_side() -> None:
    with pytest.raises(InputError, match="neither names anybody"):
        scored({}, {})


def test_people_without_windows_are_listed_and_not_detected() -> None:
    """A pipeline may list all whom it knows: one whom it never found is not *predicted*."""
    content = scored({"Ann": [(0, 4)]}, {"Ann": []}).content
    assert content["mask"]["actors"] == 0
    assert content["unmasked"]["FN"] == 8
    assert content["masked"]["F1"]["value"] is None
    assert content["masked"]["F1"]["reason"] == "no ground truth"


def test_labels_that_would_be_the_same_are_numbered() -> None:
    """Two of the prediction's people share a true actor's key: one is the actor, the other has a label of its own."""
    truth = timeline({"Ann": [(0, 8)]}, scenes=SCENES, duration=LENGTH)
    made = timeline({"Ann": [(0, 8)], "Bob": [(1, 2)]}, source="prediction")
    keys = made.people[0].keys
    predicted = replace(made, people=(Person(keys, "Ann"), Person(keys, "Ann again")))
    found = score(truth, predicted, Asked(Sampling(step=1.0)))
    assert [actor.label for actor in found.actors] == ["name:ann", "name:ann (2)"]
    assert len(found.content["people"]["conflicts"]) == 1
    assert counts(found.content["unmasked"]) == (8, 1, 0)


def test_what_is_predicted_behind_the_end_is_told() -> None:
    found = scored({"Ann": [(0, 4)]}, {"Ann": [(0, 4), (11, 14)], "Bob": [(13, 13.5)]})
    assert "2.5 s of predicted presence lie behind 12 s" in found.content["notes"][-1]
    assert "state the film's duration" in found.content["notes"][-1]


def test_a_duration_that_is_stated_is_not_asked_for() -> None:
    found = scored({"Ann": [(0, 4)]}, {"Ann": [(0, 4), (9, 14)]}, Asked(Sampling(step=0.5, duration=10.0)))
    assert found.content["notes"] == [
        "prediction.made: 4 s of predicted presence lie behind --duration 10 s, and count nowhere"
    ]


@pytest.mark.parametrize("seconds", [-2.0, float("nan"), float("inf")])
def test_gaps_that_are_no_length_of_time_are_refused_at_once(seconds: float) -> None:
    with pytest.raises(InputError, match=r"--anneal has .*; give seconds from 0 on"):
        Asked(anneal=(1.0, seconds))
