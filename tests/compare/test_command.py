"""`boxscore compare` as a user runs it: from files, from folders, and wrongly."""

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.compare import compare, loading
from tests.compare import made
from tests.support import command

FEW = ("--replicates", "200")


def folders(tmp_path: Path, **runs: boxscore.Run) -> list[Path]:
    for name, run in runs.items():
        run.save(tmp_path / name)
    return [tmp_path / name for name in runs]


def test_files_and_folders_and_python_say_the_same(tmp_path: Path) -> None:
    gt, *predictions = made.files(tmp_path, 20)
    of_files = command.boxscore("compare", gt, *predictions, *FEW, "--json", "--per-label")
    assert of_files.status == 0, of_files.errors
    saved = folders(tmp_path, **made.runs(20))
    of_folders = command.boxscore("compare", *saved, *FEW, "--json", "--per-label")
    assert of_folders.status == 0, of_folders.errors
    in_python = compare(made.runs(20), resampling=boxscore.Resampling(replicates=200), per_label=True)
    assert of_files.report["results"] == of_folders.report["results"] == in_python.to_dict()["results"]


def test_the_json_holds_what_was_done(tmp_path: Path) -> None:
    report = command.boxscore(
        "compare", *made.files(tmp_path, 12, 12), "--group-by", "clip", "--seed", "7", "--json"
    ).report
    assert {key: report[key] for key in ("unit", "units", "replicates", "exact", "seed", "confidence", "images")} == {
        "unit": "group",
        "units": 12,
        "replicates": 1000,
        "exact": False,
        "seed": 7,
        "confidence": 0.95,
        "images": 12,
    }
    assert (report["swaps"], report["swaps_exact"]) == (2**11, True)
    assert report["protocol"]["name"] == "coco"
    (result,) = report["results"]
    assert (result["measure"], result["label"]) == ("AP", None)
    assert set(result["models"][0]) == {"model", "point", "mean", "std_error", "low", "high", "bias", "reason"}
    assert {"difference", "p", "p_adjusted", "separated", "excludes_zero", "verdict"} < set(result["pairs"][0])


def test_names_may_stand_before_their_files(tmp_path: Path) -> None:
    gt, good, fair, _ = made.files(tmp_path, 8)
    done = command.boxscore("compare", gt, "--name", "new", good, *FEW, "--name", "old", fair, "--json")
    assert done.report["models"] == ["new", "old"]


def test_what_people_read(tmp_path: Path) -> None:
    done = command.boxscore("compare", *made.files(tmp_path, 40), *FEW, "--pairs", "all", "--per-label")
    assert done.status == 0, done.errors
    lines = done.output.splitlines()
    assert lines[0] == "3 models, 40 images; 95 % student intervals from 200 resamples (seed 0)"
    assert [line.split()[:2] for line in lines[3:6]] == [["1", "good"], ["2", "fair"], ["3", "poor"]]
    pairs = [line for line in lines if line.startswith("good - ")]
    assert [line.split()[-1] for line in pairs] == ["separated", "separated"]
    assert "not adjusted for 3 pairs" in done.output
    assert "smallest difference detectable at 80 % power: " in done.output
    assert "every pair that was compared is separated" in done.output
    assert "a: good, b: fair" in lines
    assert max(map(len, lines)) <= 100


def test_ties_and_what_would_separate_them(tmp_path: Path) -> None:
    gt, good, *_ = made.files(tmp_path, 30)
    other = tmp_path / "other.json"
    rows = [row for row in made.predictions(30, 0.95, 0) if (row["image_id"], row["bbox"]) != (3, made.box(1))]
    other.write_text(json.dumps(rows))
    done = command.boxscore("compare", gt, good, other, *FEW)
    assert "not separated by these data: good, other" in done.output
    assert "to separate good - other, if +" in done.output


def test_one_group_and_few_groups_say_why_there_is_no_verdict(tmp_path: Path) -> None:
    files = made.files(tmp_path, 9, clips=3)
    few = command.boxscore("compare", *files)
    assert "3 models, 3 groups of 9 images; 95 % student intervals from 10 resamples (all)" in few.output
    assert "with 3 groups no p can be below 0.25, and the verdict needs 0.05" in few.output
    assert "whole groups are resampled: 3 groups by field 'clip'" in few.errors
    one = command.boxscore("compare", *files, "--group-regex", "^(?P<place>clip)")
    assert "n/a" in one.output
    assert "one unit" in one.output
    alone = command.boxscore("compare", *files, "--unit", "image", *FEW)
    assert "9 images" in alone.output
    assert "narrow" in alone.errors


