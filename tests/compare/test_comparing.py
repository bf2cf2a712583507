"""`compare` over real matches: figures, replicates and tests are those of full evaluations."""

import itertools
from typing import Any

import numpy as np
import pytest

import boxscore
from boxscore.compare import compare
from boxscore.pipeline.resampling import Resampling
from tests.compare import made

FEW = boxscore.Resampling(replicates=200)


def test_the_leaderboard_and_its_pairs() -> None:
    runs = made.runs(40)
    found = compare(dict(reversed(runs.items())), resampling=FEW)
    result = found.find("AP")
    assert [model.model for model in result.models] == ["good", "fair", "poor"]
    assert [model.point for model in result.models] == [run.value("AP") for run in runs.values()]
    assert [(pair.a, pair.b, pair.verdict) for pair in result.pairs] == [
        ("good", "fair", "separated"),
        ("fair", "poor", "separated"),
    ]
    for model in result.models:
        assert model.low is not None
        assert model.high is not None
        assert model.point is not None
        assert model.mean is not None
        assert model.low < model.high
        assert model.bias == pytest.approx(model.mean - model.point)
    assert result.groups == []
    assert (found.unit, found.units, found.images, found.replicates, found.exact) == ("image", 40, 40, 200, False)


def test_fewer_false_positives_lead() -> None:
    runs = made.runs(12, protocol="operating-point")
    result = compare(runs, measures=["FP"], resampling=FEW).find("FP")
    points = [model.point for model in result.models]
    assert points == sorted(run.value("FP") or 0 for run in runs.values())


def copies(run_of: Any, weights: tuple[int, ...], clips: int) -> float:
    """AP of a model on a data set that holds each clip so many times."""
    truth, rows = made.ground_truth(6, clips), run_of
    images, annotations, results = [], [], []
    number = itertools.count()
    for image in truth["images"]:
        for _ in range(weights[image["id"] % clips]):
            copy = next(number)
            images.append(image | {"id": copy})
            annotations += [a | {"image_id": copy} for a in truth["annotations"] if a["image_id"] == image["id"]]
            results += [r | {"image_id": copy} for r in rows if r["image_id"] == image["id"]]
    annotations = [a | {"id": n + 1} for n, a in enumerate(annotations)]
    value = boxscore.evaluate(truth | {"images": images, "annotations": annotations}, results).value("AP")
    assert value is not None
    return value


def test_an_enumeration_is_every_resample_evaluated_anew() -> None:
    """3 clips of 2 images: all 27 ordered draws of clips, materialised, for both models."""
    rows = {name: made.predictions(6, skill, seed) for seed, (name, skill) in enumerate(made.SKILLS.items())}
    found = compare(made.runs(6, clips=3), resampling=boxscore.Resampling(group_by="clip"))
    assert (found.replicates, found.exact, found.units, found.unit) == (10, True, 3, "group")
    draws = [np.bincount(draw, minlength=3) for draw in itertools.product(range(3), repeat=3)]
    by_model = {name: np.array([copies(rows[name], tuple(draw), 3) for draw in draws]) for name in rows}
    result = found.find("AP")
    for model in result.models:
        assert model.mean == pytest.approx(by_model[model.model].mean())
        assert model.std_error == pytest.approx(by_model[model.model].std())
    for pair in result.pairs:
        differences = by_model[pair.a] - by_model[pair.b]
        assert pair.mean == pytest.approx(differences.mean())
        assert pair.std_error == pytest.approx(differences.std())


def test_p_is_that_of_every_swap_evaluated_anew() -> None:
    """7 clips of 1 image: 2^7 patterns of which model's detections stand where."""
    truth = made.ground_truth(7, 7)
    one, other = made.predictions(7, 0.8, 1), made.predictions(7, 0.5, 2)

    def difference(swapped: tuple[int, ...]) -> float:
        first = [r for rows, own in ((one, 0), (other, 1)) for r in rows if swapped[r["image_id"]] == own]
        second = [r for rows, own in ((one, 1), (other, 0)) for r in rows if swapped[r["image_id"]] == own]
        a, b = (boxscore.evaluate(truth, rows).value("AP") for rows in (first, second))
        assert a is not None
        assert b is not None
        return a - b

    patterns = {swapped: difference(swapped) for swapped in itertools.product((0, 1), repeat=7)}
    observed = patterns[0, 0, 0, 0, 0, 0, 0]
    found = compare({"one": boxscore.evaluate(truth, one), "other": boxscore.evaluate(truth, other)})
    pair = found.find("AP").pairs[0]
    assert (found.swaps, found.swaps_exact) == (64, True)
    assert pair.difference == pytest.approx(abs(observed))
    assert pair.p == sum(abs(value) >= abs(observed) - 1e-9 for value in patterns.values()) / 128


