"""Modes, counts and costs against hotcoco's TIDE, and against small cases worked by hand."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore
from boxscore.pipeline.run import Run
from boxscore.triage import Options, Triage, triage
from boxscore.triage.modes import FALSE_MODES, false_detections
from boxscore.triage.source import source_of
from boxscore.triage.view import view_of
from tests.support import shared
from tests.triage.made import run_of

PEER = json.loads((Path(__file__).parent / "hotcoco_tide.json").read_text("utf-8"))
CASES = [(name, iou) for name, found in PEER["runs"].items() for iou in found]


def figures(found: Triage) -> tuple[dict[str, int], dict[str, float]]:
    """Counts and costs by mode of false detections, with TIDE's missed objects."""
    rows = {row["mode"]: row for row in found.breakdown.rows if row["of"] == "false detections"}
    rows |= found.breakdown.totals
    return {name: row["count"] for name, row in rows.items()}, {name: row["cost"] for name, row in rows.items()}


@pytest.mark.parametrize(("name", "iou"), CASES)
def test_counts_and_costs_are_those_of_hotcoco(name: str, iou: str) -> None:
    data = shared.folder_or_skip("data") / "coco_val164"
    run = boxscore.evaluate(data / "instances_val164.json", data / "predictions" / f"{name}.json.gz")
    found = triage(run, Options(iou=float(iou), search=False))
    counts, costs = figures(found)
    expected = PEER["runs"][name][iou]
    assert {mode: counts[mode] for mode in expected["counts"]} == expected["counts"]
    assert found.view["average_precision"] == pytest.approx(expected["ap"], abs=1e-12)
    assert costs == pytest.approx(expected["costs"], abs=1e-6)
    assert found.view["average_precision"] == pytest.approx(run.value(f"AP@{iou}"), abs=1e-15)


def test_a_run_folder_gives_what_the_run_gives(tmp_path: Path) -> None:
    data = shared.folder_or_skip("data") / "coco_val164"
    run = boxscore.evaluate(data / "instances_val164.json", data / "predictions" / "yolov8n_int8.json.gz")
    run.save(tmp_path / "run")
    options = Options(iou=0.75, confidence=0.3)
    of_run, of_folder = (triage(given, options).to_dict() for given in (run, tmp_path / "run"))
    for told in (of_run, of_folder):
        told.pop("source")
        told["sampling"].pop("source")
    assert of_run == of_folder


CAR = ("car", (100.0, 100.0, 100.0, 100.0))


def moved(by: float) -> tuple[float, float, float, float]:
    """A box of the car's size, shifted; 20: IoU 2/3, 60: 1/4, 95: 1/39."""
    return (100.0 + by, 100.0, 100.0, 100.0)


@pytest.mark.parametrize(
    ("label", "by", "mode"),
    [
        ("car", 60.0, "localisation"),
        ("bus", 20.0, "classification"),
        ("bus", 60.0, "both"),
        ("car", 95.0, "background"),
        ("bus", 500.0, "background"),
        ("car", 20.0, "duplicate"),
    ],
)
def test_each_mode(label: str, by: float, mode: str) -> None:
    run = run_of([CAR], [("car", moved(0.0), 0.9), (label, moved(by), 0.5)])
    counts, _ = figures(triage(run))
    assert {name: counts[name] for name in FALSE_MODES} == {name: int(name == mode) for name in FALSE_MODES}


def test_localisation_comes_before_classification() -> None:
    bus = ("bus", moved(20.0))
    # IoU 0.25 with the car of its own label, 0.54 with the bus.
    run = run_of([CAR, bus], [("car", moved(60.0), 0.5)])
    counts, _ = figures(triage(run, Options(iou=0.5)))
    assert counts["localisation"] == 1


def missed_modes(run: Run, **options: Any) -> list[str]:
    rows = triage(run, Options(search=False, **options)).breakdown.rows
    return [row["mode"] for row in rows if row["of"] == "missed objects" for _ in range(row["count"])]


@pytest.mark.parametrize(
    ("detections", "mode"),
    [
        ([], "missed"),
        ([("car", moved(95.0), 0.9)], "missed"),
        ([("car", moved(60.0), 0.9)], "localisation"),
        ([("bus", moved(0.0), 0.9)], "wrong label"),
        ([("bus", moved(60.0), 0.9), ("car", moved(50.0), 0.1)], "localisation"),
        ([("bus", moved(50.0), 0.1), ("car", moved(60.0), 0.9)], "wrong label"),
    ],
)
def test_modes_of_missed_objects(detections: list[Any], mode: str) -> None:
    assert missed_modes(run_of([CAR], [*detections, ("bus", moved(700.0), 0.5)])) == [mode]


