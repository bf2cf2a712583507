"""Every row of docs/quirks.md: what the reference does, and what boxscore does instead. Named by the row's id."""

import contextlib
import copy
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore import InputError, Reading
from tests.support import reference

Row = dict[str, Any]
DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "quirks.md"
BOX: Row = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 40, 40]}


def ground_truth(*annotations: Row, **sections: Any) -> dict[str, Any]:
    """Two images, two labels, and the annotations, one on `BOX` unless others are given."""
    rows = annotations or (annotation(),)
    return {
        "images": [{"id": 1, "width": 640, "height": 480}, {"id": 2, "width": 640, "height": 480}],
        "annotations": list(rows),
        "categories": [{"id": 1, "name": "car"}, {"id": 2, "name": "bus"}],
    } | sections


def annotation(**fields: Any) -> Row:
    """An ordinary object."""
    return BOX | {"id": 1, "area": 1600, "iscrowd": 0} | fields


def result(**fields: Any) -> Row:
    """A detection on the ordinary object."""
    return BOX | {"score": 0.5} | fields


def without(row: Row, field: str) -> Row:
    """The row, lacking a field."""
    return {key: value for key, value in row.items() if key != field}


def recall(truth: dict[str, Any], results: list[Row], **reading: str) -> float | None:
    """AR, which is exactly 1 when all is found."""
    return boxscore.evaluate(truth, results, reading=Reading(**reading)).value("AR")


def codes(truth: dict[str, Any], results: list[Row], **reading: str) -> set[str]:
    """The codes of a run's notes."""
    return {note.code for note in boxscore.evaluate(truth, results, reading=Reading(**reading)).notes}


def reference_recall(truth: dict[str, Any], results: list[Row]) -> float | None:
    """pycocotools' AR."""
    return reference.figures(reference.run(truth, results))[8]


def load_results(truth: dict[str, Any], results: list[Row]) -> None:
    """pycocotools' own way in, without its printing."""
    with contextlib.redirect_stdout(io.StringIO()):
        reference.load(truth).loadRes(copy.deepcopy(results))


def refused(match: str, truth: dict[str, Any], results: list[Row]) -> None:
    """Evaluation is refused with a message that matches."""
    with pytest.raises(InputError, match=match):
        boxscore.evaluate(truth, results)


# Where the reference gives a wrong figure, or none


def test_q01_annotation_id_zero() -> None:
    truth = ground_truth(annotation(id=0))
    assert reference_recall(truth, [result()]) == 0.0
    assert recall(truth, [result()]) == 1.0


def test_q02_other_limits() -> None:
    truth = ground_truth()
    assert reference.figures(reference.run(truth, [result()], limits=[1, 10, 500]))[0] is None
    run = boxscore.evaluate(truth, [result()], max_detections=[1, 10, 500])
    assert run.value("AP") == boxscore.evaluate(truth, [result()]).value("AP")


def test_q03_number_of_limits() -> None:
    truth = ground_truth()
    coco = reference.run(truth, [result()], limits=[100])
    with contextlib.redirect_stdout(io.StringIO()), pytest.raises(IndexError):
        coco.summarize()
    for limits in ([100], [1, 100], [1, 2, 3, 100]):
        run = boxscore.evaluate(truth, [result()], max_detections=limits)
        assert [run.value(f"AR[max={limit}]") for limit in limits] == [1.0] * len(limits)


def test_q04_empty_results() -> None:
    with pytest.raises(IndexError):
        load_results(ground_truth(), [])
    run = boxscore.evaluate(ground_truth(), [])
    assert run.value("AP") == 0.0
    assert run.value("AR") == 0.0
    assert run.value("AP[area=small]") is None


def test_q05_missing_iscrowd() -> None:
    truth = ground_truth(without(annotation(), "iscrowd"))
    with pytest.raises(KeyError, match="iscrowd"):
        reference.run(truth, [result()])
    assert recall(truth, [result()]) == 1.0


@pytest.mark.parametrize("row", [without(annotation(), "area"), annotation(area=None)], ids=["missing", "null"])
def test_q06_missing_area(row: Row) -> None:
    truth = ground_truth(row)
    with pytest.raises((KeyError, TypeError)):
        reference.run(truth, [result()])
    run = boxscore.evaluate(truth, [result()])
    assert run.value("AR[area=medium]") == 1.0
    assert [note.count for note in run.notes if note.code == "area-missing"] == [1]


def test_q07_text_ids() -> None:
    truth = ground_truth(
        annotation(id="x", image_id="one", category_id="c"),
        annotation(id=2, image_id=2, category_id="c"),
        images=[{"id": "one"}, {"id": 2}],
        categories=[{"id": "c", "name": "car"}],
    )
    results = [result(image_id="one", category_id="c"), result(image_id=2.0, category_id="c")]
    with pytest.raises((ValueError, TypeError)):
        reference.run(truth, results)
    assert recall(truth, results) == 1.0


