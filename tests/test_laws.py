"""Laws that every measure obeys, whatever the data: one table of measures, one test a law."""

import copy
from collections.abc import Mapping, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import _kernel
from tests.oracle import evaluation
from tests.strategies import CocoData, Shape, coco_data, crowded_data
from tests.support import kernel, public
from tests.support.bits import same_bits

Figures = dict[str, float | None]

MEASURES = (
    "AP",
    "AP@0.5",
    "AP@0.75",
    "AP[area=small]",
    "AP[area=medium]",
    "AP[area=large]",
    "AR[max=1]",
    "AR[max=10]",
    "AR",
    "AR[area=small]",
    "AR[area=medium]",
    "AR[area=large]",
)
every_measure = pytest.mark.parametrize("measure", MEASURES)
SMALL = Shape(max_images=3, max_labels=2, max_objects=6, max_detections=8)
DISTINCT = Shape(distinct_scores=True)
WEIGHTED = Shape(max_images=4, max_labels=2, max_objects=6, max_detections=8)


def figures(data: CocoData) -> Figures:
    """The figures by name."""
    return dict(public.evaluate(data.ground_truth, data.results).summary)


def test_the_table_holds_every_headline_measure() -> None:
    data = CocoData({"images": [{"id": 1}], "annotations": [], "categories": [{"id": 1, "name": "a"}]}, [])
    assert tuple(figures(data)) == MEASURES


# Order


@settings(max_examples=40)
@given(coco_data(DISTINCT), st.randoms(use_true_random=False))
def test_order_of_rows_with_distinct_scores(data: CocoData, random: Random) -> None:
    """Objects that overlap a detection equally are told apart by file order, so only detections are shuffled here."""
    rows = list(data.results)
    random.shuffle(rows)
    assert figures(CocoData(data.ground_truth, rows)) == figures(data)


@settings(max_examples=40)
@given(coco_data(), st.randoms(use_true_random=False))
def test_order_of_images_and_categories(data: CocoData, random: Random) -> None:
    shuffled = copy.deepcopy(data.ground_truth)
    random.shuffle(shuffled["images"])
    random.shuffle(shuffled["categories"])
    assert figures(CocoData(shuffled, data.results)) == figures(data)


