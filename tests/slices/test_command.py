"""`boxscore eval --slice-by …` and `boxscore thresholds fit --by` as a user runs them."""

import json
from pathlib import Path

import pytest

import boxscore
from boxscore.pipeline.saved import load_run
from boxscore.pipeline.sliced import Slicing
from boxscore.runs import read_run, verify
from tests.slices import made
from tests.support import command
from tests.support.command import refusal

ASKED = ("--slice-by", "weather", "--slice-by", "tier", "--slice", "night = hour >= 20 OR hour < 6")


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    truth = made.ground_truth()
    files = tmp_path / "gt.json", tmp_path / "pred.json"
    for path, content in zip(files, (truth, made.results(truth)), strict=True):
        path.write_text(json.dumps(content))
    return files


@pytest.mark.parametrize("protocol", ["coco", "operating-point"])
def test_json_has_what_python_gives(paths: tuple[Path, Path], protocol: str) -> None:
    report = command.evaluate(*paths, "--protocol", protocol, *ASKED).report
    slicing = Slicing(["weather", "tier"], ["night = hour >= 20 OR hour < 6"])
    expected = boxscore.evaluate(*paths, protocol=protocol).with_slices(slicing)
    assert report["metrics"] == expected.metrics.rows
    assert report["slices"] == expected.slices
    assert [one["slice"] for one in report["slices"]["slices"]] == [
        *("weather=fog", "weather=rain", "weather=sun", "tier=easy", "tier=hard", "night"),
    ]
    assert [note["code"] for note in report["notes"]] == [note.code for note in expected.notes]


def test_tables(paths: tuple[Path, Path]) -> None:
    done = command.boxscore("eval", *paths, *ASKED, "--per-label", "--calibration", "--sequences")
    assert done.status == 0, done.errors
    lines = done.output.splitlines()
    (line,) = [line.split() for line in lines if line.startswith("weather=rain")][:1]
    run = boxscore.evaluate(*paths).with_slices(Slicing(["weather"]))
    (ap,) = [r["value"] for r in run.metrics if (r["measure"], r["label"], r["slice"]) == ("AP", None, "weather=rain")]
    assert line[:4] == ["weather=rain", "*", "8", str(_objects(run, "weather=rain"))]
    assert line[4] == f"{ap:.3f}"
    for start in ("all images", "no object: FP@0.5", "* few:", "confidence  ", "Images in order", "cup "):
        assert any(text.startswith(start) for text in lines), start
    assert "8 images" not in done.errors
    assert "note: 4 slices rest on fewer than 20 images, marked in tables" in done.errors


def _objects(run: boxscore.Run, name: str) -> int:
    return next(int(row["objects"]) for row in run.metrics if row["slice"] == name and row["label"] is None)


def test_intervals_of_slices(paths: tuple[Path, Path]) -> None:
    asked = ("--interval", "--unit", "image", "--replicates", "50")
    report = command.evaluate(*paths, "--protocol", "operating-point", *ASKED, *asked).report
    rows = {(row["measure"], row["label"], row["slice"]): row for row in report["metrics"]}
    for name in ("weather=rain", "tier=easy"):
        row = rows["recall", None, name]
        assert row["low"] < row["value"] < row["high"]
        assert row["unit"] == "image"
    # 24 images are drawn; of the 8 that are in the rain all 6435 resamples are listed.
    assert (rows["recall", None, "tier=easy"]["replicates"], rows["recall", None, "tier=easy"]["seed"]) == (50, 0)
    assert (rows["recall", None, "weather=rain"]["replicates"], rows["recall", None, "weather=rain"]["seed"]) == (
        6435,
        None,
    )
    assert rows["TP", None, "weather=rain"]["low"] is None
    # Inside its slice a figure has the interval that an evaluation of the slice alone gives it.
    truth, found = (json.loads(path.read_text()) for path in paths)
    part = boxscore.evaluate(
        *made.only(truth, found, lambda image: image["weather"] == "rain"), protocol="operating-point"
    ).with_intervals(boxscore.Resampling(unit="image", replicates=50))
    for measure in ("precision", "recall", "F1", "recall[average=macro]"):
        alone, own = part.metrics.find(measure), rows[measure, None, "weather=rain"]
        assert (own["low"], own["high"], own["std_error"]) == (alone["low"], alone["high"], alone["std_error"])


def test_a_run_folder_has_them(paths: tuple[Path, Path], tmp_path: Path) -> None:
    done = command.evaluate(*paths, *ASKED, "--out", str(tmp_path / "run"))
    verify(tmp_path / "run")
    saved = read_run(tmp_path / "run")
    assert saved.slices == done.report["slices"]
    assert saved.metrics.rows == done.report["metrics"]
    assert {"weather", "hour"} <= set(saved.table("images").columns)
    assert "tier" in saved.table("ground_truth").columns
    assert load_run(tmp_path / "run").metrics.rows == saved.metrics.rows


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--slice-by", "wether"), "there is no column 'wether'"),
        (("--slice-by", "distance:3,0"), "must ascend"),
        (("--slice", "night"), "NAME = CONDITION"),
        (("--slice", "x = weather > 3"), "can't be used"),
        (("--metadata", "nowhere.csv", "--slice-by", "x"), "no such file"),
        (("--support", "3"), "add --slice-by"),
        (("--metadata-key", "x"), "add --slice-by"),
        (("--track-by", "x"), "add --sequences"),
        (("--calibration", "0"), "bins of a calibration"),
    ],
)
def test_mistakes_are_told(paths: tuple[Path, Path], options: tuple[str, ...], words: str) -> None:
    assert words in refusal(command.boxscore("eval", *paths, *options))


def test_floors_by_slice(paths: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "floors.yaml"
    done = command.boxscore("thresholds", "fit", *paths, "--by", "weather", "--unit", "image", "--out", out)
    assert done.status == 0, done.errors
    assert [line.split()[0] for line in done.output.splitlines()[1:5]] == [
        *("all", "weather=fog", "weather=rain", "weather=sun"),
    ]
    again = command.boxscore("eval", *paths, "--protocol", "operating-point", "--thresholds", out)
    assert "floors by slice of weather" in again.errors
    printed = command.boxscore("thresholds", "fit", *paths, "--by", "weather", "--unit", "image")
    assert printed.output == out.read_text()
    assert "add --by" in refusal(command.boxscore("thresholds", "fit", *paths, "--folds", "3"))
