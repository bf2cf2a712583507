"""Cases from public bug reports in their VOC readings, and VOC's own XML, through the command line."""

import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.io import voc_xml
from boxscore.io.form_options import FormOptions
from tests.oracle import voc as oracle
from tests.support import bug_cases, command, shared

CASES = {case.name: case for case in bug_cases.read(shared.folder("cases"))}
CHECKS = [
    (name, check) for name, case in CASES.items() for check in case.expected["checks"] if check["engine"] == "voc"
]
PROTOCOLS = {"VOC_all_point": "voc2012"}
WITHOUT_FILES = "16-images-without-prediction-file"
NAMES_WITH_BLANKS = "84-class-names-with-spaces"
ONE_BASED = "40-voc-one-based-corners"
CORNERS = ("--gt-format", "xyrb", "--det-format", "xyrb")

each_check = pytest.mark.parametrize(("name", "check"), CHECKS, ids=lambda one: one if isinstance(one, str) else "voc")


def of_folders(case: str, files: dict[str, str], cases_folder: Path) -> tuple[dict[str, Any], str]:
    """`boxscore voc` on text files with corners: the JSON report, and what went to standard error."""
    folders = ("--gt-folder", files["gt"], "--det-folder", files["dt"])
    finished = command.boxscore("voc", *folders, *CORNERS, "--json", cwd=cases_folder / case)
    assert finished.status == 0, finished.errors
    return finished.report, finished.errors


@each_check
def test_value(name: str, check: dict[str, Any], cases_folder: Path) -> None:
    files = check["files"]
    for key, expected in check["values"].items():
        if files["type"] == "ltrb":
            found = of_folders(name, files, cases_folder)[0]["mAP"]
        else:
            options = ("--protocol", PROTOCOLS[key])
            finished = command.evaluate(files["gt"], files["dt"], *options, cwd=cases_folder / name)
            protocol = finished.report["protocol"]
            assert (protocol["name"], protocol["rule"]) == (PROTOCOLS[key], "voc")
            found = finished.report["summary"]["AP@0.5"]
        assert math.isclose(found, expected, abs_tol=CASES[name].expected["tolerance"])


def test_the_cases_are_there(cases_folder: Path) -> None:
    assert cases_folder.is_dir()
    assert {name[:2] for name, _ in CHECKS} == {"16", "56", "64"}


def test_images_without_a_file_are_named(cases_folder: Path) -> None:
    report, errors = of_folders(WITHOUT_FILES, {"gt": "gt", "dt": "dt"}, cases_folder)
    (warning,) = report["warnings"]
    assert "2 files of gt without a file of that name in dt: b, c" in warning
    assert f"note: {warning}" in errors
    assert report["classes"][0]["total positives"] == 3


def test_names_with_blanks(cases_folder: Path) -> None:
    report, _ = of_folders(NAMES_WITH_BLANKS, {"gt": "gt", "dt": "dt"}, cases_folder)
    assert {one["class"]: one["AP"] for one in report["classes"]} == {"stop sign": 1, "metal sheet": 1, "wood": 1}


@pytest.mark.parametrize(("corners", "key"), [("pixels", "VOC reading"), ("plain", "plain corners")])
def test_one_based_corners(corners: str, key: str, cases_folder: Path) -> None:
    (check,) = [check for check in CASES[ONE_BASED].expected["checks"] if check["what"] == key]
    files = check["files"]
    finished = command.evaluate(files["gt"], files["dt"], "--gt-corners", corners, cwd=cases_folder / ONE_BASED)
    assert finished.status == 0, finished.errors
    assert finished.report["summary"]["AP"] == pytest.approx(check["values"]["AP"], abs=1e-6)
    assert "corners" in finished.errors


Row = dict[str, Any]


def objects_of(folder: Path) -> dict[str, list[Row]]:
    """VOC's XML by label, as it stands."""
    found: dict[str, list[Row]] = {}
    for path in sorted(folder.glob("*.xml")):
        for item in ET.parse(path).getroot().iter("object"):
            left, top, right, bottom = (float(item.findtext(f"bndbox/{at}") or "") for at in CORNER_NAMES)
            difficult = int(item.findtext("difficult") or 0)
            row = {"image": path.stem, "box": (left, top, right - left, bottom - top), "difficult": difficult}
            found.setdefault(item.findtext("name") or "", []).append(row)
    return found