@settings(max_examples=40)
@given(coco_data())
def test_rows_of_different_images_may_stand_in_any_order(data: CocoData) -> None:
    """Files of one image each may be joined in any order: sorting by image keeps the order inside each."""

    def by_image(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        return sorted(rows, key=lambda row: -int(str(row["image_id"])))

    joined = data.ground_truth | {"annotations": by_image(data.ground_truth["annotations"])}
    assert figures(CocoData(joined, by_image(data.results))) == figures(data)


# Weights


def weight_vectors(images: int) -> st.SearchStrategy[list[int]]:
    """A weight an image; 0 and 1 are likely."""
    return st.lists(st.sampled_from((0, 1, 1, 2, 3, 7)), min_size=images, max_size=images)


def weighted(
    data: CocoData, detection_weights: Sequence[int], object_weights: Sequence[int]
) -> dict[str, kernel.Array]:
    """The kernel's arrays under weights."""
    tables = kernel.tables(data.ground_truth, data.results)
    curves = kernel.accumulate(
        kernel.match(tables),
        len(tables.labels),
        detection_weights=kernel.weights(detection_weights),
        object_weights=kernel.weights(object_weights),
    )
    return kernel.arrays(curves)


def by_oracle(
    data: CocoData, detection_weights: Sequence[int], object_weights: Sequence[int]
) -> dict[str, kernel.Array]:
    """The oracle's arrays, with every copy written out."""

    def named(weights: Sequence[int]) -> Mapping[int, int]:
        return dict(zip(data.image_ids, weights, strict=True))

    return evaluation.evaluate(
        data.image_ids,
        data.ground_truth["annotations"],
        data.results,
        data.labels,
        detection_weights=named(detection_weights),
        object_weights=named(object_weights),
    )


@settings(max_examples=60)
@given(coco_data(WEIGHTED), st.data())
def test_weight_is_that_many_copies_of_each_row(data: CocoData, choice: st.DataObject) -> None:
    detection_weights, object_weights = (choice.draw(weight_vectors(len(data.image_ids))) for _ in range(2))
    found = weighted(data, detection_weights, object_weights)
    expected = by_oracle(data, detection_weights, object_weights)
    same_bits(found, expected, ["positives", "precision", "recall", "scores"])
    np.testing.assert_allclose(found["average_precision"], expected["average_precision"], rtol=0, atol=1e-12)


def with_copies(data: CocoData, weights: Sequence[int]) -> CocoData:
    """The data set with each image written out as often as it weighs, the copies next to it in order of ids."""
    image_ids: dict[int, list[int]] = {}
    for image, weight in zip(data.image_ids, weights, strict=True):
        start = sum(map(len, image_ids.values()))
        image_ids[image] = [start + number for number in range(weight)]

    def rows(given_rows: list[dict[str, object]]) -> list[dict[str, object]]:
        return [row | {"image_id": copied} for row in given_rows for copied in image_ids[int(str(row["image_id"]))]]

    ground_truth = data.ground_truth | {
        "images": [{"id": copied} for copies in image_ids.values() for copied in copies],
        "annotations": rows(data.ground_truth["annotations"]),
    }
    return CocoData(ground_truth, rows(data.results))


@settings(max_examples=60)
@given(coco_data(Shape(max_images=4, max_labels=2, distinct_scores=True)), st.data())
def test_weight_is_that_many_copies_of_the_image(data: CocoData, choice: st.DataObject) -> None:
    """Every array, every-point sums too, to the last bit; a weight of 0 is a file without the image."""
    weights = choice.draw(weight_vectors(len(data.image_ids)))
    assume(any(weights))
    copied = with_copies(data, weights)
    expected = kernel.evaluate(copied.ground_truth, copied.results)
    same_bits(weighted(data, weights, weights), expected)


@settings(max_examples=30)
@given(coco_data(Shape(max_images=2, distinct_scores=True)), st.sampled_from([(1, 1), (1, 2), (3, 1), (0, 1)]))
def test_weighted_curves_without_spacing(data: CocoData, pair: tuple[int, int]) -> None:
    weights = list(pair)[: len(data.image_ids)]
    assume(any(weights))
    copied = with_copies(data, weights)
    tables = kernel.tables(data.ground_truth, data.results)
    numbers = kernel.weights(weights)
    curves = kernel.accumulate(
        kernel.match(tables), len(tables.labels), detection_weights=numbers, object_weights=numbers, spaced=False
    )
    expected = kernel.evaluate(copied.ground_truth, copied.results, spaced=False)
    same_bits(kernel.arrays(curves), expected)
    oracle = evaluation.evaluate(
        copied.image_ids, copied.ground_truth["annotations"], copied.results, copied.labels, spaced=False
    )
    same_bits(kernel.arrays(curves), oracle, ["positives", "precision", "recall", "scores"])
    np.testing.assert_allclose(expected["average_precision"], oracle["average_precision"], rtol=0, atol=1e-12)


@settings(max_examples=30)
@given(coco_data())
def test_weights_of_one_are_no_weights(data: CocoData) -> None:
    ones = [1] * len(data.image_ids)
    same_bits(weighted(data, ones, ones), kernel.evaluate(data.ground_truth, data.results))


@settings(max_examples=30)
@given(coco_data(Shape(distinct_scores=True)))
def test_large_weights_do_not_overflow(data: CocoData) -> None:
    """The same large weight everywhere leaves precision without spacing, and recall, as they were."""
    most = [2**32 - 1] * len(data.image_ids)
    found = weighted(data, most, most)
    plain = kernel.evaluate(data.ground_truth, data.results)
    np.testing.assert_allclose(found["recall"], plain["recall"], rtol=1e-15)
    np.testing.assert_allclose(found["average_precision"], plain["average_precision"], rtol=0, atol=1e-12)
    assert np.array_equal(found["positives"], plain["positives"] * np.uint64(2**32 - 1))


# Merging


def part(data: CocoData, images: set[int]) -> CocoData:
    """The data set cut down to some of its images."""

    def kept(rows: list[dict[str, object]], key: str) -> list[dict[str, object]]:
        return [row for row in rows if row[key] in images]

    ground_truth = data.ground_truth | {
        "images": kept(data.ground_truth["images"], "id"),
        "annotations": kept(data.ground_truth["annotations"], "image_id"),
    }
    return CocoData(ground_truth, kept(data.results, "image_id"))


def table_lists(table: _kernel.Table) -> dict[str, list[object]]:
    """All columns as Python lists."""
    return {name: list(table.column(name).to_list()) for name in table.column_names}


@settings(max_examples=60)
@given(coco_data(Shape(max_images=5)), st.data())
def test_parts_merged_are_the_whole(data: CocoData, choice: st.DataObject) -> None:
    count = choice.draw(st.integers(1, 4))
    where = choice.draw(st.lists(st.integers(0, count - 1), min_size=len(data.image_ids), max_size=len(data.image_ids)))
    parts, rows = [], []
    for number in range(count):
        images = {image for image, place in zip(data.image_ids, where, strict=True) if place == number}
        piece = part(data, images)
        parts.append(kernel.match(kernel.tables(piece.ground_truth, piece.results)))
        rows.append([data.image_ids.index(image) for image in piece.image_ids])
    merged = _kernel.Matches.merge(parts, rows, len(data.image_ids))
    whole = kernel.match(kernel.tables(data.ground_truth, data.results))
    assert table_lists(merged.detections) == table_lists(whole.detections)
    assert table_lists(merged.ground_truth) == table_lists(whole.ground_truth)
    assert merged.over_limit(2) == whole.over_limit(2)
    num_labels = len(data.labels)
    same_bits(kernel.arrays(kernel.accumulate(merged, num_labels)), kernel.arrays(kernel.accumulate(whole, num_labels)))


@settings(max_examples=30)
@given(coco_data(Shape(max_images=4)), st.data())
def test_merging_can_leave_images_out(data: CocoData, choice: st.DataObject) -> None:
    gone = choice.draw(st.sampled_from(data.image_ids))
    rest = part(data, set(data.image_ids) - {gone})
    numbers = iter(range(len(rest.image_ids)))
    rows = [-1 if image == gone else next(numbers) for image in data.image_ids]
    whole = kernel.match(kernel.tables(data.ground_truth, data.results))
    merged = _kernel.Matches.merge([whole], [rows], len(rest.image_ids))
    alone = kernel.match(kernel.tables(rest.ground_truth, rest.results))
    assert table_lists(merged.detections) == table_lists(alone.detections)
    assert table_lists(merged.ground_truth) == table_lists(alone.ground_truth)


@settings(max_examples=30)
@given(coco_data())
def test_state_comes_back_as_it_went(data: CocoData) -> None:
    matches = kernel.match(kernel.tables(data.ground_truth, data.results))
    back = _kernel.Matches.from_state(*matches.state())
    assert back.state() == matches.state()
    assert table_lists(back.detections) == table_lists(matches.detections)
    assert table_lists(back.ground_truth) == table_lists(matches.ground_truth)


# Threads


def everything(data: CocoData, threads: int) -> dict[str, object]:
    """Every table and array that the kernel makes."""
    tables = kernel.tables(data.ground_truth, data.results, threads)
    matches = kernel.match(tables, threads=threads, assignments=True)
    curves = kernel.accumulate(matches, len(tables.labels), threads=threads)
    pairs = _kernel.overlap_pairs(tables.dataset, tables.detections, threads=threads)
    assert matches.assignments is not None
    return {
        "images": table_lists(tables.dataset.images),
        "ground truth": table_lists(tables.dataset.ground_truth),
        "detections": table_lists(tables.detections.table),
        "matched detections": table_lists(matches.detections),
        "matched ground truth": table_lists(matches.ground_truth),
        "assignments": bytes(memoryview(matches.assignments)),
        "pairs": table_lists(pairs),
        "arrays": {name: array.tobytes() for name, array in kernel.arrays(curves).items()},
    }


@settings(max_examples=25)
@given(st.one_of(coco_data(Shape(degenerate=True)), crowded_data()))
def test_threads_change_no_byte(data: CocoData) -> None:
    alone = everything(data, 1)
    for threads in (2, 3, 7):
        assert everything(data, threads) == alone


# Thresholds and undefined values


@settings(max_examples=40)
@given(coco_data(SMALL))
def test_recall_falls_as_the_threshold_rises(data: CocoData) -> None:
    """Recall for each label, range and limit; precision over all sizes.

    Objects stand alone, since greedy matching may find more at a higher threshold where several are near: a detection
    that leaves an object free leaves it to a better one. In one size class precision may rise too: a detection of
    another size counts as soon as it matches.
    """
    arrays = kernel.evaluate(alone_in_their_image(data).ground_truth, data.results)
    assert (np.diff(arrays["recall"], axis=-1) <= 0).all()
    assert (np.diff(arrays["precision"][:, 0], axis=-2) <= 1e-15).all()


def alone_in_their_image(data: CocoData) -> CocoData:
    """The data set with at most one object, and no crowd, for each image and label."""
    first: dict[tuple[object, object], dict[str, object]] = {}
    for row in data.ground_truth["annotations"]:
        first.setdefault((row["image_id"], row["category_id"]), row | {"iscrowd": 0})
    return CocoData(data.ground_truth | {"annotations": list(first.values())}, data.results)


@settings(max_examples=60)
@given(coco_data(Shape(max_objects=2, degenerate=True)))
def test_undefined_is_null_with_a_reason(data: CocoData) -> None:
    """A value exists exactly where some object counts, and is then a number from 0 to 1."""
    run = public.evaluate(data.ground_truth, data.results)
    positives = kernel.evaluate(data.ground_truth, data.results)["positives"]
    areas = {"small": 1, "medium": 2, "large": 3}
    for name, value in run.summary.items():
        area = next((at for word, at in areas.items() if f"area={word}" in name), 0)
        assert (value is None) == (not positives[:, area].any()), name
        assert value is None or 0.0 <= value <= 1.0, name
    for row in run.metrics.rows:
        assert (row["value"] is None) == bool(row["reason"]), row


@every_measure
def test_without_ground_truth_nothing_is_defined(measure: str) -> None:
    ground_truth = {"images": [{"id": 1}], "annotations": [], "categories": [{"id": 1, "name": "a"}]}
    result = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 10], "score": 0.5}
    assert public.evaluate(ground_truth, [result]).value(measure) is None


