"""Cases from public bug reports in YOLO's text and in text folders: what the tables hold, and what is told.

Their values are checked through the command line (test_cases_command.py).
"""

import os
import shutil
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.io import yolo
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from tests.support.text_cases import evaluated, notes, read_corners, read_yolo


def case(folder: Path, number: int) -> Path:
    return next(folder.glob(f"{number}-*"))


def test_images_without_prediction_file_are_told(cases_folder: Path) -> None:
    folder = case(cases_folder, 16)
    told = notes(evaluated(read_corners(folder / "gt", folder / "dt")))
    assert "dt/: 2 images without a file, taken to be without detections: b, c" in told


def test_decimal_comma(cases_folder: Path) -> None:
    folder = case(cases_folder, 76)
    with pytest.raises(InputError, match="decimal comma") as caught:
        read_yolo(folder / "labels", folder / "preds")
    for word in ("labels/a.txt", "line 1", "0,25"):
        assert word in str(caught.value)


def test_ground_truth_with_confidence_column(cases_folder: Path) -> None:
    folder = case(cases_folder, 78)
    with pytest.raises(InputError, match="is this a prediction file") as caught:
        read_yolo(folder / "labels", folder / "preds")
    assert "labels/a.txt line 1" in str(caught.value)


def test_coordinates_out_of_range(cases_folder: Path) -> None:
    folder = case(cases_folder, 80)
    with pytest.raises(InputError, match=r"x = 1.25 is outside 0\.\.1") as caught:
        read_yolo(folder / "labels", folder / "preds")
    assert "labels/a.txt line 2" in str(caught.value)


def test_missing_and_empty_label_files_are_told(cases_folder: Path) -> None:
    folder = case(cases_folder, 82)
    told = notes(evaluated(read_yolo(folder / "labels", folder / "preds")))
    assert "1 image has no label file (c.png) and 1 label file without a line (b.txt), counted as empty" in told


def test_one_stem_for_two_pictures(cases_folder: Path) -> None:
    folder = case(cases_folder, 86) / "ext"
    with pytest.raises(InputError, match="share the stem x") as caught:
        read_yolo(folder / "labels", folder / "preds")
    for word in ("ext/images", "x.png", "x.jpg"):
        assert word in str(caught.value)


def test_folders_are_part_of_an_image_id(cases_folder: Path) -> None:
    folder = case(cases_folder, 86) / "dirs"
    predictions = read_yolo(folder / "labels", folder / "preds")
    assert predictions.dataset.image_ids == ["cam1/001", "cam2/001"]


def test_names_outside_ascii_stay_as_they_are(cases_folder: Path) -> None:
    folder = case(cases_folder, 88) / "utf8"
    dataset = read_yolo(folder / "labels", folder / "preds").dataset
    assert dataset.image_ids == ["café_01"]
    assert list(dataset.labels) == ["고양이", "straße"]


def test_class_names_in_another_code_page(cases_folder: Path) -> None:
    folder = case(cases_folder, 88) / "cp1252"
    with pytest.raises(InputError, match=r"byte 0xE9 at offset 3 is not UTF-8") as caught:
        read_yolo(folder / "labels", folder / "preds")
    assert "cp1252/classes.txt" in str(caught.value)


def test_a_file_name_that_is_no_text(cases_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "rawname"
    shutil.copytree(case(cases_folder, 88) / "rawname", folder)
    with open(os.fsencode(folder / "labels") + b"/b\xff.txt", "w") as file:  # noqa: PTH123  the name is bytes
        file.write("0 0.75 0.75 0.2 0.2\n")
    run = evaluated(read_yolo(folder / "labels", folder / "preds"))
    assert run.value("AP") == pytest.approx(1)
    assert r"b\xff.txt" in notes(run)


def test_a_photo_stored_sideways(cases_folder: Path) -> None:
    dataset = yolo.read_ground_truth(case(cases_folder, 90) / "labels", FormOptions(), Reading())
    sizes = [dataset.images.column(side).to_list() for side in ("width", "height")]
    assert sizes == [[56.0], [96.0]]
