"""Many weightings at once: each replicate is what it would be alone, and what a fresh evaluation of it gives."""

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore
from boxscore import _kernel
from boxscore.measures.operating_point import OperatingPoint
from boxscore.measures.resampled import Model, Wanted, resample, swap
from boxscore.model.measure import Measure
from tests.strategies import CocoData, Shape, coco_data
from tests.support import public, reference

DISTINCT = Shape(max_images=4, max_labels=3, distinct_scores=True)
SHAPE = Shape(max_images=4, max_labels=3)
MEASURES = ("AP", "AP@0.75", "AP[max=10]", "AP[area=small]", "AR[max=1]", "AR", "AR[area=large]@0.5", "objects")
AT_POINT = ("precision", "recall", "F2", "TP", "FP", "FN", "ignored", "FPPI", "F1[average=macro]", "recall[conf=0.5]")


class Given:
    """A plan of given weights, one unit an image."""

    def __init__(self, weights: Sequence[Sequence[int]], units: Sequence[int] | None = None) -> None:
        self.weights: Any = np.array(weights, dtype=np.uint32)
        self.replicates, self.num_units = self.weights.shape
        self.units = np.array(range(self.num_units) if units is None else units, dtype=np.uint32)
        self.seed: int | None = None
        self.first = 0


class Drawn:
    """A plan of drawn weights."""

    def __init__(self, units: Sequence[int], num_units: int, replicates: int, seed: int) -> None:
        self.units = np.array(units, dtype=np.uint32)
        self.num_units, self.replicates = num_units, replicates
        self.seed: int | None = seed
        self.first = 0
        self.weights: Any = None


def weightings(images: int, most: int = 3) -> st.SearchStrategy[list[list[int]]]:
    row = st.lists(st.integers(0, most), min_size=images, max_size=images)
    return st.lists(row, min_size=1, max_size=19)


def model(run: boxscore.Run) -> Model:
    floors = None if run.floors is None else run.floors.of(run.labels)
    return Model(run.matches, run.labels.names, floors)


def wanted(run: boxscore.Run, names: Sequence[str] = MEASURES) -> list[Wanted]:
    """All labels together, and each alone."""
    every = range(len(run.labels))
    measures = [Measure.parse(name) for name in names]
    return [Wanted(measure, own) for measure in measures for own in (every, *([label] for label in every))]


def alone(run: boxscore.Run, asked: Sequence[Wanted], weights: Sequence[int]) -> list[float]:
    """By `accumulate`, one replicate at a time."""
    from boxscore.measures.figures import Figures

    column, protocol = array("I", weights), run.protocol
    curves = _kernel.accumulate(
        run.matches.kernel,
        num_labels=len(run.labels),
        num_areas=len(protocol.area_ranges),
        limits=protocol.max_detections,
        recall_points=protocol.recall_points,
        detection_weights=column,
        object_weights=column,
        every_point=protocol.interpolation == "every-point",
        every_limit=True,
        spaced=protocol.rule == "coco",
    )
    figures = Figures(curves, protocol)

    def value(one: Wanted) -> float | None:
        if one.measure.kind == "objects":
            return float(sum(figures.objects(label) for label in one.positions))
        return figures.figure(one.measure, one.positions)[0]

    return [float("nan") if (found := value(one)) is None else found for one in asked]


@pytest.mark.parametrize("protocol", ["coco", "voc2007", "voc2012"])
@settings(max_examples=60, deadline=None)
@given(coco_data(SHAPE), st.data())
def test_a_replicate_is_what_it_is_alone(protocol: str, data: CocoData, choice: st.DataObject) -> None:
    weights = choice.draw(weightings(len(data.image_ids)))
    run = public.evaluate(data.ground_truth, data.results, protocol=protocol)
    asked = wanted(run, MEASURES if protocol == "coco" else ("AP", "AR", "objects"))
    found = resample([model(run)], asked, Given(weights))
    expected = [alone(run, asked, row) for row in weights]
    np.testing.assert_array_equal(found[:, 0], np.array(expected))


def copies(data: CocoData, weights: Sequence[int]) -> CocoData:
    """The resample written out: copies of an image stand side by side, in the order of their ids."""
    named = {
        image: [1000 * place + copy for copy in range(weight)]
        for place, (image, weight) in enumerate(zip(data.image_ids, weights, strict=True))
    }
    truth = data.ground_truth
    images = [{"id": new} for own in named.values() for new in own]
    objects = [row | {"image_id": new} for row in truth["annotations"] for new in named[row["image_id"]]]
    numbered = [row | {"id": number} for number, row in enumerate(objects, 1)]
    results = [row | {"image_id": new} for row in data.results for new in named[row["image_id"]]]
    return CocoData(truth | {"images": images, "annotations": numbered}, results)


