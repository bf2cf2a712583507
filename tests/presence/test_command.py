"""The command: what it prints, what it writes, and what it refuses."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from boxscore.cli import main
from boxscore.faces.gallery import Gallery, GalleryActor, write_gallery
from tests.presence.written import ANN, gallery, prediction
from tests.support.command import boxscore, refusal


def said(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    capsys.readouterr()
    status = main(["presence", "score", "--pred", "pred.json", *options])
    told = capsys.readouterr()
    return status, told.out, told.err


@pytest.mark.parametrize(
    "options",
    [
        ("--xray", "xray", "--per-actor", "--per-scene", "--anneal", "0,2"),
        ("--xray", "xray", "--movienet", "movienet", "--fps", "10"),
        ("--xray", "xray", "--no-mask", "--slice-by", "people"),
        ("--table", "table.csv", "--gallery", "gallery.json"),
    ],
    ids=["xray", "both", "no mask", "table and gallery"],
)
def test_printed(
    home: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion, options: tuple[str, ...]
) -> None:
    (home / "table.csv").write_text(f"actor,start,end\n{ANN},0,5\nBob Best,2,4.5\n")
    gallery(home / "gallery.json", ("Ann Lee", {"imdb": ANN}))
    status, out, err = said(capsys, *options)
    assert status == 0
    assert out == snapshot
    assert err == snapshot


def test_samples(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--xray", "xray", "--samples", "samples.jsonl")[0] == 0
    rows = [json.loads(line) for line in (home / "samples.jsonl").read_text().splitlines()]
    assert len(rows) == 20
    assert rows[11] == {
        "source": "xray",
        "time": 11.0,
        "clock": "0:00:11",
        "scene": "40",
        "true": ["imdb:nm0000001", "imdb:nm0000003"],
        "predicted": ["imdb:nm0000001", "tmdb:5"],
        "TP": ["imdb:nm0000001"],
        "FP": [],
        "FN": [],
        "outside_mask": ["imdb:nm0000003", "tmdb:5"],
    }
    assert (rows[6]["FP"], rows[6]["scene"]) == (["imdb:nm0000001"], "23")


@pytest.mark.usefixtures("home")
def test_samples_may_lie_in_the_run_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--xray", "xray", "--out", "run", "--samples", "run/samples.jsonl")[0] == 0
    assert len(Path("run/samples.jsonl").read_text().splitlines()) == 20


@pytest.mark.usefixtures("home")
def test_the_slices_of_the_page_have_every_moment(capsys: pytest.CaptureFixture[str]) -> None:
    """Bins are right-closed, so that a moment with nobody in it needs a bin that begins below 0."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "presence.md").read_text(encoding="utf-8")
    found = re.search(r"`--slice-by (people:[^`]*)`", page)
    assert found is not None
    status, out, _ = said(capsys, "--xray", "xray", "--slice-by", found[1], "--json")
    assert status == 0
    rows = [row for row in json.loads(out)["slices"][0] if row["measure"] == "FP" and row["label"] is None]
    values = {row["slice"]: row["value"] for row in rows if (row["slice"] or "").startswith("people")}
    assert values == {"people=none": 1, "people=few": 2, "people=many": 0}


@pytest.mark.usefixtures("home")
def test_rows_of_the_mask_are_no_slices(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "--xray", "xray", "--slice-by", "scene", "--json")
    assert status == 0
    names = {row["slice"] for row in json.loads(out)["slices"][0]}
    assert {"scene=17", "scene=23", "scene=40"} <= names
    assert not [name for name in names if name.startswith("mask")]


def test_windows_without_length_are_nobodys_presence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "table.csv").write_text("actor,start,end\nAnn Lee,5,5\nBob Best,0,20\n")
    prediction(
        home / "pred.json", [{"name": "Ann Lee", "windows": [[0, 10]]}, {"name": "Bob Best", "windows": [[3, 3]]}]
    )
    assert said(capsys, "--table", "table.csv", "--no-mask")[0] == 0
    status, out, err = said(capsys, "--table", "table.csv", "--no-mask", "--json")
    assert status == 0, err
    (source,) = json.loads(out)["sources"]
    assert (source["windows"]["all"]["windows"], source["windows"]["all"]["found"]) == (1, 0)
    status, out, _ = said(capsys, "--table", "table.csv", "--json")
    assert json.loads(out)["sources"][0]["mask"]["actors"] == 1, "Bob is never found"


@pytest.mark.parametrize("movienet", ["movienet", "movienet/tt0000001.json"])
@pytest.mark.usefixtures("home")
def test_the_files_of_folders_are_inputs(capsys: pytest.CaptureFixture[str], movienet: str) -> None:
    options = ("--xray", "xray", "--movienet", movienet, "--fps", "10", "--out", "run")
    assert said(capsys, *options)[0] == 0
    for source in ("xray", "movienet"):
        inputs = json.loads(Path("run", source, "run.json").read_text())["inputs"]
        assert {role: one["path"] for role, one in inputs.items()} == {
            "predictions": "pred.json",
            "xray_people": "xray/people.csv",
            "xray_scenes": "xray/scenes.csv",
            "xray_people_in_scenes": "xray/people_in_scenes.csv",
            "movienet": "movienet/tt0000001.json",
            "shots": "movienet/tt0000001.txt",
        }
        assert all(one["sha256"] for one in inputs.values())


