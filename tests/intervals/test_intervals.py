"""Intervals of a run's figures against slow Python that evaluates every resample anew, and against figures by hand."""

import math
from typing import Any

import pytest

import boxscore
from boxscore import Resampling
from boxscore.pipeline.intervals import interval_rows, plan_of
from boxscore.stats.intervals import DEFAULT
from tests.intervals import samples
from tests.oracle import evaluation
from tests.stats import oracle as statistics

INTERVAL = ("low", "high", "mean", "std_error", "bias")
SETTINGS = ("confidence", "interval", "unit", "replicates", "seed")


def run(clips: int = 3, **options: Any) -> boxscore.Run:
    return boxscore.evaluate(samples.ground_truth(clips), samples.results(clips), threads=1, **options)


def replicates_by_oracle(measure: str) -> tuple[list[float], list[float]]:
    """AP (or AR) of every multiset of the three clips, and its probability."""
    truth, results = samples.ground_truth(), samples.results()
    ids = [image["id"] for image in truth["images"]]
    values, chances = [], []
    for drawn, chance in statistics.multisets(3).items():
        weights = {id_: drawn[id_ // 10] for id_ in ids}
        found = evaluation.evaluate(
            ids, truth["annotations"], results, [1, 3], detection_weights=weights, object_weights=weights
        )
        value = evaluation.summary(found)[0 if measure == "AP" else 8]
        assert value is not None
        values.append(value)
        chances.append(float(chance))
    return values, chances


@pytest.mark.parametrize("measure", ["AP", "AR"])
def test_enumerated_clips_against_new_evaluations(measure: str) -> None:
    values, chances = replicates_by_oracle(measure)
    evaluated = run().with_intervals(Resampling(interval="midpoint"))
    row = evaluated.metrics.find(measure)
    mean = math.fsum(value * chance for value, chance in zip(values, chances, strict=True))
    variance = math.fsum((value - mean) ** 2 * chance for value, chance in zip(values, chances, strict=True))
    assert row["low"] == pytest.approx(statistics.weighted_quantile(values, chances, 0.025), abs=1e-12)
    assert row["high"] == pytest.approx(statistics.weighted_quantile(values, chances, 0.975), abs=1e-12)
    assert row["mean"] == pytest.approx(mean, abs=1e-12)
    assert row["std_error"] == pytest.approx(math.sqrt(variance), abs=1e-12)
    assert row["bias"] == pytest.approx(mean - row["value"], abs=1e-12)
    assert {name: row[name] for name in SETTINGS} == {
        "confidence": 0.95,
        "interval": "midpoint",
        "unit": "group",
        "replicates": 10,
        "seed": None,
    }
    assert row["value"] == run().value(measure)


def test_two_images_by_hand() -> None:
    """One object found, one missed: recall 1, 1/2 (twice as likely) and 0; mean 1/2, variance 1/8."""
    truth = {
        "images": [{"id": 1}, {"id": 2}],
        "annotations": [{"id": i, "image_id": i, "category_id": 1, "bbox": [0, 0, 50, 50]} for i in (1, 2)],
        "categories": [{"id": 1, "name": "thing"}],
    }
    found = [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 50, 50], "score": 0.9}]
    evaluated = boxscore.evaluate(truth, found, protocol="operating-point").with_intervals(
        Resampling(confidence=0.5, interval="percentile")
    )
    row = evaluated.metrics.find("recall")
    # Four ordered draws, 0, 1/2, 1/2, 1: a quarter of the three steps lies three quarters of the way from 0 to 1/2.
    assert (row["low"], row["high"]) == pytest.approx((3 / 8, 5 / 8))
    assert (row["mean"], row["std_error"], row["bias"]) == pytest.approx((0.5, math.sqrt(1 / 8), 0.0))
    # Where image 2 is drawn twice nothing is detected: precision is 1 wherever it exists.
    precision = evaluated.metrics.find("precision")
    assert (precision["low"], precision["high"], precision["std_error"]) == (1.0, 1.0, 0.0)


def test_which_rows_get_an_interval() -> None:
    evaluated = run(protocol="operating-point").with_intervals(Resampling(unit="image", replicates=20))
    given = {(row["measure"], row["label"]) for row in evaluated.metrics if row["low"] is not None}
    shares = {"precision", "recall", "F1"}
    macro = {f"{name}[average=macro]" for name in shares}
    assert given == {(name, label) for name in shares for label in (None, "cat", "dog")} | {
        (name, None) for name in {*macro, "FPPI"}
    }
    for row in evaluated.metrics:
        assert (row["low"] is None) == (row["interval"] is None)
    assert all(row["interval"] is None for row in run().metrics)


def test_other_figures_stay_as_they_were() -> None:
    plain, evaluated = run(), run().with_intervals(Resampling(replicates=10))
    kept = [{name: value for name, value in row.items() if name not in (*INTERVAL, *SETTINGS)} for row in plain.metrics]
    assert kept == [{name: row[name] for name in kept[0]} for row in evaluated.metrics]
    assert evaluated.summary == plain.summary
    assert evaluated.notes[: len(plain.notes)] == plain.notes