@settings(max_examples=60, deadline=None)
@given(coco_data(DISTINCT), st.data())
def test_a_replicate_is_pycocotools_on_the_resample_written_out(data: CocoData, choice: st.DataObject) -> None:
    weights = choice.draw(weightings(len(data.image_ids)).filter(lambda rows: all(map(any, rows))))[:4]
    run = public.evaluate(data.ground_truth, data.results)
    every = range(len(run.labels))
    found = resample([model(run)], [Wanted(measure, every) for measure in run.protocol.headline], Given(weights))
    for row, figures in zip(weights, found[:, 0], strict=True):
        written = copies(data, row)
        expected = reference.figures(reference.run(written.ground_truth, written.results))
        assert [None if np.isnan(value) else value for value in figures] == expected


@settings(max_examples=60, deadline=None)
@given(coco_data(SHAPE), st.data())
def test_counts_are_those_of_the_weighted_images(data: CocoData, choice: st.DataObject) -> None:
    weights = choice.draw(weightings(len(data.image_ids)))
    run = public.evaluate(data.ground_truth, data.results, protocol="operating-point", confidence=0.3)
    asked = wanted(run, AT_POINT)
    asked = [one for one in asked if one.measure.average is None or len(one.positions) == len(run.labels)]
    found = resample([model(run)], asked, Given(weights))[:, 0]
    floors = [0.3] * len(run.labels)
    for row, figures in zip(weights, found, strict=True):
        point = OperatingPoint(run.matches, run.labels.names, floors=floors, images=row)
        expected = [point.figure(one.measure, one.positions)[0] for one in asked]
        np.testing.assert_allclose(figures, np.array(expected, dtype=float), rtol=1e-15)


def mixed(first: CocoData, second: CocoData, swapped: Sequence[int]) -> CocoData:
    """The first one's detections, but the second's in images with 1."""
    own = dict(zip(first.image_ids, swapped, strict=True))
    results = [row for row in first.results if not own[row["image_id"]]]
    results += [row for row in second.results if own[row["image_id"]]]
    return CocoData(first.ground_truth, results)


@st.composite
def two_models(draw: st.DrawFn) -> tuple[CocoData, CocoData]:
    data = draw(coco_data(SHAPE))
    kept = draw(st.lists(st.booleans(), min_size=len(data.results), max_size=len(data.results)))
    scores = draw(st.lists(st.sampled_from([0.25, 0.5, 0.75]), min_size=len(kept), max_size=len(kept)))
    rows = [row | {"score": score} for row, keep, score in zip(data.results, kept, scores, strict=True) if keep]
    return data, CocoData(data.ground_truth, rows)


@settings(max_examples=60, deadline=None)
@given(two_models(), st.data())
def test_swapped_models_are_the_mixed_sets(models: tuple[CocoData, CocoData], choice: st.DataObject) -> None:
    first, second = models
    flips = choice.draw(weightings(len(first.image_ids), most=1))
    runs = [public.evaluate(data.ground_truth, data.results) for data in models]
    asked = wanted(runs[0])
    found = swap([model(run) for run in runs], [(0, 1)], asked, Given(flips))
    for row, sides in zip(flips, found[:, 0], strict=True):
        for side, data in zip(sides, (mixed(first, second, row), mixed(second, first, row)), strict=True):
            run = public.evaluate(data.ground_truth, data.results)
            np.testing.assert_array_equal(side, alone(run, asked, [1] * len(row)))


@settings(max_examples=30, deadline=None)
@given(two_models(), st.data())
def test_swapped_counts_keep_each_models_floors(models: tuple[CocoData, CocoData], choice: st.DataObject) -> None:
    flips = choice.draw(weightings(len(models[0].image_ids), most=1))
    runs = [
        public.evaluate(data.ground_truth, data.results, protocol="operating-point", confidence=floor)
        for data, floor in zip(models, (0.3, 0.6), strict=True)
    ]
    asked = wanted(runs[0], ("TP", "FP", "FN", "ignored"))
    found = swap([model(run) for run in runs], [(0, 1)], asked, Given(flips))[:, 0]
    stay = [[1 - flip for flip in row] for row in flips]
    counts = [resample([model(run)], asked, Given(flips))[:, 0] for run in runs]
    unswapped = [resample([model(run)], asked, Given(stay))[:, 0] for run in runs]
    np.testing.assert_array_equal(found[:, 0], unswapped[0] + counts[1])
    np.testing.assert_array_equal(found[:, 1], unswapped[1] + counts[0])