@pytest.mark.usefixtures("home")
def test_the_same_command_gives_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--xray", "xray", "--random", "50", "--seed", "4", "--json")
    assert said(capsys, *options)[1] == said(capsys, *options)[1]
    assert said(capsys, *options)[1] != said(capsys, *options[:-2], "5", "--json")[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "there is no ground truth; give --xray DIR"),
        (("--xray", "nowhere"), "nowhere: there is no such folder"),
        (("--movienet", "movienet"), "give --fps"),
        (("--movienet", "movienet", "--fps", "10", "--split", "Train_app10"), "say which with --title"),
        (("--xray", "xray", "--fps", "10"), "--fps is about MovieNet"),
        (("--table", "table.csv", "--presence", "scene"), "--presence says how X-Ray is read"),
        (("--table", "table.csv", "--scene-anchored"), "this ground truth has none"),
        (("--xray", "xray", "--step", "0"), "step is 0"),
        (("--xray", "xray", "--step", "1", "--random", "5"), "step and random are both given"),
        (("--xray", "xray", "--anneal", "0,two"), "--anneal '0,two'"),
        (("--xray", "xray", "--anneal", "1,-2"), "--anneal has -2; give seconds from 0 on"),
        (("--xray", "xray", "--gallery", "gallery.json", "--no-mask"), "leave one of them out"),
        (("--xray", "xray", "--gallery", "nobody.json"), "nobody.json"),
        (("--xray", "xray", "--level", "2"), "--level is 2.0"),
        (("--xray", "xray", "--replicates", "0"), "--replicates is 0"),
        (("--xray", "xray", "--support", "3"), "none are asked for"),
        (("--xray", "xray", "--slice-by", "weather"), "there is no column 'weather'"),
        (("--xray", "xray", "--overwrite"), "--overwrite replaces the run folder of --out"),
        (("--xray", "xray", "--out", "xray"), "exists and is no run folder"),
        (("--xray", "xray", "--samples", "no/where.jsonl", "--out", "run"), "there is no folder no; make it"),
        (("--xray", "xray", "--duration", "inf"), "duration is inf; give seconds, more than 0"),
        (("--xray", "xray", "--threads", "0"), "threads is 0"),
    ],
)
def test_refusals(home: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str) -> None:
    (home / "table.csv").write_text("actor,start,end\nAnn Lee,0,5\n")
    gallery(home / "gallery.json", ("Ann Lee", {"imdb": ANN}))
    status, out, err = said(capsys, *options)
    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert "Traceback" not in err
    assert not (home / "run").exists()


def test_a_wrong_prediction_is_one_paragraph_and_leaves_nothing(home: Path) -> None:
    prediction(home / "pred.json", [{"name": "Ann", "windows": [[5, 3]]}])
    done = boxscore("presence", "score", "--pred", "pred.json", "--xray", "xray", "--out", "run", cwd=home)
    assert "pred.json" in refusal(done)
    assert not (home / "run").exists()


@pytest.mark.usefixtures("home")
def test_a_run_is_replaced_only_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--xray", "xray", "--out", "run")
    assert said(capsys, *options)[0] == 0
    status, _, err = said(capsys, *options)
    assert status == 2
    assert "holds a run" in err
    assert said(capsys, *options, "--overwrite")[0] == 0


def test_help_names_the_action(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["presence", "score", "--help"]) == 0
    assert "usage: boxscore presence score" in capsys.readouterr().out


def test_what_is_predicted_behind_the_ground_truth_is_told_or_refused(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """X-Ray ends at 20 s: the film may go on, unless its length is given."""
    prediction(home / "pred.json", [{"name": "Ann Lee", "windows": [[18, 23]]}])
    status, _, err = said(capsys, "--xray", "xray")
    assert status == 0
    assert "3 s of predicted presence lie behind 20 s" in err
    status, _, err = said(capsys, "--xray", "xray", "--duration", "20")
    assert status == 2
    assert "pred.json" in err
    assert said(capsys, "--xray", "xray", "--duration", "25", "--json")[0] == 0


def test_galleries_in_hdf5_are_read_too(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = (GalleryActor("Ann Lee", np.ones((1, 4)), {"imdb": ANN}), GalleryActor("Cid Fox", np.ones((1, 4))))
    write_gallery(Gallery("model", "0" * 64, people), home / "gallery.h5")
    status, out, err = said(capsys, "--xray", "xray", "--gallery", "gallery.h5", "--json")
    assert status == 0, err
    masked = json.loads(out)["sources"][0]["masked"]
    assert (masked["TP"], masked["FP"], masked["FN"]) == (10, 1, 15)