def test_names_that_are_long_give_way_to_places(tmp_path: Path) -> None:
    gt, *predictions = made.files(tmp_path, 8)
    longest = [f"a detector whose name is far too long to stand beside another one, number {n}" for n in range(3)]
    options = [option for name in longest for option in ("--name", name)]
    done = command.boxscore("compare", gt, *predictions, *options)
    assert "1 - 2 " in done.output
    assert f"1  {longest[0]}" in done.output


def test_the_ground_truth_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []

    def counted(given: object, **asked: Any) -> boxscore.Dataset:
        read.append(given)
        return boxscore.read_ground_truth(given, **asked)

    monkeypatch.setattr(loading, "read_ground_truth", counted)
    gt, *predictions = made.files(tmp_path, 4)
    loaded = loading.load_files(str(gt), list(map(str, predictions)))
    assert list(loaded.runs) == ["good", "fair", "poor"]
    assert read == [str(gt)]


def test_options_of_evaluation_reach_it(tmp_path: Path) -> None:
    gt, *predictions = made.files(tmp_path, 10)
    asked = (
        "--protocol",
        "operating-point",
        "--conf",
        "0.6",
        "--labels",
        "car",
        "--measure",
        "recall",
        "--measure",
        "FP",
    )
    report = command.boxscore("compare", gt, *predictions, *asked, *FEW, "--json").report
    expected = made.runs(10, protocol="operating-point", confidence=0.6)
    for result in report["results"]:
        for model in result["models"]:
            assert model["point"] == expected[model["model"]].value(result["measure"], "car")


WRONG = {
    "nothing": ([], "PATH"),
    "ground truth alone": (["gt.json"], "there is nothing but gt.json; give the ground truth and two files"),
    "one model": (["gt.json", "good.json"], "good.json is the only file of predictions; .*eval GT PRED --interval"),
    "no such file": (["gt.json", "good.json", "lost.json"], "lost.json: there is no such file"),
    "no such model": (["gt.json", "good.json", "fair.json", "--pairs", "god"], 'pairs is "god"; .*"good", "fair"'),
    "no such measure": (["gt.json", "good.json", "fair.json", "--measure", "mAP"], "there is no measure 'mAP'"),
    "a count": (["gt.json", "good.json", "fair.json", "--measure", "images"], "counts what is in the files"),
    "no such group": (["gt.json", "good.json", "fair.json", "--group-by", "tent"], "no image has a field 'tent'"),
    "no replicates": (["gt.json", "good.json", "fair.json", "--replicates", "0"], "--replicates is 0"),
    "confidence in percent": (["gt.json", "good.json", "fair.json", "--confidence", "95"], "--confidence is 95.0"),
    "too few names": (["gt.json", "good.json", "fair.json", "--name", "x"], "1 name is given for 2 models"),
    "a folder and a file": (["run", "good.json"], "run is a run folder and good.json is none"),
    "one folder": (["run"], "run is one run; give two run folders or more"),
    "folders and options": (["run", "run", "--iou", "0.5"], "--iou says how files are evaluated"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_mistakes(tmp_path: Path, mistake: str) -> None:
    made.files(tmp_path, 4)
    made.runs(4)["good"].save(tmp_path / "run")
    arguments, words = WRONG[mistake]
    refused = command.boxscore("compare", *arguments, cwd=tmp_path)
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(command.refusal(refused))


def test_real_detectors(data_folder: Path) -> None:
    """NanoDet fed the wrong geometry loses a point of AP, which 164 images cannot show."""
    folder = data_folder / "coco_val164"
    predictions = sorted((folder / "predictions").glob("*.json.gz"))
    done = command.boxscore("compare", folder / "instances_val164.json", *predictions, "--json")
    (result,) = done.report["results"]
    order = ["yolov8n_int8", "yolox_nano", "nanodet_m_320", "nanodet_m_320_stretch", "fastestdet"]
    assert [model["model"] for model in result["models"]] == order
    assert [pair["verdict"] for pair in result["pairs"]] == ["separated", "separated", "tie", "separated"]
    assert result["groups"] == [["nanodet_m_320", "nanodet_m_320_stretch"]]