CORNER_NAMES = ("xmin", "ymin", "xmax", "ymax")


def detections_of(folder: Path, names: list[str]) -> dict[str, list[Row]]:
    """Lines `number score left top right bottom`, by label."""
    found: dict[str, list[Row]] = {}
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text().splitlines():
            number, score, left, top, right, bottom = map(float, line.split())
            row = {"image": path.stem, "box": (left, top, right - left, bottom - top), "score": score}
            found.setdefault(names[int(number)], []).append(row)
    return found


def mean_of(objects: dict[str, list[Row]], detections: dict[str, list[Row]]) -> tuple[float, float]:
    """mAP by every point and by eleven points, with inclusive pixels, over labels with objects to be found."""
    every, eleven = [], []
    for label, rows in objects.items():
        positives = oracle.positives_of(rows)
        if positives:
            curve = oracle.curve(oracle.judged(rows, detections.get(label, []), 0.5, 1.0), positives)
            every.append(oracle.every_point(*curve))
            eleven.append(oracle.eleven_points(*curve))
    return sum(every) / len(every), sum(eleven) / len(eleven)


def read_xml(data_folder: Path, corners: str) -> boxscore.Dataset:
    """The XML files, corners as they stand (`plain`) or as continuous boxes (`pixels`)."""
    folder = data_folder / "voc100_real_dets" / "gts" / "pascalvoc_format"
    return voc_xml.read_ground_truth(folder, FormOptions(corners=corners), boxscore.Reading())


def real_detections(data_folder: Path) -> dict[str, list[Row]]:
    """The real detections by label."""
    real = data_folder / "voc100_real_dets"
    return detections_of(real / "dets" / "abs_xyx2y2", (real / "voc.names").read_text().split())


def results_of(found: dict[str, list[Row]], pixel: float = 0.0) -> list[Row]:
    """The detections as COCO results; with `pixel` 1 as the continuous boxes that inclusive corners mean."""
    results = []
    for label, rows in found.items():
        for row in rows:
            x, y, w, h = row["box"]
            box = [x - pixel, y - pixel, w + pixel, h + pixel]
            results.append({"image_id": row["image"], "category_name": label, "bbox": box, "score": row["score"]})
    return results


def test_voc_xml_by_voc_s_own_rule(data_folder: Path) -> None:
    """38 of the 273 objects are difficult, and corners are inclusive: both matter, and the oracle knows both."""
    dataset, found = read_xml(data_folder, "plain"), real_detections(data_folder)
    predictions = boxscore.read_predictions(results_of(found), dataset)
    truth = objects_of(data_folder / "voc100_real_dets" / "gts" / "pascalvoc_format")
    every, eleven = mean_of(truth, found)
    value = boxscore.evaluate(dataset, predictions, protocol="voc2012").value("AP@0.5")
    assert value == pytest.approx(every, abs=1e-12)
    assert value == pytest.approx(0.613874792284, abs=1e-12)
    older = boxscore.evaluate(dataset, predictions, protocol="voc2007").value("AP@0.5")
    assert older == pytest.approx(eleven, abs=1e-12)
    counted = boxscore.evaluate(dataset, predictions, protocol="voc2012", reading=boxscore.Reading(ignore_flag="crowd"))
    assert counted.value("objects") == 273
    assert counted.value("AP@0.5") == pytest.approx(0.610912907479, abs=1e-12)


def test_the_pixel_is_added_once(data_folder: Path) -> None:
    """Where the reader has added the 1 already, the protocol doesn't: both ways give one figure."""
    found = real_detections(data_folder)
    values = []
    for corners, pixel in (("plain", 0.0), ("pixels", 1.0)):
        dataset = read_xml(data_folder, corners)
        predictions = boxscore.read_predictions(results_of(found, pixel), dataset)
        values.append(boxscore.evaluate(dataset, predictions, protocol="voc2012").value("AP@0.5"))
    assert values[0] == values[1]