def test_an_object_found_below_the_confidence_is_missed() -> None:
    run = run_of([CAR], [("car", moved(0.0), 0.2), ("bus", moved(10.0), 0.6)])
    assert missed_modes(run) == []
    assert missed_modes(run, confidence=0.2) == []  # inclusive
    assert missed_modes(run, confidence=0.25) == ["wrong label"]
    found = triage(run, Options(confidence=0.25))
    assert (found.view["found"], found.view["false_detections"]) == (0, 1)
    # The bus is a car once its label is mended: AP of the one label with objects goes from 0 to 1.
    assert figures(found)[1]["classification"] == pytest.approx(1.0)


def test_of_several_detections_on_one_object_the_best_is_mended() -> None:
    # Two buses on a car that nobody finds: the better one becomes its true positive, the other is dropped.
    run = run_of([CAR], [("bus", moved(0.0), 0.9), ("bus", moved(5.0), 0.8)])
    counts, costs = figures(triage(run))
    assert counts["classification"] == 2
    assert costs["classification"] == pytest.approx(1.0)
    assert (counts["missed"], costs["missed"]) == (0, 0.0)


def test_an_oracle_that_takes_all_objects_of_a_label_gives_nothing_back() -> None:
    run = run_of([CAR], [("car", moved(500.0), 0.9)])
    counts, costs = figures(triage(run))
    assert (counts["missed"], costs["missed"], costs["every miss"]) == (1, 0.0, 0.0)


def test_t01_crowds_count_among_what_overlaps_unless_left_out() -> None:
    truth: dict[str, Any] = {
        "images": [{"id": 1}],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 100, 100], "area": 1e4, "iscrowd": 1},
            {"id": 2, "image_id": 1, "category_id": 1, "bbox": [500, 0, 100, 100], "area": 1e4, "iscrowd": 0},
        ],
        "categories": [{"id": 1, "name": "car"}],
    }
    # A quarter of the detection lies in the crowd.
    run = boxscore.evaluate(truth, [{"image_id": 1, "category_id": 1, "bbox": [75, 0, 100, 100], "score": 0.5}])
    assert figures(triage(run))[0]["localisation"] == 1
    assert figures(triage(run, Options(crowds=False)))[0]["background"] == 1


def test_t02_labels_without_ground_truth_are_left_out_of_the_mean() -> None:
    run = run_of([CAR], [("car", moved(0.0), 0.9), ("bus", moved(500.0), 0.8)])
    found = triage(run)
    assert found.view["average_precision"] == pytest.approx(1.0)
    counts, costs = figures(found)
    assert (counts["background"], costs["background"]) == (1, 0.0)


def test_every_match_knows_which_object_it_took() -> None:
    data = shared.folder_or_skip("data") / "coco_val164"
    run = boxscore.evaluate(data / "instances_val164.json", data / "predictions" / "yolox_nano.json.gz")
    source = source_of(run)
    for place, iou in enumerate(run.protocol.iou_thresholds):
        view = view_of(source, iou)
        bit = np.uint64(1 << place)
        assert np.array_equal(view.found, view.counts & ((source.objects["matched"] & bit) != 0))
        assert int((view.taken >= 0).sum()) == int(view.found.sum())
    # At the reference cell the kernel says which object was taken.
    gt = [-1 if row is None else row for row in run.matches.detections.column("gt").to_list()]
    view = view_of(source, 0.5)
    kept = view.part & view.matched & ~view.ignored
    assert view.taken[kept].tolist() == [row for row, keep in zip(gt, kept.tolist(), strict=True) if keep]


def test_false_detections_each_have_one_mode() -> None:
    data = shared.folder_or_skip("data") / "coco_val164"
    run = boxscore.evaluate(data / "instances_val164.json", data / "predictions" / "fastestdet.json.gz")
    view = view_of(source_of(run), 0.5)
    assert np.array_equal(false_detections(view).mode >= 0, view.false)


def test_runs_that_let_their_boxes_go_are_refused(tmp_path: Path) -> None:
    evaluator = boxscore.Evaluator(labels=["car"])
    box = {"boxes": np.array([[0.0, 0.0, 9.0, 9.0]]), "labels": np.array([0])}
    evaluator.update([box | {"scores": np.array([0.5])}], [box])
    run = evaluator.result()
    with pytest.raises(boxscore.InputError, match="let go once matched"):
        triage(run)
    run.save(tmp_path / "run")
    with pytest.raises(boxscore.InputError, match="needs the run's pairs"):
        triage(tmp_path / "run")


def test_nothing_detected_and_nothing_to_find() -> None:
    nothing = triage(run_of([CAR], []))
    assert nothing.view["average_precision"] == 0.0
    assert [row["share"] for row in nothing.breakdown.rows[:5]] == [None] * 5
    assert nothing.failures.height == 1
    background = triage(run_of([], [("car", moved(0.0), 0.5)]), Options(clusters=True))
    assert background.view["average_precision"] is None
    counts, _ = figures(background)
    assert counts["background"] == 1
    assert background.breakdown.totals["every false detection"]["cost"] is None
    assert background.clustering is not None
    assert background.clustering.word == "no structure"
