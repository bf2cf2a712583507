"""All forms of the real ground truth and detections give one answer from the command line, and this is how."""

from pathlib import Path

import pytest

from tests.support import command
from tests.support.shared import folder_or_skip

AP = 0.3469581862666092
"""COCO AP: corners read plainly, difficult objects counted."""

SIZES = ["--images", "derived_gt_coco.json"]
"""Forms in shares of the picture need its size; the pictures aren't there, and another form's file has the sizes."""
GROUND_TRUTH: dict[str, list[str]] = {
    "gts/coco_format_v1": [],
    "gts/coco_format_v2": [],
    "gts/cvat_format": [],
    "gts/imagenet_format": [],
    "gts/pascalvoc_format": [],
    "gts/openimages_format": SIZES,
    "gts/yolo_format": SIZES,
}
NAMES = ["--pred-classes", "voc.names"]
"""Text detections number the classes in an order of their own."""
DETECTIONS: dict[str, list[str]] = {
    "dets/coco_format": [],
    "dets/rel_xywh": NAMES,
    "dets/abs_xywh": NAMES,
    "dets/abs_xyx2y2": [*NAMES, "--boxes", "xyxy"],
}


@pytest.fixture(scope="module")
def real() -> Path:
    return folder_or_skip("data") / "voc100_real_dets"


@pytest.mark.parametrize("pred", DETECTIONS)
@pytest.mark.parametrize("gt", GROUND_TRUTH)
def test_every_pair_of_forms(real: Path, gt: str, pred: str) -> None:
    done = command.evaluate(gt, pred, *GROUND_TRUTH[gt], *DETECTIONS[pred], cwd=real)
    assert done.report["summary"]["AP"] == pytest.approx(AP, abs=1e-9), done.errors
    assert "other-reading-fits" not in [note["code"] for note in done.report["notes"]]


@pytest.mark.parametrize("pred", ["dets/rel_xywh", "dets/abs_xywh", "dets/abs_xyx2y2"])
@pytest.mark.parametrize("gt", ["gts/coco_format_v2", "gts/yolo_format"])
def test_boxes_tell_order_and_corners(real: Path, gt: str, pred: str) -> None:
    """Neither names nor the form of the boxes given: both are found, and said."""
    done = command.evaluate(gt, pred, *GROUND_TRUTH[gt], "--assume", "fit", cwd=real)
    assert done.report["summary"]["AP"] == pytest.approx(AP, abs=1e-9), done.errors
    assert "labels in another order" in done.errors
    assert ("boxes as corners" in done.errors) == (pred == "dets/abs_xyx2y2")
    assert ("taken as positions" in done.errors) == (pred != "dets/rel_xywh")


def test_numbers_without_names_are_refused_unless_boxes_may_tell(real: Path) -> None:
    message = command.refusal(command.evaluate("gts/coco_format_v2", "dets/abs_xywh", cwd=real))
    assert "--pred-classes FILE" in message
    assert "--assume fit" in message


def test_voc_rule_on_the_xml_differs(real: Path) -> None:
    """Difficult objects are ignored and corners are pixels: another figure, the same for all detections."""
    found = [
        command.evaluate("gts/pascalvoc_format", pred, *options, "--protocol", "voc2012", cwd=real)
        for pred, options in DETECTIONS.items()
    ]
    values = [done.report["summary"]["AP@0.5"] for done in found]
    assert values == pytest.approx([values[0]] * len(values), abs=1e-9)
    plain = command.evaluate("gts/pascalvoc_format", "dets/coco_format", cwd=real).report["summary"]["AP@0.5"]
    assert abs(values[0] - plain) > 1e-3


def test_notes_name_files_without_their_folders(real: Path) -> None:
    done = command.evaluate(real / "gts/yolo_format", real / "dets/rel_xywh", "--images", str(real / SIZES[1]))
    told = [note["message"] for note in done.report["notes"] if note["code"] == "read-as"]
    assert len(told) == 2
    assert not any(str(real) in message for message in told)
