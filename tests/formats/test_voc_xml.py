"""VOC XML: corners two ways, flags, attributes, and errors that name file and object."""

from pathlib import Path

import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.io import coco_form, voc_results, voc_xml
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from boxscore.pipeline.evaluate import effective_protocol, finish
from tests.support.shared import folder_or_skip

OBJECT = (
    "<object><name>{}</name>{}<bndbox><xmin>{}</xmin><ymin>1</ymin><xmax>10</xmax><ymax>10</ymax></bndbox></object>"
)


def write(folder: Path, *objects: str, name: str = "a.xml") -> Path:
    folder.mkdir(exist_ok=True)
    head = "<filename>a.jpg</filename><size><width>20</width><height>30</height><depth>3</depth></size>"
    (folder / name).write_text(f"<annotation>{head}{''.join(objects)}</annotation>", encoding="utf-8")
    return folder


def read(path: Path, **options: str) -> boxscore.Dataset:
    return voc_xml.read_ground_truth(path, FormOptions(**options), Reading())  # type: ignore[arg-type]  # of texts


@pytest.mark.parametrize(("corners", "value"), [("pixels", 1.0), (None, 0.7)])
def test_case_40_has_both_readings(corners: str | None, value: float) -> None:
    case = folder_or_skip("cases") / "40-voc-one-based-corners"
    dataset = voc_xml.read_ground_truth(case / "Annotations", FormOptions(corners=corners), Reading())
    predictions = coco_form.read_predictions(case / "dt.json", dataset, FormOptions(), Reading())
    run = finish(predictions, effective_protocol("coco", Reading()))
    assert run.value("AP") == pytest.approx(value, abs=1e-6)
    assert "corners" in dataset.notes[0].message


def test_plain_corners_are_recorded_as_inclusive(tmp_path: Path) -> None:
    folder = write(tmp_path / "xml", OBJECT.format("car", "", 1))
    plain, pixels = read(folder), read(folder, corners="pixels")
    assert plain.corner_convention == "inclusive"
    assert [plain.ground_truth.column(name).to_list()[0] for name in "xywh"] == [1, 1, 9, 9]
    assert pixels.corner_convention == "continuous"
    assert [pixels.ground_truth.column(name).to_list()[0] for name in "xywh"] == [0, 0, 10, 10]


def test_flags_attributes_and_images_without_objects(tmp_path: Path) -> None:
    marked = "<truncated>1</truncated><difficult>1</difficult>"
    folder = write(tmp_path / "xml", OBJECT.format("car", marked, 1), OBJECT.format("a b", "", 2))
    write(folder, name="empty.xml")
    dataset = read(folder)
    assert dataset.image_ids == ["a", "empty"]
    assert dataset.labels.names == ("car", "a b")
    assert dataset.ground_truth.column("difficult").to_list() == [True, False]
    assert dataset.attributes == {"truncated": [True, None]}
    assert dataset.images.column("width").to_list() == [20, 20]


@pytest.mark.parametrize(
    ("objects", "told"),
    [
        (OBJECT.format("car", "", "1,5"), "a.xml object 1: xmin is '1,5'; it must be a number; write a decimal point"),
        (OBJECT.format("", "", 1), "a.xml object 1: name is missing"),
        ("<object><name>car</name></object>", "a.xml object 1 (car): bndbox is missing"),
        ("<object>", "a.xml line 1: this is no well-formed XML"),
        (OBJECT.format("car", "<difficult>maybe</difficult>", 1), "difficult is 'maybe'; it must be 0 or 1"),
    ],
)
def test_errors_name_file_and_object(tmp_path: Path, objects: str, told: str) -> None:
    folder = write(tmp_path / "xml", objects)
    with pytest.raises(InputError) as error:
        read(folder)
    assert told in str(error.value)


def test_bccd_counts_and_its_two_boxes_without_area() -> None:
    dataset = read(folder_or_skip("data") / "bccd" / "BCCD")
    assert (dataset.num_images, dataset.num_objects) == (364, 4888)
    counts = dict(zip(dataset.labels.names, dataset.kernel.objects_by_label(3), strict=True))
    assert counts == {"RBC": 4155, "WBC": 372, "Platelets": 361}
    assert sum(map(bool, dataset.attributes["truncated"])) == 1131
    (note,) = [note for note in dataset.notes if note.code == "degenerate"]
    assert note.count == 2
    assert "BloodImage_00338.xml object 13" in note.message
    assert "BloodImage_00343.xml object 4" in note.message


def test_result_files_of_labels_with_underscores(tmp_path: Path) -> None:
    dataset = read(write(tmp_path / "xml", OBJECT.format("box_car", "", 1), OBJECT.format("car", "", 1)))
    results = tmp_path / "results"
    results.mkdir()
    (results / "comp4_det_test_box_car.txt").write_text("a 0.5 1 1 10 10\n")
    (results / "comp4_det_val_car.txt").write_text("a 0.25 2 1 10 10\r\n")
    predictions = voc_results.read_predictions(results, dataset, FormOptions(), Reading())
    table = predictions.table
    assert table.column("label").to_list() == [0, 1]
    assert [table.column(name).to_list() for name in ("x", "w", "score")] == [[1, 2], [9, 8], [0.5, 0.25]]
    (results / "comp4_det_val_car.txt").write_text("a 0.25 2 1 10\n")
    with pytest.raises(InputError, match=r"comp4_det_val_car.txt line 1: line: expected an image id, a score"):
        voc_results.read_predictions(results, dataset, FormOptions(), Reading())
