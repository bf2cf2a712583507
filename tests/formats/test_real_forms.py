"""Real ground truth and detections in many forms give one answer."""

import json
from pathlib import Path
from typing import Any

import pytest

from boxscore.io.form_options import FormOptions
from boxscore.io.forms import form
from boxscore.model.reading import Reading
from boxscore.pipeline.convert import convert
from boxscore.pipeline.evaluate import effective_protocol, evaluate, finish
from tests.support.shared import folder_or_skip

GROUND_TRUTH = {
    "gts/coco_format_v1/instances_default.json": "coco",
    "gts/coco_format_v2/instances_v2.json": "coco",
    "gts/pascalvoc_format": "voc-xml",
    "gts/imagenet_format": "voc-xml",
    "gts/cvat_format/annotations.xml": "cvat",
    "gts/openimages_format/all_bounding_boxes.csv": "open-images",
}
DETECTIONS = "dets/coco_format/coco_dets.json"


def real() -> Path:
    return folder_or_skip("data") / "voc100_real_dets"


def expected() -> float:
    return float(json.loads((real() / "expected_pycocotools_stats.json").read_text())["stats"]["AP"])


@pytest.mark.parametrize(("path", "name"), GROUND_TRUTH.items())
def test_every_ground_truth_form_gives_one_answer(path: str, name: str) -> None:
    module: Any = form(name)
    assert module.looks_like(real() / path)
    # This form holds no sizes, and the pictures are not there.
    sizes = real() / "derived_gt_coco.json" if name == "open-images" else None
    dataset = module.read_ground_truth(real() / path, FormOptions(images=sizes), Reading(), 1)
    assert (dataset.num_images, dataset.num_objects) == (100, 273)
    detections: Any = form("coco")
    predictions = detections.read_predictions(real() / DETECTIONS, dataset, FormOptions(), Reading(), 1)
    assert predictions.num_rows == 452
    run = finish(predictions, effective_protocol("coco", Reading()))
    assert run.value("AP") == pytest.approx(expected(), abs=1e-6)


@pytest.mark.parametrize(
    ("to", "target"),
    [("coco", "dt.json"), ("voc-results", "results"), ("ultralytics", "predictions.json"), ("table", "dt.parquet")],
)
def test_converted_detections_give_the_same_answer(tmp_path: Path, to: str, target: str) -> None:
    truth = real() / "gts/pascalvoc_format"
    done = convert(real() / DETECTIONS, tmp_path / target, to=to, ground_truth=truth)
    assert done.lost == []
    assert evaluate(truth, tmp_path / target, pred_format=to).value("AP") == pytest.approx(expected(), abs=1e-6)


def test_difficult_and_truncated_pass_through_a_table(tmp_path: Path) -> None:
    convert(real() / "gts/pascalvoc_format", tmp_path / "t.csv", to="table")
    convert(tmp_path / "t.csv", tmp_path / "xml", to="voc-xml")
    module: Any = form("voc-xml")
    first, last = (
        module.read_ground_truth(path, FormOptions(), Reading(), 1)
        for path in (real() / "gts/pascalvoc_format", tmp_path / "xml")
    )
    assert sum(map(bool, last.ground_truth.column("difficult").to_list())) == 38
    assert last.attributes == first.attributes
    assert last.ground_truth.column("x").to_list() == first.ground_truth.column("x").to_list()
