"""Figures that others published for real files are met to the last bit, from Python and from the command line."""

import json
from pathlib import Path

import pytest

import boxscore
from tests.support import command

# Published with the COCO toolkit to three places, and in full by faster_coco_eval's tests.
FAKEBBOX100 = [
    0.5045806987249628,
    0.6969727247299577,
    0.5729816669904824,
    0.5856257209410443,
    0.5193996948036719,
    0.5013978986347466,
    0.38681277964578054,
    0.5936795762842003,
    0.595352982877607,
    0.6398109626113442,
    0.5664205978994309,
    0.5642905982905982,
]
KEYS = ("AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl")
DETECTORS = ("fastestdet", "nanodet_m_320", "nanodet_m_320_stretch", "yolov8n_int8", "yolox_nano")


def fakebbox100(data_folder: Path) -> tuple[Path, Path]:
    """Ground truth and results of COCO's own example."""
    folder = data_folder / "fakebbox100"
    return folder / "instances_val2014_100.json", folder / "instances_val2014_fakebbox100_results.json"


def coco_val164(data_folder: Path, detector: str) -> tuple[Path, Path, list[float]]:
    """Ground truth, results of a detector (gzip), and its 12 figures."""
    folder = data_folder / "coco_val164"
    stats = json.loads((folder / "expected_pycocotools_stats.json").read_text())["stats"][detector]
    return (
        folder / "instances_val164.json",
        folder / "predictions" / f"{detector}.json.gz",
        [stats[key] for key in KEYS],
    )


def test_fakebbox100_from_python(data_folder: Path) -> None:
    run = boxscore.evaluate(*fakebbox100(data_folder))
    assert list(run.summary.values()) == FAKEBBOX100


def test_fakebbox100_from_the_command_line(data_folder: Path) -> None:
    report = command.evaluate(*fakebbox100(data_folder)).report
    assert list(report["summary"].values()) == FAKEBBOX100


def test_fakebbox100_as_people_know_the_table(data_folder: Path) -> None:
    output = command.boxscore("eval", *fakebbox100(data_folder)).output
    for value in FAKEBBOX100:
        assert f"{value:.3f}" in output


@pytest.mark.parametrize("detector", DETECTORS)
def test_coco_val164_from_python(data_folder: Path, detector: str) -> None:
    ground_truth, results, expected = coco_val164(data_folder, detector)
    for threads in (1, 2):
        run = boxscore.evaluate(ground_truth, results, threads=threads)
        assert list(run.summary.values()) == expected


@pytest.mark.parametrize("detector", DETECTORS)
def test_coco_val164_from_the_command_line(data_folder: Path, detector: str) -> None:
    ground_truth, results, expected = coco_val164(data_folder, detector)
    assert list(command.evaluate(ground_truth, results).report["summary"].values()) == expected


def test_every_detector_of_the_folder_is_here(data_folder: Path) -> None:
    names = {path.name.removesuffix(".json.gz") for path in (data_folder / "coco_val164" / "predictions").iterdir()}
    assert names == set(DETECTORS)
