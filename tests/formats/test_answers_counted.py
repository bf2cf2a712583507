"""Answers that can't be read, images without or with several, unknown labels: counted, refused or left out."""

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.model.reading import Reading
from tests.formats.tables import detections_of
from tests.formats.test_answers import CAR, counts, dataset, note, read, records


def test_each_kind_of_unreadable_is_counted(tmp_path: Path) -> None:
    said: list[Any] = ["", None, "Sorry, no.", "No cars.", '[{"bbox": [1, 2', CAR + CAR[:20], "[]"]
    content: dict[str, Any] = {
        "images": [{"id": i, "width": 400, "height": 200} for i in range(len(said) + 1)],
        "annotations": [],
    }
    content["categories"] = [{"id": 1, "name": "car"}, {"id": 2, "name": "dog"}]
    gt = boxscore.read_ground_truth(content)
    found = read(records(tmp_path, *({"image_id": i, "answer": text} for i, text in enumerate(said))), gt)
    assert counts(found) == {
        "read-as": 1,
        "images-without-answer": 1,
        "answers-empty": 2,
        "answers-unreadable": 3,
        "answer-boxes-unreadable": 1,
    }
    told = note(found, "answers-unreadable")
    assert "answers that can't be read: 3 of 7, each an image without detections: 2 in words alone" in told
    assert "1 with damaged JSON" in told
    assert "(first image 2, answers.jsonl line 3)" in told
    assert "in 1 readable answer 1 box is left out" in note(found, "answer-boxes-unreadable")
    assert found.dataset.num_images == 8
    assert len(detections_of(found)) == 1


def test_answers_that_are_all_unreadable_are_an_evaluation_with_nothing_found(tmp_path: Path) -> None:
    gt = dataset(tmp_path)
    found = read(records(tmp_path, {"image_id": 1, "answer": "no"}, {"image_id": 2, "answer": "no"}), gt)
    assert found.num_rows == 0
    assert boxscore.evaluate(gt, found).value("AR") == 0.0
    assert "no box (override" in note(found, "read-as")


def test_several_answers_of_an_image_are_joined_and_repeats_count_once(tmp_path: Path) -> None:
    dog = '[{"bbox": [1, 2, 3, 4], "label": "dog"}]'
    rows = [{"image_id": 1, "answer": text} for text in (CAR, dog, CAR)] + [{"image_id": 2, "answer": ""}]
    found = read(records(tmp_path, *rows), dataset(tmp_path))
    assert [row[1] for row in detections_of(found)] == ["car", "dog"]
    assert counts(found) == {"read-as": 2, "answers-repeated": 1, "answers-joined": 1, "answers-empty": 1}
    assert "first answers.jsonl line 3" in note(found, "answers-repeated")


def test_images_that_the_ground_truth_lacks(tmp_path: Path) -> None:
    gt = dataset(tmp_path)
    file = records(
        tmp_path, {"image_id": 1, "answer": CAR}, {"image_id": 7, "answer": CAR}, {"image_id": 8, "answer": ""}
    )
    with pytest.raises(
        InputError, match=r"line 2: there is no image 7 in gt.json \(2 answers of 3\); its images are 1, 2"
    ):
        read(file, gt)
    dropped = read(file, gt, Reading(unknown_images="drop"))
    assert counts(dropped)["unknown-image"] == 2
    assert dropped.dataset.num_images == 2
    kept = read(file, gt, Reading(unknown_images="background"))
    assert kept.dataset.num_images == 4
    assert len(detections_of(kept)) == 2


def test_labels_go_by_the_usual_policies(tmp_path: Path) -> None:
    gt = dataset(tmp_path)
    boxes = [{"bbox": [1, 2, 3, 4], "label": name} for name in ("car", "Car ", "red car")]
    file = records(tmp_path, {"image_id": 1, "answer": boxes}, {"image_id": 2, "answer": "[]"})
    with pytest.raises(InputError, match=r'answers.jsonl line 1: category_name "Car" is not among.*did you mean "car"'):
        read(file, gt)
    found = read(file, gt, Reading(unknown_labels="drop", label_match="fold"))
    assert len(detections_of(found)) == 2
    assert counts(found) == {"read-as": 3, "label-folded": 1, "unknown-label": 1}


def test_aliases_of_a_taxonomy_apply(tmp_path: Path) -> None:
    dataset(tmp_path)
    file = records(
        tmp_path, {"image_id": 1, "answer": CAR.replace('"car"', '"automobile"')}, {"image_id": 2, "answer": ""}
    )
    taxonomy = {"aliases": {"automobile": "car", "dog": "dog"}}
    run = boxscore.evaluate(tmp_path / "gt.json", file, taxonomy=taxonomy)
    assert run.value("TP@0.5", "car") == 1


def test_a_single_label_is_that_of_boxes_without_one(tmp_path: Path) -> None:
    gt = dataset(tmp_path, labels=("car",))
    found = read(records(tmp_path, {"image_id": 1, "answer": "The box: [100, 40, 300, 80]"}), gt)
    assert detections_of(found) == [("a", "car", (100.0, 40.0, 200.0, 40.0), 1.0)]


def test_scores_that_some_boxes_lack_are_told(tmp_path: Path) -> None:
    boxes = [{"bbox": [1, 2, 3, 4], "label": "car", **score} for score in ({"score": 0.5}, {})]
    found = read(records(tmp_path, {"image_id": 1, "answer": boxes}), dataset(tmp_path))
    assert [row[3] for row in detections_of(found)] == [0.5, 1.0]
    assert "1 box without a score: 1 (override" in note(found, "read-as")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("[1, 2", r"answers.jsonl line 1, column \d+: no valid JSON .*each line must be a record of its own"),
        ("3", r"3 is found where records are expected"),
        ("[[1]]", r"entry 0 is \[1\]; it must be a record"),
        ('{"image_id": 1}', r"line 1: the answer is missing \(fields: image_id\); give it as answer, response, text"),
        ('{"answer": ""}', r"line 1: the image is missing \(fields: answer\)"),
        ('{"image_id": 1.5, "answer": ""}', r"image_id is 1.5; it must be a whole number or a text"),
        ('{"image_id": 1e999, "answer": ""}', r"image_id is inf; it must be"),
        ("", r"there is not one answer in it"),
    ],
)
def test_records_that_are_none_are_refused(tmp_path: Path, row: str, told: str) -> None:
    gt = dataset(tmp_path)
    row = f"{row}\n{row}" if row == "[1, 2" else row
    file = records(tmp_path, *([json.dumps({"image_id": 1, "answer": ""}), row] if row.startswith("[1, 2") else [row]))
    told = told.replace("line 1, column", "line 2, column") if row.startswith("[1, 2") else told
    with pytest.raises(InputError, match=told):
        read(file, gt)
