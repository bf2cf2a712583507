"""Answers of vision-language models from the command line, and the mistakes that users make with them."""

import json
from pathlib import Path

import pytest

from tests.formats.test_answers import CAR, dataset, records
from tests.support import command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """`gt.json`, and `answers.jsonl` with a car in the first of two images."""
    dataset(tmp_path)
    records(tmp_path, {"image_id": 1, "answer": CAR}, {"image_id": 2, "answer": "none"})
    return tmp_path


def refused(folder: Path, *arguments: str) -> str:
    return command.refusal(command.boxscore("eval", *arguments, cwd=folder))


def test_convert_and_audit_read_answers(folder: Path) -> None:
    target = ("out.json", "--to", "coco", "--ground-truth", "gt.json", "--answer-scale", "thousand")
    done = command.boxscore("convert", "answers.jsonl", *target, cwd=folder)
    assert done.status == 0, done.errors
    (row,) = json.loads((folder / "out.json").read_text())
    assert row["bbox"] == [40, 8, 80, 8]
    audited = command.boxscore("audit", "gt.json", "answers.jsonl", "--json", cwd=folder)
    found = {finding["code"]: finding for finding in audited.report["findings"]}
    assert "prompt" in found["answers-unreadable"]["remedy"]
    assert "ap-degenerate" not in found


def test_a_json_file_of_answers_is_known_for_one_and_its_errors_are_told(folder: Path) -> None:
    rows = [{"image_id": 1, "answer": CAR}, {"image_id": 9, "answer": CAR}]
    (folder / "answers.json").write_text(json.dumps(rows))
    assert "answers.json entry 1: there is no image 9 in gt.json" in refused(folder, "gt.json", "answers.json")
    done = command.evaluate("gt.json", "answers.json", "--unknown-images", "drop", cwd=folder)
    assert {"read-as", "unknown-image"} <= {note["code"] for note in done.report["notes"]}


def test_mistakes(folder: Path) -> None:
    assert "--unknown-images drop" in refused(
        folder, "gt.json", str(records(folder, {"image": "z", "answer": CAR}, name="z.jsonl"))
    )
    damaged = records(folder, json.dumps({"image_id": 1, "answer": CAR}), '{"image_id": 1, "answer": "', name="d.jsonl")
    assert "d.jsonl line 2, column" in refused(folder, "gt.json", str(damaged))
    assert "holds no ground truth" in refused(folder, "answers.jsonl", "gt.json", "--gt-format", "answers")
    assert (
        "invalid choice: 'percent'"
        in command.boxscore("eval", "gt.json", "answers.jsonl", "--answer-scale", "percent", cwd=folder).errors
    )
    unknown = records(folder, {"image_id": 1, "answer": CAR.replace("car", "red car")}, name="u.jsonl")
    told = refused(folder, "gt.json", str(unknown))
    assert 'category_name "red car" is not among the categories' in told
    assert "--unknown-labels drop" in told


def test_a_folder_of_words_alone_can_be_named_as_answers(folder: Path) -> None:
    (folder / "said").mkdir()
    (folder / "said" / "a.txt").write_text("I see nothing.")
    assert "--pred-format" in refused(folder, "gt.json", "said")
    done = command.boxscore("eval", "gt.json", "said", "--pred-format", "answers", cwd=folder)
    assert done.status == 0, done.errors
    assert "answers that can't be read: 1 of 1" in done.errors


def test_text_folders_and_yolo_are_not_taken_for_answers(folder: Path) -> None:
    for line, form in (("car 0.5 1 2 3 4", "text folder"), ("0 0.2 0.2 0.1 0.1 0.5", "YOLO text")):
        (folder / "other").mkdir(exist_ok=True)
        (folder / "other" / "a.txt").write_text(f"{line}\n")
        done = command.boxscore("eval", "gt.json", "other", cwd=folder)
        assert done.status == 0, done.errors
        assert "vision-language" not in done.errors, form


def test_another_scale_that_fits_is_told_or_stops(folder: Path) -> None:
    said = [{"bbox_2d": box, "label": "car"} for box in ([250, 200, 750, 400], [25, 500, 125, 750])]
    file = str(records(folder, {"image_id": 1, "answer": said}, {"image_id": 2, "answer": "[]"}, name="q.jsonl"))
    done = command.boxscore("eval", "gt.json", file, cwd=folder)
    assert done.status == 0, done.errors
    assert "would fit better as [x1, y1, x2, y2] in 0..1000" in done.errors
    for assume in ("stop", "fit"):
        told = refused(folder, "gt.json", file, "--assume", assume)
        assert told.endswith("--answer-scale thousand reads them so: give that, or go on with --assume stated")
    done = command.boxscore("eval", "gt.json", file, "--answer-scale", "thousand", "--assume", "stop", cwd=folder)
    assert done.status == 0, done.errors
    assert "precision 1.000, recall 1.000" in done.output


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"image_id": 1, "output": CAR}, "lines.jsonl line 1: the answer is missing (fields: image_id, output)"),
        ({"answer": CAR}, "lines.jsonl line 1: the image is missing (fields: answer)"),
        ({"image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "score": 0.5}, "an object is found where a list"),
    ],
)
def test_lines_that_lack_a_field_are_told_which(folder: Path, row: dict[str, object], words: str) -> None:
    (folder / "lines.jsonl").write_text(json.dumps(row) + "\n")
    assert words in refused(folder, "gt.json", "lines.jsonl")