def test_q08_ignore_is_overwritten() -> None:
    truth = ground_truth(annotation(), annotation(id=2, image_id=2, ignore=1))
    assert reference_recall(truth, [result()]) == 0.5
    assert recall(truth, [result()]) == 0.5
    assert "ignore-without-crowd" in codes(truth, [result()])
    assert recall(truth, [result()], ignore_flag="honour") == 1.0


def test_q09_missing_annotation_id() -> None:
    truth = ground_truth(without(annotation(), "id"))
    with pytest.raises(KeyError, match="id"):
        reference.run(truth, [result()])
    assert recall(truth, [result()]) == 1.0


def test_q10_duplicate_annotation_ids() -> None:
    truth = ground_truth(annotation(), annotation(image_id=2, bbox=[100, 0, 40, 40]))
    results = [result(), result(image_id=2, bbox=[100, 0, 40, 40])]
    assert reference_recall(truth, results) != 1.0
    assert recall(truth, results) == 1.0
    assert "duplicate-annotation-id" in codes(truth, results)


def test_q11_duplicate_category_ids() -> None:
    truth = ground_truth(categories=[{"id": 1, "name": "car"}, {"id": 1, "name": "bus"}])
    assert reference_recall(truth, [result()]) == 1.0
    refused("category id 1 .*2 times", truth, [result()])


def test_q12_image_ids_of_both_signs() -> None:
    ids = [-1, 2**63 + 1]
    rows = [annotation(id=number + 1, image_id=image) for number, image in enumerate(ids)]
    truth = ground_truth(*rows, images=[{"id": image} for image in ids])
    # The object of the second image is missed, which the reference does not see.
    assert reference_recall(truth, [result(image_id=-1)]) == 1.0
    assert recall(truth, [result(image_id=-1)]) == 0.5
    assert recall(truth, [result(image_id=image) for image in ids]) == 1.0


def test_q13_image_listed_twice() -> None:
    same = [{"id": 1, "width": 640}, {"id": 1, "width": 640}]
    other = [{"id": 1, "width": 640}, {"id": 1, "width": 320}]
    assert reference_recall(ground_truth(images=other), [result()]) == 1.0
    assert recall(ground_truth(images=same), [result()]) == 1.0
    assert "image-repeated" in codes(ground_truth(images=same), [result()])
    refused("image id 1 .*width", ground_truth(images=other), [result()])


def test_q14_integers_and_texts_that_look_alike() -> None:
    results = [result(image_id="1")]
    with pytest.raises(AssertionError, match="do not correspond"):
        load_results(ground_truth(), results)
    assert recall(ground_truth(), results) == 1.0
    assert "image-id-coerced" in codes(ground_truth(), results)
    refused("image_id", ground_truth(), [result(image_id="1"), result(image_id=1)])


def test_q15_ground_truth_without_categories() -> None:
    truth = without(ground_truth(), "categories")
    with pytest.raises(KeyError, match="categories"):
        load_results(truth, [result()])
    refused("categories", truth, [result()])


# Where the reference drops or keeps in silence


def test_q20_unknown_images() -> None:
    results = [result(), result(image_id=99, score=0.75)]
    with pytest.raises(AssertionError):
        load_results(ground_truth(), results)
    refused("99", ground_truth(), results)
    plain = boxscore.evaluate(ground_truth(), [result()]).value("AP")
    dropped = boxscore.evaluate(ground_truth(), results, reading=Reading(unknown_images="drop"))
    assert dropped.value("AP") == plain
    assert [note.count for note in dropped.notes if note.code == "unknown-image"] == [1]
    kept = boxscore.evaluate(ground_truth(), results, reading=Reading(unknown_images="background"))
    assert kept.value("AP") == pytest.approx(0.5)


def test_q21_unknown_categories() -> None:
    results = [result(), result(category_id=99)]
    assert reference_recall(ground_truth(), results) == 1.0
    refused("99", ground_truth(), results)
    assert recall(ground_truth(), results, unknown_labels="drop") == 1.0
    assert codes(ground_truth(), results, unknown_labels="drop") - codes(ground_truth(), [result()])


