"""Random data sets give pycocotools' figures and arrays, to the last bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.evaluation import AREA_RANGES, POINTS_11, THRESHOLDS
from tests.strategies import CocoData, Shape, coco_data, crowded_data
from tests.support import public, reference
from tests.support.bits import same_bits
from tests.support.kernel import accumulate as accumulate_kernel
from tests.support.kernel import arrays, evaluate, match, tables

NAMES = ["precision", "recall", "scores"]
AWKWARD = Shape(degenerate=True)


def thresholds() -> st.SearchStrategy[list[float]]:
    """A few thresholds, often ones that overlaps on the grid meet exactly, and 1."""
    grid = st.sampled_from((0.125, 0.25, 1 / 3, 0.5, 0.6, 0.75, 7 / 9, 0.875, 1.0))
    return st.lists(st.one_of(grid, st.floats(0.05, 0.99)), min_size=1, max_size=4, unique=True).map(sorted)


@given(coco_data(AWKWARD))
def test_arrays_of_the_kernel(data: CocoData) -> None:
    coco = reference.run(data.ground_truth, data.results)
    same_bits(evaluate(data.ground_truth, data.results), reference.arrays(coco), NAMES)


@given(coco_data(AWKWARD))
def test_figures_and_arrays_through_the_public_interface(data: CocoData) -> None:
    coco = reference.run(data.ground_truth, data.results)
    run = public.evaluate(data.ground_truth, data.results)
    assert list(run.summary.values()) == reference.figures(coco)
    same_bits(public.arrays(run), reference.arrays(coco), NAMES)


@given(coco_data())
def test_without_labels(data: CocoData) -> None:
    coco = reference.run(data.ground_truth, data.results, label_agnostic=True)
    run = public.evaluate(data.ground_truth, data.results, label_agnostic=True)
    assert list(run.summary.values()) == reference.figures(coco)
    same_bits(public.arrays(run), reference.arrays(coco), NAMES)


@settings(max_examples=50)
@given(coco_data(Shape(max_detections=20)), st.sampled_from([(1, 2, 3), (1, 10, 1000), (2, 5, 7)]))
def test_other_detection_limits(data: CocoData, limits: tuple[int, int, int]) -> None:
    coco = reference.run(data.ground_truth, data.results, limits=limits)
    run = public.evaluate(data.ground_truth, data.results, max_detections=limits)
    same_bits(public.arrays(run), reference.arrays(coco), NAMES)
    # pycocotools asks for 100 in its first figure whatever the limits are; the others it gives for the largest.
    figures = reference.figures(coco)
    for name, position in (("AP@0.5", 1), ("AP[area=small]", 3), (f"AR[max={limits[0]}]", 6), ("AR", 8)):
        assert run.value(name) == figures[position], name


@settings(max_examples=50)
@given(coco_data(), thresholds())
def test_other_thresholds(data: CocoData, chosen: list[float]) -> None:
    coco = reference.run(data.ground_truth, data.results, thresholds=chosen)
    run = public.evaluate(data.ground_truth, data.results, iou=chosen)
    same_bits(public.arrays(run), reference.arrays(coco), NAMES)
    assert run.value("AP") == reference.figures(coco)[0]
    assert run.value("AR") == reference.figures(coco)[8]


@pytest.mark.parametrize("label_agnostic", [False, True])
@settings(max_examples=40)
@given(data=coco_data(Shape(max_labels=4)), choice=st.data())
def test_some_of_the_labels(label_agnostic: bool, data: CocoData, choice: st.DataObject) -> None:
    chosen = choice.draw(st.lists(st.sampled_from(data.labels), min_size=1, unique=True))
    # Without labels pycocotools takes rows in the order of catIds as given, which COCO keeps ascending.
    coco = reference.run(data.ground_truth, data.results, labels=sorted(chosen), label_agnostic=label_agnostic)
    names = [f"label {label}" for label in chosen]
    run = public.evaluate(data.ground_truth, data.results, labels=names, label_agnostic=label_agnostic)
    assert list(run.summary.values()) == reference.figures(coco)
    same_bits(public.arrays(run), reference.arrays(coco), NAMES)


@settings(max_examples=15)
@given(crowded_data())
def test_more_detections_than_the_limit(data: CocoData) -> None:
    coco = reference.run(data.ground_truth, data.results)
    run = public.evaluate(data.ground_truth, data.results)
    assert list(run.summary.values()) == reference.figures(coco)
    same_bits(public.arrays(run), reference.arrays(coco), NAMES)


@settings(max_examples=40)
@given(coco_data())
def test_eleven_recall_points(data: CocoData) -> None:
    coco = reference.run(data.ground_truth, data.results, points=POINTS_11)
    same_bits(evaluate(data.ground_truth, data.results, points=POINTS_11), reference.arrays(coco), NAMES)


@settings(max_examples=60)
@given(coco_data(AWKWARD))
def test_matches_are_those_of_every_image(data: CocoData) -> None:
    """Bit by bit: what each detection and each object met in each cell."""
    coco = reference.run(data.ground_truth, data.results)
    given_tables = tables(data.ground_truth, data.results)
    found = match(given_tables)
    expected = reference.match_bits(coco, data.image_ids, data.labels)
    columns = {
        name: found.detections.column(name).to_list() for name in ("image", "label", "rank", "matched", "ignored")
    }
    kept = [row for row in zip(*columns.values(), strict=True) if row[2] < 100]
    assert sorted(kept) == sorted(expected["detections"])


@pytest.mark.parametrize("limits", [(100,), (1, 10, 100), (3, 100)])
def test_keeping_the_last_limit_alone_changes_nothing(limits: tuple[int, ...]) -> None:
    data = seeded(images=6, objects=40, detections=120)
    given_tables = tables(data.ground_truth, data.results)
    found = match(given_tables)
    every = arrays(accumulate_kernel(found, len(given_tables.labels), limits=limits))
    last = arrays(accumulate_kernel(found, len(given_tables.labels), limits=limits, every_limit=False))
    assert np.array_equal(every["precision"][:, :, -1:], last["precision"])
    assert np.array_equal(every["recall"], last["recall"])
    assert every["precision"].shape[1] == len(AREA_RANGES)
    assert every["precision"].shape[3] == len(THRESHOLDS)


def seeded(images: int, objects: int, detections: int) -> CocoData:
    """A plain data set from a fixed seed, larger than Hypothesis would make it."""
    random = np.random.default_rng(7)

    def rows(count: int) -> list[dict[str, Any]]:
        return [
            {
                "image_id": int(random.integers(1, images + 1)),
                "category_id": int(random.integers(1, 4)),
                "bbox": [*(random.integers(0, 12, 2) * 8.0).tolist(), *(random.integers(2, 16, 2) * 8.0).tolist()],
            }
            for _ in range(count)
        ]

    annotations = rows(objects)
    for number, row in enumerate(annotations):
        row |= {"id": number + 1, "area": row["bbox"][2] * row["bbox"][3], "iscrowd": int(number % 9 == 0)}
    results = [row | {"score": float(random.integers(0, 20)) / 20} for row in rows(detections)]
    ground_truth = {
        "images": [{"id": image + 1} for image in range(images)],
        "annotations": annotations,
        "categories": [{"id": label, "name": f"label {label}"} for label in (1, 2, 3)],
    }
    return CocoData(ground_truth, results)


def test_a_larger_data_set() -> None:
    data = seeded(images=30, objects=400, detections=3000)
    coco = reference.run(data.ground_truth, data.results)
    run = public.evaluate(data.ground_truth, data.results)
    assert list(run.summary.values()) == reference.figures(coco)
    same_bits(public.arrays(run), reference.arrays(coco), NAMES)
