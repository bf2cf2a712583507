"""Each switch gives what pycocotools gives on data, or with parameters, that are changed in that one way."""

import copy
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore
from boxscore.drift import number_formats
from boxscore.drift.process import FIGURES
from boxscore.drift.switches import Switched, changed, switched
from boxscore.pipeline.evaluate import finish
from tests.drift.made import Row, data
from tests.support import reference

Figures = list[float | None]
Changed = tuple[Row, list[Row]]


@pytest.fixture(scope="module")
def switches() -> dict[tuple[str, str], Switched]:
    return {(one.switch, one.setting): one for one in switched(boxscore.evaluate(*data()))}


def crowds_as_objects(truth: Row, found: list[Row]) -> Changed:
    for row in truth["annotations"]:
        row["iscrowd"] = 0
    return truth, found


def no_crowds(truth: Row, found: list[Row]) -> Changed:
    truth["annotations"] = [row for row in truth["annotations"] if not row["iscrowd"]]
    return truth, found


def areas_of_boxes(truth: Row, found: list[Row]) -> Changed:
    for row in truth["annotations"]:
        row["area"] = row["bbox"][2] * row["bbox"][3]
    return truth, found


def a_pixel_larger(truth: Row, found: list[Row]) -> Changed:
    for row in (*truth["annotations"], *found):
        row["bbox"] = [*row["bbox"][:2], row["bbox"][2] + 1, row["bbox"][3] + 1]
    return truth, found


def no_background(truth: Row, found: list[Row]) -> Changed:
    occupied = {row["image_id"] for row in truth["annotations"]}
    return truth, [row for row in found if row["image_id"] in occupied]


def numbered_by_file(truth: Row, found: list[Row]) -> Changed:
    number = {row["id"]: place for place, row in enumerate(truth["images"], 1)}
    for row in truth["images"]:
        row["id"] = number[row["id"]]
    for row in (*truth["annotations"], *found):
        row["image_id"] = number[row["image_id"]]
    return truth, found


def rounded(boxes: Callable[[Any], Any], kind: type) -> Callable[[Row, list[Row]], Changed]:
    def change(truth: Row, found: list[Row]) -> Changed:
        for row in (*truth["annotations"], *found):
            row["bbox"] = [float(value) for value in boxes(np.array(row["bbox"]))]
        for row in found:
            row["score"] = float(kind(row["score"]))
        return truth, found

    return change


def corners(kind: type) -> Callable[[Any], Any]:
    def through(box: Any) -> Any:
        near, far = box[:2].astype(kind), (box[:2] + box[2:]).astype(kind)
        return [*near, *(far - near)]

    return through


POINTS = {
    0: 0.0,
    1: 0.009999999776482582,
    5: 0.04999999701976776,
    9: 0.08999999612569809,
    10: 0.09999999403953552,
    28: 0.2800000011920929,
    65: 0.6500000357627869,
    78: 0.7800000309944153,
    84: 0.8400000333786011,
    100: 1.0,
}
THRESHOLDS = [
    0.5,
    0.550000011920929,
    0.6000000238418579,
    0.6499999761581421,
    0.699999988079071,
    0.75,
    0.800000011920929,
    0.8500000238418579,
    0.8999999761581421,
    0.949999988079071,
]

OF_DATA = [
    ("crowd", "flag dropped: crowds are ordinary objects", crowds_as_objects),
    ("crowd", "crowds left out altogether", no_crowds),
    ("area", "width x height of the box", areas_of_boxes),
    ("pixels", "inclusive: widths and heights 1 larger", a_pixel_larger),
    ("background images", "left out", no_background),
    ("ties across images", "by the order of the file, not by id", numbered_by_file),
    ("rounding", "sizes from corners", rounded(corners(np.float64), np.float64)),
    ("rounding", "sizes from corners, in single precision", rounded(corners(np.float32), np.float32)),
    ("rounding", "boxes and scores in single precision", rounded(lambda box: box.astype(np.float32), np.float32)),
]


@pytest.mark.parametrize(("switch", "setting", "change"), OF_DATA, ids=[f"{a}: {b}" for a, b, _ in OF_DATA])
def test_changed_data(
    switch: str,
    setting: str,
    change: Callable[[Row, list[Row]], Changed],
    switches: dict[tuple[str, str], Switched],
) -> None:
    plain = reference.figures(reference.run(*data()))
    expected = reference.figures(reference.run(*change(*copy.deepcopy(data()))))
    assert expected != plain, "the change changes nothing, so that this shows nothing"
    assert list(switches[switch, setting].figures.values()) == expected