@pytest.mark.parametrize(
    ("row", "reading"),
    [
        (annotation(id=2, image_id=99), {"unknown_images": "drop"}),
        (annotation(id=2, category_id=99), {"unknown_labels": "drop"}),
    ],
    ids=["image", "category"],
)
def test_q22_annotations_of_the_unknown(row: Row, reading: dict[str, str]) -> None:
    truth = ground_truth(annotation(), row)
    assert reference_recall(truth, [result()]) == 1.0
    refused("99", truth, [result()])
    assert recall(truth, [result()], **reading) == 1.0
    assert codes(truth, [result()], **reading) - codes(ground_truth(), [result()])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_q23_scores_that_are_not_finite(number: float) -> None:
    results = [result(), result(score=number)]
    reference.run(ground_truth(), results)
    refused("score", ground_truth(), results)
    assert recall(ground_truth(), results, non_finite="drop") == 1.0
    assert "non-finite" in codes(ground_truth(), results, non_finite="drop")


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_q24_boxes_that_are_not_finite(number: float) -> None:
    results = [result(), result(bbox=[0, 0, number, 40])]
    refused("bbox", ground_truth(), results)
    assert recall(ground_truth(), results, non_finite="drop") == 1.0
    refused("bbox", ground_truth(annotation(), annotation(id=2, bbox=[number, 0, 1, 1])), [result()])


@pytest.mark.parametrize("box", [[0, 0, 0, 40], [0, 0, 40, -5]], ids=["zero", "negative"])
def test_q25_boxes_without_area(box: list[float]) -> None:
    area = box[2] * box[3]
    truth = ground_truth(annotation(), annotation(id=2, bbox=box, area=area))
    results = [result(), result(bbox=box, score=0.75)]
    run = boxscore.evaluate(truth, results)
    assert list(run.summary.values()) == reference.figures(reference.run(truth, results))
    assert "degenerate" in {note.code for note in run.notes}
    assert recall(truth, results, degenerate="drop") == 1.0


@pytest.mark.parametrize("box", [[0, 0, 40, 40], [0, 0, 2e5, 1e5]], ids=["stated", "real"])
def test_q26_objects_beyond_every_range(box: list[float]) -> None:
    truth = ground_truth(annotation(), annotation(id=2, image_id=2, area=2e10, bbox=box), images=[{"id": 1}, {"id": 2}])
    run = boxscore.evaluate(truth, [result()])
    assert list(run.summary.values()) == reference.figures(reference.run(truth, [result()]))
    assert run.value("AR") == 1.0
    assert "objects-out-of-range" in {note.code for note in run.notes}
    assert "objects-out-of-range" not in codes(ground_truth(), [result()])


def test_q27_scores_outside_0_to_1() -> None:
    results = [result(score=97), result(bbox=[300, 0, 40, 40], score=-3)]
    run = boxscore.evaluate(ground_truth(), results)
    assert list(run.summary.values()) == reference.figures(reference.run(ground_truth(), results))
    assert "score-range" in {note.code for note in run.notes}


def test_q28_detections_beyond_the_limit() -> None:
    results = [result(score=number / 200) for number in range(103)]
    run = boxscore.evaluate(ground_truth(), results)
    assert list(run.summary.values()) == reference.figures(reference.run(ground_truth(), results))
    assert [note.count for note in run.notes if "limit" in note.code] == [3]


def test_q29_tied_scores() -> None:
    away = result(bbox=[300, 0, 40, 40])
    for results in ([result(), away], [away, result()]):
        run = boxscore.evaluate(ground_truth(), results)
        assert list(run.summary.values()) == reference.figures(reference.run(ground_truth(), results))
        assert {"tied-scores", "scores-equal"} & {note.code for note in run.notes}


# Where the reference's form is not kept


def test_q40_undefined_is_null() -> None:
    coco = reference.run(ground_truth(), [result()])
    assert coco.stats[3] == -1
    run = boxscore.evaluate(ground_truth(), [result()])
    assert run.value("AP[area=small]") is None
    assert run.metrics.find("AP[area=small]")["reason"]


def test_q41_inputs_are_not_changed() -> None:
    truth, results = ground_truth(), [result()]
    before = copy.deepcopy((truth, results))
    boxscore.evaluate(truth, results)
    assert (truth, results) == before


def test_q42_fields_of_ground_truth_in_results() -> None:
    results = [result(area=1, iscrowd=1, id=0, ignore=1)]
    assert recall(ground_truth(), results) == 1.0
    assert boxscore.evaluate(ground_truth(), results).value("AR[area=medium]") == 1.0


def test_q43_limits_are_not_sorted_in_place() -> None:
    limits = [100, 1, 10]
    run = boxscore.evaluate(ground_truth(), [result()], max_detections=limits)
    assert limits == [100, 1, 10]
    assert run.protocol.max_detections == (1, 10, 100)


def test_every_row_of_the_document_has_its_test() -> None:
    """From Q44 on rows speak of `compat`, and its tests hold them."""
    rows = re.findall(r"^\| (Q\d+) \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    tests: dict[str, Callable[..., None]] = {
        name[5:8].upper(): value for name, value in globals().items() if name.startswith("test_q")
    }
    assert {row for row in rows if row < "Q44"} == set(tests)