def test_pairs_of_one_measure_are_one_family() -> None:
    runs = made.runs(30)
    alone = compare({name: runs[name] for name in ("good", "fair")}, resampling=FEW).find("AP").pairs[0]
    together = compare(runs, resampling=FEW, pairs="all").find("AP").pairs
    same = next(pair for pair in together if (pair.a, pair.b) == ("good", "fair"))
    assert (same.p, same.difference, same.low) == (alone.p, alone.difference, alone.low)
    for pair in together:
        assert pair.p_adjusted is not None
        assert pair.p is not None
        assert pair.p_adjusted >= pair.p


def test_labels_are_compared_in_the_leaderboards_order() -> None:
    runs = made.runs(20)
    found = compare(runs, resampling=FEW, per_label=True)
    assert [result.label for result in found.results] == [None, "car", "van"]
    for label in made.LABELS:
        result = found.find("AP", label)
        assert [model.model for model in result.models] == ["good", "fair", "poor"]
        assert [model.point for model in result.models] == [run.value("AP", label) for run in runs.values()]
        assert result.absent == {}


def test_a_label_in_few_images_is_absent_from_replicates_and_undecidable() -> None:
    truth = made.ground_truth(20)
    truth["annotations"] = [a for a in truth["annotations"] if a["category_id"] == 0 or a["image_id"] < 2]
    runs = {n: boxscore.evaluate(truth, made.predictions(20, s, 3)) for n, s in made.SKILLS.items()}
    found = compare(runs, resampling=FEW, per_label=True)
    assert found.find("AP").absent == {"van": pytest.approx(0.9**20)}
    assert {pair.reason for pair in found.find("AP", "van").pairs} == {
        "with objects in 2 images no p can be below 0.5, and the verdict needs 0.05"
    }
    assert [note.code for note in found.notes] == ["labels-absent-in-replicates"]


def test_the_published_rule_and_the_verdict_differ_on_clips() -> None:
    published = Resampling(interval="midpoint")
    pairs = compare(made.runs(30, clips=3), resampling=published).find("AP").pairs
    assert [(pair.excludes_zero, pair.separated) for pair in pairs] == [(True, None)] * 2


def test_threads_and_the_order_of_models_change_nothing() -> None:
    runs = made.runs(16)
    one = compare(runs, resampling=FEW, threads=1, pairs="all").to_dict()
    two = compare(dict(reversed(runs.items())), resampling=FEW, threads=2, pairs="all").to_dict()
    assert one["results"] == two["results"]


def test_the_same_detections_twice() -> None:
    run = made.runs(10)["fair"]
    found = compare({"one": run, "two": run}, resampling=FEW)
    pair = found.find("AP").pairs[0]
    assert (pair.difference, pair.p, pair.verdict, pair.units_to_separate) == (0.0, 1.0, "tie", None)
    assert "models-alike" in [note.code for note in found.notes]


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_each_interval(method: str) -> None:
    found = compare(made.runs(25), resampling=boxscore.Resampling(replicates=200, interval=method))
    rows: list[Any] = [*found.find("AP").models, *found.find("AP").pairs]
    for row in rows:
        assert row.low is not None, row.reason
        assert row.high is not None
        assert row.low < row.high


def test_bca_needs_units() -> None:
    found = compare(made.runs(8), resampling=boxscore.Resampling(interval="bca"))
    pair = found.find("AP").pairs[0]
    assert pair.low is None
    assert pair.reason is not None
    assert "20 units" in pair.reason
    assert (pair.excludes_zero, pair.verdict) == (None, "separated")


@pytest.mark.parametrize("wrong", ["objects", "F1[conf=best]@0.5", "AP@0.51", "mAP"])
def test_measures_that_can_not_be_compared(wrong: str) -> None:
    with pytest.raises((boxscore.MeasureError, boxscore.ProtocolError)):
        compare(made.runs(4), measures=[wrong])


def test_what_is_no_comparison() -> None:
    runs = made.runs(4)
    with pytest.raises(boxscore.InputError, match="two models or more, and 1 is given"):
        compare({"good": runs["good"]})
    with pytest.raises(boxscore.InputError, match="give a mapping from name to Run"):
        compare(list(runs.values()))  # type: ignore[arg-type]
    with pytest.raises(boxscore.InputError, match="'' is no name"):
        compare({"": runs["good"], "b": runs["fair"]})
