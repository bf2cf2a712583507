"""`boxscore triage` as a user runs it."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from boxscore.runs.derived import read_derived
from boxscore.scenes import as_coco_ground_truth, simulate_detections, write_coco_ground_truth, write_coco_results
from boxscore.triage import read_sampling
from tests.support.command import boxscore, refusal
from tests.triage.made import GOOD, scenes, write_metadata


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder `run`, and `meta.csv` beside it."""
    home = tmp_path_factory.mktemp("triage")
    truth = scenes(120)
    write_coco_ground_truth(truth, home / "gt.json")
    write_coco_results(simulate_detections(truth, GOOD, 1), home / "dt.json")
    assert boxscore("eval", home / "gt.json", home / "dt.json", "--out", home / "run").status == 0
    light = np.round(1 / (1 + np.exp(truth.images.difficulty)), 4)
    names = [image["file_name"] for image in as_coco_ground_truth(truth)["images"]]
    write_metadata(home / "meta.csv", {"file_name": names, "light": light.tolist(), "cam": [n % 3 for n in range(120)]})
    return home


def test_text(folder: Path) -> None:
    done = boxscore("triage", folder / "run", "--conf", "0.5")
    assert done.status == 0, done.errors
    lines = done.output.splitlines()
    assert lines[0].startswith("120 images, ")
    assert "from confidence 0.5 on" in lines[0]
    assert any(line.startswith("classification ") for line in lines)
    assert "no search for conditions: there is no metadata of images to make conditions of" in lines


def test_what_was_found_is_kept_in_the_folder(folder: Path) -> None:
    done = boxscore("triage", folder / "run", "--json", "--metadata", folder / "meta.csv")
    assert done.status == 0, done.errors
    assert read_derived(folder / "run", "triage") == done.report
    assert done.report["search"]["family"] > 5
    assert "note: every detection counts" in done.errors


def test_tables_and_weights_are_written(folder: Path, tmp_path: Path) -> None:
    options: list[str | Path] = [
        "--metadata",
        folder / "meta.csv",
        "--slice-by",
        "light:0,0.5,1=dark,bright",
        "--k",
        "2",
    ]
    out = tmp_path / "out"
    done = boxscore("triage", folder / "run", *options, "--out", out, "--suggest", tmp_path / "next.yaml")
    assert done.status == 0, done.errors
    rows = pl.read_csv(out / "matches.csv").to_dicts()
    assert list(rows[0])[:3] == ["scene_id", "light", "cam"]
    assert rows[0]["light:0,0.5,1=dark,bright"] in ("dark", "bright")
    assert {path.name for path in out.iterdir()} == {"matches.csv", "failures_classified.csv", "cluster_summary.csv"}
    assert read_sampling(tmp_path / "next.yaml").content["source"] == str(folder / "run")
    assert "2 clusters of failures (as asked)" in done.output
    again = boxscore("triage", out / "matches.csv", "--json", "--no-search")
    first = boxscore("triage", folder / "run", "--json", "--no-search")
    assert again.status == 0, again.errors
    for of_table, of_run in zip(again.report["modes"], first.report["modes"], strict=True):
        assert (of_table["mode"], of_table["count"]) == (of_run["mode"], of_run["count"])
    assert again.report["average_precision"] == pytest.approx(first.report["average_precision"], abs=1e-12)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--iou", "0.55001"], "0.55001"),
        (["--iou", "0"], "iou is 0.0"),
        (["--k", "1"], "k is 1"),
        (["--features", "other"], "give perceptorguard"),
        (["--features", "perceptorguard"], "needs the column camera_distance"),
        (["--unit", "group", "--no-search", "--metadata", "nowhere.csv"], "nowhere.csv"),
        (["--permutations", "3"], "permutations is 3"),
        (["--slice-by", "lihgt"], "lihgt"),
        (["--out", "run/run.json"], "can't be made"),
    ],
)
def test_mistakes_are_told_in_a_paragraph(folder: Path, options: list[str], said: str) -> None:
    assert said in refusal(boxscore("triage", "run", *options, cwd=folder))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nothing", "there is no such folder"),
        ("gt.json", "is a file; give the folder of a run"),
        ("meta.csv", "no column match_type"),
        ("absent.csv", "there is no such file"),
    ],
)
def test_what_is_no_run_is_refused(folder: Path, given: str, said: str) -> None:
    assert said in refusal(boxscore("triage", given, cwd=folder))
