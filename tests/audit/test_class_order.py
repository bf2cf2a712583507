"""The class orders of `voc100_real_dets`: text detections, YOLO labels and COCO detections each have their own."""

import csv
import json
from pathlib import Path

import pytest

from tests.support import command

AP = 0.3469581862666092
"""COCO AP of these detections with the right names."""


@pytest.fixture(scope="module")
def folder(data_folder: Path) -> Path:
    return data_folder / "voc100_real_dets"


@pytest.fixture(scope="module")
def sizes(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pictures are not there; their sizes stand in another form of the same ground truth."""
    images = json.loads((folder / "gts/coco_format_v1/instances_default.json").read_text())["images"]
    path = tmp_path_factory.mktemp("sizes") / "sizes.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "width", "height"])
        writer.writerows([image["file_name"], image["width"], image["height"]] for image in images)
    return path


def notes(finished: command.Finished) -> dict[str, str]:
    return {note["code"]: note["message"] for note in finished.report["notes"]}


def test_text_detections_beside_yolo_labels(folder: Path, sizes: Path) -> None:
    """Numbers by `voc.names` beside numbers by `obj.names`: every label means another one, and AP is 0."""
    sides = folder / "gts/yolo_format", folder / "dets/rel_xywh"
    stated = command.evaluate(*sides, "--images", str(sizes))
    assert stated.report["summary"]["AP"] == pytest.approx(0, abs=0.01)
    told = notes(stated)["other-reading-fits"]
    assert "alphabetical order" in told
    assert "20 of 20 labels" in told
    assert '"chair" lies on "person" in 78 of 79 objects' in told
    for options in (["--assume", "fit"], ["--pred-classes", str(folder / "voc.names")]):
        right = command.evaluate(*sides, "--images", str(sizes), *options)
        assert right.report["summary"]["AP"] == pytest.approx(AP, abs=1e-6)
    stopped = command.evaluate(*sides, "--images", str(sizes), "--assume", "stop")
    assert "AP@0.5 0.610 instead of 0.000" in command.refusal(stopped)


def test_numbers_of_the_third_order(folder: Path, tmp_path: Path) -> None:
    """COCO's detections without the names that they bring along: an order that no rule gives, found from boxes."""
    content = json.loads((folder / "dets/coco_format/coco_dets.json").read_text())
    names = {image["id"]: image["file_name"] for image in content["images"]}
    truth = json.loads((folder / "gts/coco_format_v1/instances_default.json").read_text())
    ids = {image["file_name"]: image["id"] for image in truth["images"]}
    first = min(category["id"] for category in truth["categories"])
    rows = [
        {
            "image_id": ids[names[row["image_id"]]],
            "category_id": row["category_id"] + first,
            "bbox": row["bbox"],
            "score": row["score"],
        }
        for row in content["annotations"]
    ]
    (tmp_path / "dt.json").write_text(json.dumps(rows))
    ground_truth = folder / "gts/coco_format_v1/instances_default.json"
    fitted = command.evaluate(ground_truth, tmp_path / "dt.json", "--assume", "fit")
    assert "labels in another order" in notes(fitted)["other-reading-fits"]
    # These boxes lost their fractions in the making of that file, or gained them: the text's AP to three digits.
    assert fitted.report["summary"]["AP"] == pytest.approx(AP, abs=1e-3)


def test_the_right_names_raise_no_doubt(folder: Path) -> None:
    right = command.evaluate(folder / "derived_gt_coco.json", folder / "derived_dt_coco.json")
    assert "other-reading-fits" not in notes(right)
    report = command.boxscore(
        "audit", folder / "derived_gt_coco.json", folder / "derived_dt_coco.json", "--json"
    ).report
    assert not {"class-order", "box-reading"} & {found["code"] for found in report["findings"]}


def test_the_audit_finds_order_and_corners_of_bare_numbers(folder: Path) -> None:
    """Corners in text, labels as numbers, ground truth with names: eval refuses, the audit says what fits."""
    sides = folder / "gts/pascalvoc_format", folder / "dets/abs_xyx2y2"
    assert "--pred-classes" in command.refusal(command.evaluate(*sides))
    report = command.boxscore("audit", *sides, "--json").report
    found = {finding["code"]: finding for finding in report["findings"]}
    assert found["labels-by-number"]["count"] == 452
    assert found["box-reading"]["bound"] == "measured: AP@0.5 0.029 -> 0.439"
    assert "--boxes xyxy" in found["box-reading"]["remedy"]
    assert found["class-order"]["bound"].endswith("-> 0.610")
    assert "alphabetical" in found["class-order"]["message"]