@pytest.mark.parametrize(
    ("setting", "thresholds", "points"),
    [
        ("a recall equal to a recall point reaches it", None, [float(p) - 1e-9 for p in np.linspace(0, 1, 101)]),
        (
            "IoU thresholds and recall points in single precision",
            [0.5, *(float(np.float32(v)) for v in (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95))],
            None,
        ),
    ],
)
def test_changed_thresholds(
    setting: str,
    thresholds: Sequence[float] | None,
    points: Sequence[float] | None,
    switches: dict[tuple[str, str], Switched],
) -> None:
    plain = reference.figures(reference.run(*data()))
    expected = reference.figures(reference.run(*data(), thresholds=thresholds, points=points))
    assert expected != plain
    figures = list(switches["rounding", setting].figures.values())
    # Recall depends on the thresholds of overlap alone; precision also on the recall points, which differ by bits.
    compared = slice(0, 12) if thresholds is None else slice(6, 12)
    assert figures[compared] == expected[compared]


def test_single_precision_is_that_of_torch() -> None:
    """Printed by torch 2.15.0: `torch.linspace(0, 1, 101)` and `torch.linspace(0.5, 0.95, 10)`."""
    points = number_formats.evenly_spaced(0.0, 1.0, 101)
    assert [points[place] for place in POINTS] == list(POINTS.values())
    assert number_formats.evenly_spaced(0.5, 0.95, 10) == THRESHOLDS


def test_no_detection_limit(switches: dict[tuple[str, str], Switched]) -> None:
    limited = boxscore.evaluate(*data()).value("AP")
    evaluation = reference.run(*data(), limits=[1, 10, 100_000])
    figures = switches["detection limit", "none"].figures
    precision = evaluation.eval["precision"][:, :, :, 0, 2]
    assert figures["AP"] == np.mean(precision[precision > -1]) != limited
    assert list(figures.values())[6:] == reference.figures(evaluation)[6:]


def test_eleven_points(switches: dict[tuple[str, str], Switched]) -> None:
    expected = reference.figures(reference.run(*data(), points=[float(point) for point in np.linspace(0, 1, 11)]))
    assert list(switches["interpolation", "11-point"].figures.values()) == expected


def test_every_point(switches: dict[tuple[str, str], Switched]) -> None:
    run = boxscore.evaluate(*data())
    assert run.predictions is not None
    other = finish(run.predictions, changed(run.protocol, interpolation="every-point"))
    found = switches["interpolation", "every-point"].figures
    assert found == {name: other.value(name) for name in FIGURES}
    assert found["AP"] != run.value("AP")


@pytest.mark.parametrize(("setting", "labels"), [("counted as 0", 5), ("counted as 0 where detected", 4)])
def test_absent_labels(setting: str, labels: int, switches: dict[tuple[str, str], Switched]) -> None:
    precision = reference.run(*data()).eval["precision"][:, :, :, 0, 2]
    by_label = [max(float(precision[:, :, label].mean()), 0.0) for label in range(labels)]
    assert switches["absent labels", setting].figures["AP"] == pytest.approx(sum(by_label) / labels, abs=1e-12)


def test_what_can_not_change_is_told() -> None:
    truth, found = data()
    for row in truth["annotations"]:
        row["iscrowd"] = 0
    truth["categories"] = truth["categories"][:3]
    truth["images"].sort(key=lambda row: row["id"])
    kept = [row for row in found if row["category_id"] < 4]
    kept = [row for row in kept if row["bbox"][0] < 200]
    truth, kept = no_background(truth, kept)
    switches = switched(boxscore.evaluate(truth, kept))
    assert {one.switch for one in switches if one.reason} == {
        *("crowd", "detection limit", "absent labels", "background images", "ties across images")
    }
    plain = boxscore.evaluate(truth, kept).summary
    for one in switches:
        if one.reason:
            assert one.figures == plain


def test_crowd_flags_of_a_real_set(data_folder: Path) -> None:
    """839 objects, 9 of them crowds: what a scorer gives to which the flags are not passed along."""
    folder = data_folder / "fakebbox100"
    truth = json.loads((folder / "instances_val2014_100.json").read_text())
    found = json.loads((folder / "instances_val2014_fakebbox100_results.json").read_text())
    switches = {one.setting: one for one in switched(boxscore.evaluate(truth, found))}
    expected = reference.figures(reference.run(*crowds_as_objects(copy.deepcopy(truth), found)))
    dropped = switches["flag dropped: crowds are ordinary objects"].figures
    assert list(dropped.values()) == expected
    assert dropped["AP"] == pytest.approx(0.502346, abs=1e-6)