def test_the_seed_decides_and_threads_do_not() -> None:
    asked = [Resampling(unit="image", replicates=50, seed=seed) for seed in (1, 1, 2)]
    one, same, other = (run().with_intervals(resampling) for resampling in asked)
    assert one.metrics.rows == same.metrics.rows
    assert [row["low"] for row in one.metrics] != [row["low"] for row in other.metrics]
    threads = boxscore.evaluate(samples.ground_truth(), samples.results(), threads=3)
    assert threads.with_intervals(asked[0]).metrics.rows == one.metrics.rows
    assert {row["seed"] for row in other.metrics} == {2, None}


def test_one_group_gives_none_with_a_reason() -> None:
    evaluated = run(clips=1).with_intervals()
    row = evaluated.metrics.find("AP")
    assert [row[name] for name in INTERVAL] == [None] * 5
    assert "one unit" in row["interval_reason"]
    assert (row["interval"], row["reason"], row["value"]) == (DEFAULT, None, run(clips=1).value("AP"))
    codes = [note.code for note in evaluated.notes]
    assert codes[-3:] == ["grouped", "few-units", "no-interval"]


def test_few_groups_are_told_of_and_many_are_not() -> None:
    few = [note for note in run().with_intervals().notes if note.code == "few-units"]
    assert "With 3 groups" in few[0].message
    many = run(clips=10).with_intervals(Resampling(replicates=10)).notes
    assert "few-units" not in [note.code for note in many]


def test_how_often_a_label_is_absent() -> None:
    # Dogs are in the first of three clips alone: (2/3)^3 of all draws have none.
    found = interval_rows(run())
    assert found.made["absent"] == {"dog": pytest.approx((2 / 3) ** 3)}
    note = next(note for note in found.notes if note.code == "labels-absent-in-replicates")
    assert "dog 29.6 %" in note.message


def test_how_often_a_figure_does_not_exist() -> None:
    # The one large object is in the first of three clips, and (2/3)^3 of all draws are without.
    truth = samples.ground_truth()
    truth["annotations"][0]["area"] = 10_000
    evaluated = boxscore.evaluate(truth, samples.results()).with_intervals()
    note = next(note for note in evaluated.notes if note.code == "undefined-in-replicates")
    assert note.message.endswith("AP[area=large] 29.6 %, AR[area=large] 29.6 %")


def test_measures_by_name() -> None:
    found = interval_rows(run(), measures=["recall[conf=0.5]@0.75", "AP"], per_label=False)
    assert [(row["measure"], row["label"]) for row in found.rows] == [("recall[conf=0.5]@0.75", None), ("AP", None)]
    assert found.rows[0]["value"] == run().value("recall[conf=0.5]@0.75")
    assert found.rows[1] | {"average": "macro"} == run().with_intervals().metrics.find("AP")
    best = interval_rows(run(), measures=["F1[conf=best]@0.5"], per_label=False).rows[0]
    assert best["low"] is None
    assert "chosen on the very data" in best["interval_reason"]


def test_figures_that_do_not_exist_have_no_interval() -> None:
    evaluated = boxscore.evaluate(samples.ground_truth(), samples.results()).with_intervals()
    row = evaluated.metrics.find("AP[area=large]")
    assert (row["value"], row["low"], row["interval"], row["reason"]) == (
        None,
        None,
        None,
        "no ground truth of area large",
    )


def test_bca_where_it_can_be_had() -> None:
    few = run().with_intervals(Resampling(interval="bca"))
    assert "20 units or more" in few.metrics.find("AP")["interval_reason"]
    assert few.metrics.find("AP")["std_error"] == run().with_intervals().metrics.find("AP")["std_error"]
    many = run(clips=6).with_intervals(Resampling(interval="bca", unit="image", replicates=200))
    row = many.metrics.find("AP")
    assert row["low"] < row["value"] < row["high"]
    percentile = Resampling(interval="percentile", unit="image", replicates=200)
    plain = run(clips=6).with_intervals(percentile).metrics.find("AP")
    assert (row["low"], row["high"]) != (plain["low"], plain["high"])
    assert (row["mean"], row["std_error"]) == (plain["mean"], plain["std_error"])


def test_a_plan_over_groups_and_over_images() -> None:
    plan, units = plan_of(run(), Resampling())
    assert (plan.exact, plan.replicates, units.count) == (True, 10, 3)
    plan, units = plan_of(run(), Resampling(unit="image", replicates=77, seed=5))
    assert (plan.exact, plan.replicates, plan.seed, units.count) == (False, 77, 5, 12)


def test_no_image_is_refused() -> None:
    empty = {"images": [], "annotations": [], "categories": samples.CATEGORIES}
    with pytest.raises(boxscore.InputError, match="no image in this evaluation"):
        boxscore.evaluate(empty, []).with_intervals()
