"""`boxscore demo`: what it writes, what it prints, and what it refuses to overwrite."""

import json
import shlex
from pathlib import Path

import pytest

from tests.support.command import boxscore, refusal

FILES = ["baseline.json", "boxscore-demo.json", "candidate.json", "ground_truth.json"]
FEW = ("--images", "60")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_it_writes_and_evaluates_two_models(tmp_path: Path) -> None:
    shown = boxscore("demo", *FEW, "--json", cwd=tmp_path)
    assert shown.status == 0, shown.errors
    assert [path.name for path in tmp_path.iterdir()] == ["boxscore-demo"]
    assert sorted(contents(tmp_path / "boxscore-demo")) == FILES
    report = shown.report
    assert len(json.loads((tmp_path / report["ground_truth"]).read_text())["images"]) == 60
    for model in report["models"].values():
        assert len(json.loads((tmp_path / model["file"]).read_text())) == model["detections"]
        assert list(model["summary"])[:3] == ["AP", "AP@0.5", "AP@0.75"]
        assert len(model["summary"]) == 12


def test_the_text_shows_both_models_side_by_side(tmp_path: Path) -> None:
    shown = boxscore("demo", *FEW, cwd=tmp_path)
    report = boxscore("demo", *FEW, "--json", cwd=tmp_path).report
    assert shown.status == 0, shown.errors
    rows = {line.split()[0]: line.split()[1:] for line in shown.output.splitlines() if line.startswith("A")}
    models = report["models"]
    for measure, value in models["baseline"]["summary"].items():
        other = models["candidate"]["summary"][measure]
        assert rows[measure] == [f"{value:.3f}", f"{other:.3f}", f"{other - value:+.3f}"]
    for command in report["next"]:
        assert f"  {command}\n" in shown.output
    assert max(map(len, shown.output.splitlines())) <= 120


def test_every_command_it_suggests_works(tmp_path: Path) -> None:
    report = boxscore("demo", *FEW, "--json", "--out", "two words", cwd=tmp_path).report
    for command in report["next"]:
        name, *arguments = shlex.split(command)
        assert name == "boxscore"
        done = boxscore(*arguments, cwd=tmp_path)
        assert done.status == 0, (command, done.errors)
        assert done.output, command


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("one", "7"), ("two", "7"), ("three", "8")):
        assert boxscore("demo", *FEW, "--seed", seed, "--out", tmp_path / name).status == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert contents(tmp_path / "one") != contents(tmp_path / "three")


def test_it_writes_again_over_its_own_and_keeps_the_rest(tmp_path: Path) -> None:
    assert boxscore("demo", *FEW, cwd=tmp_path).status == 0
    folder = tmp_path / "boxscore-demo"
    before = contents(folder)
    (folder / "notes.txt").write_text("mine")
    assert boxscore("demo", *FEW, "--seed", "1", cwd=tmp_path).status == 0
    after = contents(folder)
    assert after.pop("notes.txt") == b"mine"
    assert sorted(after) == sorted(before)
    assert after["candidate.json"] != before["candidate.json"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    assert boxscore("demo", *FEW, "--out", "new", cwd=tmp_path).status == 0
    assert sorted(contents(tmp_path / "new")) == FILES


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ground_truth.json").write_text("precious")
    message = refusal(boxscore("demo", *FEW, "--out", "data", cwd=tmp_path))
    assert "data exists" in message
    assert "--out" in message
    assert contents(tmp_path / "data") == {"ground_truth.json": b"precious"}
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("precious")
    assert "taken exists" in refusal(boxscore("demo", *FEW, "--out", "taken", cwd=tmp_path))
    assert (tmp_path / "taken").read_text() == "precious"


@pytest.mark.parametrize(("option", "value"), [("--images", "0"), ("--seed", "-1"), ("--images", "-5")])
def test_options_are_checked(tmp_path: Path, option: str, value: str) -> None:
    message = refusal(boxscore("demo", f"{option}={value}", cwd=tmp_path))
    assert option in message
    assert value in message
    assert list(tmp_path.iterdir()) == []


def test_one_image_is_enough(tmp_path: Path) -> None:
    for seed in range(4):
        shown = boxscore("demo", "--images", "1", "--seed", str(seed), cwd=tmp_path)
        assert shown.status == 0, shown.errors
        assert "nan" not in shown.output.lower()