@settings(max_examples=20, deadline=None)
@given(coco_data(SHAPE), st.integers(0, 2**64 - 1))
def test_threads_and_blocks_change_nothing(data: CocoData, seed: int) -> None:
    run = public.evaluate(data.ground_truth, data.results)
    images = len(data.image_ids)
    plan = Drawn(range(images), images, 37, seed)
    found = resample([model(run), model(run)], wanted(run), plan)
    for threads in (2, 5):
        np.testing.assert_array_equal(resample([model(run), model(run)], wanted(run), plan, threads=threads), found)
    np.testing.assert_array_equal(found[:, 0], found[:, 1])
    shorter = resample([model(run)], wanted(run), Drawn(range(images), images, 11, seed))
    np.testing.assert_array_equal(shorter[:, 0], found[:11, 0])
    rows = [np.array(_draws(plan).replicate(replicate)).tolist() for replicate in range(37)]
    np.testing.assert_array_equal(resample([model(run)], wanted(run), Given(rows))[:, 0], found[:, 0])


def _draws(plan: Drawn, *, swapped: bool = False) -> _kernel.Draws:
    units: Any = plan.units
    return _kernel.Draws(units, plan.num_units, replicates=plan.replicates, seed=plan.seed, swap=swapped)


def test_all_images_of_a_unit_are_drawn_together() -> None:
    data = CocoData(
        {
            "images": [{"id": image} for image in range(4)],
            "annotations": [
                {"id": 1 + image, "image_id": image, "category_id": 1, "bbox": [0, 0, 8, 8], "area": 64, "iscrowd": 0}
                for image in range(4)
            ],
            "categories": [{"id": 1, "name": "a"}],
        },
        [],
    )
    run = public.evaluate(data.ground_truth, data.results)
    found = resample([model(run)], [Wanted(Measure("objects"), [0])], Given([[2, 1], [0, 3]], units=[0, 1, 1, 1]))
    assert found[:, 0, 0].tolist() == [5.0, 9.0]


def test_draws_are_multinomial_and_coins_fair() -> None:
    plan = Drawn(range(20), 20, 4000, 7)
    rows = np.array([np.array(_draws(plan).replicate(replicate)) for replicate in range(4000)], dtype=float)
    assert (rows.sum(axis=1) == 20).all()
    # Each count is binomial(20, 1/20): mean 1, variance .95; over 80,000 of them four standard errors are .014 and .03.
    assert abs(rows.var() - 0.95) < 0.03
    assert abs(np.corrcoef(rows[:, 0], rows[:, 1])[0, 1] + 1 / 19) < 4 / np.sqrt(4000)
    coins = np.array([np.array(_draws(plan, swapped=True).replicate(replicate)) for replicate in range(4000)])
    assert abs(coins.mean() - 0.5) < 4 * 0.5 / np.sqrt(80_000)
    assert np.abs(coins.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(4000)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"replicates": 2, "seed": 0, "given": np.ones(2, np.uint32)}, "given has 2 values, 4 are needed"),
        ({"replicates": 1}, "give a seed"),
        ({"replicates": 1, "given": np.array([2, 0], np.uint32), "swap": True}, "too large"),
        ({"replicates": 1, "given": np.array([2**31, 0], np.uint32)}, "too large"),
    ],
)
def test_draws_refuse(arguments: dict[str, Any], problem: str) -> None:
    units: Any = np.array([0, 1], np.uint32)
    with pytest.raises(ValueError, match=problem):
        _kernel.Draws(units, 2, **arguments)


def test_more_than_can_be_counted_is_refused() -> None:
    truth = {
        "images": [{"id": 1}],
        "annotations": [
            {"id": number, "image_id": 1, "category_id": 1, "bbox": [0, 0, 8, 8], "area": 64, "iscrowd": 0}
            for number in (1, 2)
        ],
        "categories": [{"id": 1, "name": "a"}],
    }
    run = public.evaluate(truth, [])
    with pytest.raises(ValueError, match="2\\^31"):
        resample([model(run)], wanted(run), Given([[2**31 - 1]]))


def test_the_best_confidence_has_no_interval() -> None:
    with pytest.raises(boxscore.MeasureError, match="very data"):
        Wanted(Measure.parse("F1[conf=best]@0.5"), [0])
