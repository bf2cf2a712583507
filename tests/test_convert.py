"""`boxscore convert`: what it prints, writes and refuses."""

import json
from pathlib import Path

import pytest

from tests.support.command import boxscore, refusal

GROUND_TRUTH = {
    "images": [{"id": 1, "file_name": "a.jpg", "width": 100, "height": 50}],
    "categories": [{"id": 7, "name": "cat"}],
    "annotations": [
        {"id": 1, "image_id": 1, "category_id": 7, "bbox": [1, 2, 3, 4], "area": 12, "iscrowd": 1},
    ],
}
RESULTS = [{"image_id": 1, "category_id": 7, "bbox": [1, 2, 3, 4], "score": 0.5}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gt.json").write_text(json.dumps(GROUND_TRUTH))
    (tmp_path / "dt.json").write_text(json.dumps(RESULTS))
    return tmp_path


def test_what_a_form_cannot_hold_is_listed(folder: Path) -> None:
    done = boxscore("convert", "gt.json", "xml", "--to", "voc-xml", cwd=folder)
    assert done.status == 0, done.errors
    assert "xml: Dataset 1 images, 1 objects, 1 labels, as voc-xml" in done.output
    assert "not held by voc-xml: crowd flags (1 object)" in done.output
    assert "not held by voc-xml: ids of labels (1 label)" in done.output
    assert (folder / "xml" / "a.xml").is_file()
    assert sorted(path.name for path in folder.iterdir()) == ["dt.json", "gt.json", "xml"]


def test_predictions_by_their_ground_truth(folder: Path) -> None:
    done = boxscore("convert", "dt.json", "dt.csv", "--to", "table", "--ground-truth", "gt.json", "--json", cwd=folder)
    assert done.status == 0, done.errors
    assert done.report["lost"] == []
    lines = (folder / "dt.csv").read_text().splitlines()
    assert lines == ["image_id,label,x,y,w,h,score", "1,cat,1.0,2.0,3.0,4.0,0.5"]


def test_nothing_is_overwritten_unasked(folder: Path) -> None:
    before = (folder / "dt.json").read_bytes()
    assert "dt.json exists" in refusal(boxscore("convert", "gt.json", "dt.json", "--to", "coco", cwd=folder))
    assert (folder / "dt.json").read_bytes() == before
    done = boxscore("convert", "gt.json", "dt.json", "--to", "coco", "--overwrite", cwd=folder)
    assert done.status == 0, done.errors
    assert json.loads((folder / "dt.json").read_text()) == GROUND_TRUTH


def test_a_folder_with_other_files_is_never_replaced(folder: Path) -> None:
    arguments = ("convert", "gt.json", "xml", "--to", "voc-xml", "--overwrite")
    assert boxscore(*arguments, cwd=folder).status == 0
    assert boxscore(*arguments, cwd=folder).status == 0
    (folder / "xml" / "a.jpg").write_bytes(b"picture")
    assert "xml holds a.jpg" in refusal(boxscore(*arguments, cwd=folder))
    assert (folder / "xml" / "a.jpg").read_bytes() == b"picture"
    assert (folder / "xml" / "a.xml").is_file()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("gt.json", "out", "--to", "voc"), "there is no form 'voc'; known are"),
        (("gt.json", "out", "--to", "voc-results"), "form voc-results holds no ground truth to write"),
        (("dt.json", "out", "--to", "cvat", "--ground-truth", "gt.json"), "form cvat holds no predictions to write"),
        (("none.json", "out.json", "--to", "coco"), "none.json: there is no such file or folder"),
        (("results", "out.json", "--to", "coco"), "results holds predictions (voc-results)"),
    ],
)
def test_refusals(folder: Path, arguments: tuple[str, ...], told: str) -> None:
    (folder / "results").mkdir()
    (folder / "results" / "comp4_det_test_cat.txt").write_text("a 0.5 1 2 4 6\n")
    assert told in refusal(boxscore("convert", *arguments, cwd=folder))
    assert not (folder / "out").exists()


def test_reading_and_writing_have_options_of_their_own(folder: Path) -> None:
    corners = folder / "corners"
    corners.mkdir()
    (corners / "a.txt").write_text("cat 1 2 4 6\n")
    sizes = ["--img-size", "100,50"]
    done = boxscore(
        "convert", "corners", "yolo", "--from", "text", "--boxes", "xyxy", "--to", "yolo", *sizes, cwd=folder
    )
    assert done.status == 0, done.errors
    label = next(path for path in (folder / "yolo").rglob("a.txt"))
    assert [float(number) for number in label.read_text().split()] == [0, 0.025, 0.08, 0.03, 0.08]
    back = ["--to-boxes", "xyxy", "--to-coords", "abs"]
    done = boxscore("convert", "yolo", "back", "--to", "text", *back, *sizes, cwd=folder)
    assert done.status == 0, done.errors
    name, *numbers = next((folder / "back").rglob("a.txt")).read_text().split()
    assert name == "cat"
    assert [float(number) for number in numbers] == pytest.approx([1, 2, 4, 6])


def test_an_error_names_the_target_as_given(folder: Path) -> None:
    message = refusal(boxscore("convert", "gt.json", "rows", "--to", "table", cwd=folder))
    assert "rows" in message
    assert ".part." not in message


def test_a_folder_with_one_file_stands_for_it(folder: Path) -> None:
    (folder / "gt").mkdir()
    (folder / "gt.json").rename(folder / "gt" / "gt.json")
    done = boxscore("convert", "gt", "rows.csv", "--to", "table", cwd=folder)
    assert done.status == 0, done.errors
