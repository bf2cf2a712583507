"""What notes and errors call things: ids and names as files state them, remedies as the user would ask for them."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from tests.support import command

Row = dict[str, Any]
GROUND_TRUTH: Row = {
    "images": [{"id": 1, "width": 640, "height": 480}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 40, 40], "area": 1600, "iscrowd": 0}],
    "categories": [{"id": 1, "name": "Car"}, {"id": 2, "name": "car"}, {"id": 3, "name": "Bus stop"}],
}


def result(**fields: Any) -> list[Row]:
    """One detection; of label 1 unless another is named."""
    label = {} if "category_name" in fields else {"category_id": 1}
    return [{"image_id": 1, "bbox": [0, 0, 40, 40], "score": 0.5} | label | fields]


def refusal(ground_truth: Row, results: list[Row], **reading: str) -> str:
    """The message of the error."""
    with pytest.raises(boxscore.InputError) as caught:
        boxscore.evaluate(ground_truth, results, reading=boxscore.Reading(**reading))
    return str(caught.value)


def with_annotation(**fields: Any) -> Row:
    """The ground truth, its annotation changed."""
    changed = copy.deepcopy(GROUND_TRUTH)
    changed["annotations"][0].update(fields)
    return changed


def test_a_name_that_could_be_several_is_ambiguous() -> None:
    message = refusal(GROUND_TRUTH, result(category_name="CAR"), label_match="fold")
    assert 'category_name "CAR" is ambiguous' in message
    assert '"Car" or "car"' in message
    assert "label_match" not in message
    dropping = boxscore.Reading(label_match="fold", unknown_labels="drop")
    notes = boxscore.evaluate(GROUND_TRUTH, result(category_name="CAR"), reading=dropping).notes
    told = [note.message for note in notes if note.code == "unknown-label"]
    assert len(told) == 1
    assert '"Car" or "car"' in told[0]
    assert "left out" in told[0]


def test_ambiguous_and_absent_names_are_told_apart() -> None:
    results = result(category_name="CAR") + result(category_name="truck")
    dropping = boxscore.Reading(label_match="fold", unknown_labels="drop")
    notes = boxscore.evaluate(GROUND_TRUTH, results, reading=dropping).notes
    assert [note.count for note in notes if note.code == "unknown-label"] == [1, 1]


@pytest.mark.parametrize(
    ("name", "match", "proposed"),
    [("bus  stop", "exact", True), ("CAR", "exact", False), ("truck", "exact", False), ("truck", "fold", False)],
)
def test_folding_is_proposed_where_it_helps(name: str, match: str, *, proposed: bool) -> None:
    message = refusal(GROUND_TRUTH, result(category_name=name), label_match=match)
    assert ('Reading(label_match="fold")' in message) == proposed


@pytest.mark.parametrize(
    ("stated", "shown"), [("01", '"01"'), (" 1", '" 1"'), ("a", '"a"'), ("a\nb", '"a\\nb"'), (7, "7"), (-7, "-7")]
)
def test_ids_are_shown_as_stated(stated: int | str, shown: str) -> None:
    assert f"image_id {shown} is not in" in refusal(GROUND_TRUTH, result(image_id=stated))
    assert f"image_id {shown} is not in" in refusal(with_annotation(image_id=stated), result())
    background = boxscore.Reading(unknown_images="background")
    notes = boxscore.evaluate(GROUND_TRUTH, result(image_id=stated), reading=background).notes
    assert [note.message.endswith(f"image_id {shown}") for note in notes if note.code == "background-images"] == [True]


def test_very_long_ids() -> None:
    assert "is not among" in refusal(GROUND_TRUTH, result(category_id="9" * 5000))
    assert "is not in" in refusal(GROUND_TRUTH, result(image_id="9" * 5000))


def test_names_are_quoted() -> None:
    with pytest.raises(boxscore.InputError, match='available are "Car", "car", "Bus stop"'):
        boxscore.evaluate(GROUND_TRUTH, result(), labels=["aeroplane"])
    with pytest.raises(boxscore.InputError, match='"Bsu stop" does not exist; did you mean "Bus stop"'):
        boxscore.evaluate(GROUND_TRUTH, result(), labels=["Bsu stop"])


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_the_remedy_is_where_the_fault_is(number: float) -> None:
    in_truth = refusal(with_annotation(bbox=[0, 0, number, 40]), result())
    assert "correct the annotation" in in_truth
    assert "model" not in in_truth
    in_results = refusal(GROUND_TRUTH, result(score=number))
    assert "mend the model's output" in in_results


def test_remedies_speak_to_who_asks(tmp_path: Path) -> None:
    results = result(image_id=9)
    assert 'Reading(unknown_images="drop")' in refusal(GROUND_TRUTH, results)
    (tmp_path / "gt.json").write_text(json.dumps(GROUND_TRUTH))
    (tmp_path / "pred.json").write_text(json.dumps(results))
    message = command.refusal(command.boxscore("eval", "gt.json", "pred.json", cwd=tmp_path))
    assert "--unknown-images drop" in message
    assert "Reading(" not in message


def test_notes_speak_to_who_asks(tmp_path: Path) -> None:
    flat = result(bbox=[0, 0, 40, 0])
    notes = boxscore.evaluate(GROUND_TRUTH, flat).notes
    assert [note.message for note in notes if 'Reading(degenerate="drop")' in note.message]
    (tmp_path / "gt.json").write_text(json.dumps(GROUND_TRUTH))
    (tmp_path / "pred.json").write_text(json.dumps(flat))
    errors = command.boxscore("eval", "gt.json", "pred.json", cwd=tmp_path).errors
    assert "--degenerate drop" in errors
    assert "Reading(" not in errors


@pytest.mark.parametrize("box_format", ["cxcywh", "yolo"])
def test_box_format_is_of_arrays_alone(box_format: str) -> None:
    with pytest.raises(boxscore.InputError, match="per-image arrays alone"):
        boxscore.evaluate(GROUND_TRUTH, result(), box_format=box_format)