@every_measure
def test_perfect_detections_score_one(measure: str) -> None:
    boxes = {"small": [0, 0, 16, 16], "medium": [100, 0, 64, 64], "large": [200, 0, 128, 128]}
    objects = [
        {"id": number + 1, "image_id": number + 1, "category_id": 1, "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
        for number, box in enumerate(boxes.values())
    ]
    ground_truth = {
        "images": [{"id": row["image_id"]} for row in objects],
        "annotations": objects,
        "categories": [{"id": 1, "name": "a"}],
    }
    keys = ("image_id", "category_id", "bbox")
    results = [{key: row[key] for key in keys} | {"score": 0.5} for row in objects]
    value = public.evaluate(ground_truth, results).value(measure)
    # One hit is 1 / (1 + 2**-52) for pycocotools, which guards its denominators.
    assert value is not None
    assert 1 - 2**-52 <= value <= 1


@every_measure
@settings(max_examples=15)
@given(data=coco_data(SMALL))
def test_a_further_detection_below_all_others_raises_nothing_but_its_own_hit(measure: str, data: CocoData) -> None:
    """A last detection that overlaps nothing leaves every figure as it was: it comes after all that was found."""
    if not data.results:
        return
    score = min(row["score"] for row in data.results) - 1
    image, label = data.image_ids[0], data.labels[0]
    further = {"image_id": image, "category_id": label, "bbox": [5000.0, 5000.0, 40.0, 40.0], "score": score}
    before = public.evaluate(data.ground_truth, data.results).value(measure)
    after = public.evaluate(data.ground_truth, [*data.results, further]).value(measure)
    assert before == after
