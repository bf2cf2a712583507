"""Readings that could differ are measured, and the one that fits is found: boxes, shares, orders of labels."""

from typing import Any

import pytest

import boxscore
from boxscore.audit import doubts, readings
from boxscore.errors import InputError
from tests.audit import made

GROUND_TRUTH, RESULTS = made.pair()
PLAIN = boxscore.evaluate(GROUND_TRUTH, RESULTS).summary


def misread(name: str) -> tuple[Any, Any]:
    """Ground truth and results of which one is in another form than COCO's."""
    annotations = GROUND_TRUTH["annotations"]
    return {
        "predictions as corners": (GROUND_TRUTH, made.as_corners(RESULTS)),
        "predictions as centres": (GROUND_TRUTH, made.as_centre(RESULTS)),
        "predictions in shares": (GROUND_TRUTH, made.as_shares(RESULTS)),
        "centres in shares": (GROUND_TRUTH, made.as_shares(made.as_centre(RESULTS))),
        "ground truth as corners": (GROUND_TRUTH | {"annotations": made.as_corners(annotations)}, RESULTS),
        "ground truth in shares": (GROUND_TRUTH | {"annotations": made.as_shares(annotations)}, RESULTS),
        "labels in another order": (GROUND_TRUTH, made.renumbered(RESULTS, [3, 0, 1, 4, 2])),
        "both": (GROUND_TRUTH, made.renumbered(made.as_corners(RESULTS), [3, 0, 1, 4, 2])),
    }[name]


EXPECTED = {
    "predictions as corners": ["--boxes xyxy"],
    "predictions as centres": ["--boxes cxcywh"],
    "predictions in shares": ["--coords rel"],
    "centres in shares": ["--coords rel --boxes cxcywh"],
    "ground truth as corners": ["--gt-boxes xyxy"],
    "ground truth in shares": ["--gt-coords rel"],
    "labels in another order": ["--pred-classes FILE"],
    "both": ["--boxes xyxy", "--pred-classes FILE"],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_reading_that_fits_is_found_and_taken(name: str) -> None:
    run = boxscore.evaluate(*misread(name))
    assert run.summary["AP"] != PLAIN["AP"]
    assert doubts.are_doubts(run)
    assert run.predictions is not None
    found = readings.better_readings(run.predictions)
    assert [other.option.partition(" (")[0] for other in found] == EXPECTED[name]
    fitted = readings.settle(run, "fit")
    assert fitted.summary["AP"] == pytest.approx(PLAIN["AP"], abs=1e-12)
    assert [note.code for note in fitted.notes].count(readings.CODE) == len(found)


@pytest.mark.parametrize("name", EXPECTED)
def test_as_stated_the_figures_stay_and_a_note_tells(name: str) -> None:
    run = boxscore.evaluate(*misread(name))
    before = dict(run.summary)
    settled = readings.settle(run, "stated")
    assert settled.summary == before
    messages = [note.message for note in settled.notes if note.code == readings.CODE]
    assert messages
    assert all("--assume fit" in message for message in messages)


def test_stop_is_an_error_that_names_file_option_and_both_fits() -> None:
    run = boxscore.evaluate(*misread("predictions as corners"))
    with pytest.raises(InputError, match=r"predictions: boxes as corners .* 1\.000 instead of 0\.\d+.*--boxes xyxy"):
        readings.settle(run, "stop")


def test_what_is_read_well_gives_no_doubt() -> None:
    run = boxscore.evaluate(GROUND_TRUTH, RESULTS)
    assert not doubts.are_doubts(run)
    assert run.predictions is not None
    assert readings.better_readings(run.predictions) == []
    assert readings.settle(run, "stop") is run


def test_the_options_that_are_proposed_read_the_file_so() -> None:
    options = boxscore.FormOptions(coords="rel", boxes="cxcywh")
    run = boxscore.evaluate(*misread("centres in shares"), pred_options=options)
    assert run.summary["AP"] == pytest.approx(PLAIN["AP"], abs=1e-12)


def test_one_label_taken_for_another_is_no_order_of_numbers() -> None:
    """A detector that calls each cat a person is wrong, its numbers are not."""
    run = boxscore.evaluate(GROUND_TRUTH, made.renumbered(RESULTS, [0, 0, 2, 3, 4]))
    assert run.predictions is not None
    assert readings.better_readings(run.predictions) == []


def test_labels_that_boxes_do_not_tell_are_not_guessed() -> None:
    """Two labels without overlapping boxes could be either of the two names left."""
    numbers = [3, 0, 1, 4, 2]
    results = made.renumbered(RESULTS, numbers)
    for row in results:
        if row["category_id"] in (2, 4):
            row["bbox"] = [600, 440, 10, 10]
    run = boxscore.evaluate(GROUND_TRUTH, results)
    with pytest.raises(InputError, match="boxes don't tell what"):
        readings.settle(run, "fit")


def test_an_empty_side_has_no_other_reading() -> None:
    for ground_truth, results in ((GROUND_TRUTH, []), (GROUND_TRUTH | {"annotations": []}, RESULTS)):
        run = boxscore.evaluate(ground_truth, results)
        assert not doubts.are_doubts(run)
        assert run.predictions is not None
        assert readings.better_readings(run.predictions) == []


def test_a_word_for_assume_that_is_none_is_refused() -> None:
    run = boxscore.evaluate(
        {"images": [{"id": 1}], "annotations": [], "categories": [{"id": 1, "name": "thing"}]},
        [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "score": 0.5}],
    )
    with pytest.raises(boxscore.InputError, match="assume is 'best'; it must be one of stated, fit, stop"):
        readings.settle(run, "best")
