"""`boxscore predict` as a user runs it, with a real model."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.predict.card import load_card
from boxscore.predict.resume import place_of
from boxscore.predict.session import Session
from tests.support.cards import write_card
from tests.support.command import boxscore, evaluate, refusal

COUNT = 12


@pytest.fixture
def card(data_folder: Path, tmp_path: Path) -> Path:
    truth = json.loads((data_folder / "coco_val164/instances_val164.json").read_text())
    classes = [category["name"] for category in sorted(truth["categories"], key=lambda one: one["id"])]
    return write_card(tmp_path, data_folder / "models_coco80/yolox_nano.onnx", "yolox", 416, classes)


@pytest.fixture
def images(data_folder: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    for path in sorted((data_folder / "coco_val164/images").iterdir())[:COUNT]:
        shutil.copyfile(path, folder / path.name)
    return folder


def test_predict_then_eval(card: Path, images: Path, data_folder: Path, tmp_path: Path) -> None:
    truth = data_folder / "coco_val164/instances_val164.json"
    outs = [tmp_path / name for name in ("names.json", "table.parquet", "ids.json")]
    for out in outs:
        ids = ["--ground-truth", str(truth)] if out.name == "ids.json" else []
        done = boxscore("predict", card, images, "--out", out, "--threads", "1", *ids)
        assert done.status == 0, done.errors
        assert "p50" in done.output
        assert "\r" not in done.errors, "progress is for terminals"
    reports = [evaluate(truth, out).report for out in outs]
    assert reports[0]["summary"] == reports[1]["summary"] == reports[2]["summary"]
    assert reports[0]["summary"]["AP"] > 0.005  # 12 of the 164 images were predicted on
    codes = [note["code"] for note in reports[0]["notes"]]
    assert "pictures-not-predicted" in codes


def test_pictures_that_can_not_be_read_fail_the_command_unless_skipped(
    card: Path, images: Path, tmp_path: Path
) -> None:
    (images / "a.jpg").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    failed = boxscore("predict", card, images, "--out", tmp_path / "a.parquet", "--json")
    assert failed.status == 1
    assert failed.report["unreadable"][0]["file_name"] == "a.jpg"
    assert "note: 1 picture could not be read, and is marked so: a.jpg: it is a Git LFS pointer" in failed.errors
    skipped = boxscore("predict", card, images, "--out", tmp_path / "b.parquet", "--skip-unreadable")
    assert skipped.status == 0
    assert "a.jpg" in skipped.errors


def test_kill_9_and_go_on_ends_in_the_same_bytes(card: Path, images: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    assert boxscore("predict", card, images, "--out", whole, "--threads", "1").status == 0
    command = [sys.executable, "-m", "boxscore", "predict", card, images, "--out", out, "--threads", "1"]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL) as process:
        while not (place_of(out).exists() and place_of(out).read_bytes().count(b"\n") >= 4):
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
    assert not out.exists()
    done = boxscore("predict", card, images, "--out", out, "--threads", "1")
    assert done.status == 0
    assert "taken up 1 time" in done.errors
    assert out.read_bytes() == whole.read_bytes()
    other = boxscore("predict", card, images, "--out", whole, "--threads", "1")
    assert "--overwrite" in refusal(other)


def test_lanes_and_threads_give_the_same_boxes_but_for_rounding(card: Path, images: Path, tmp_path: Path) -> None:
    found = []
    for number, options in enumerate((["--threads", "2"], ["--threads", "2", "--lanes", "1"], ["--one-by-one"])):
        out = tmp_path / f"{number}.json"
        assert boxscore("predict", card, images, "--out", out, *options).status == 0
        found.append([row for row in json.loads(out.read_text()) if row["score"] > 0.05])
    for rows in found[1:]:
        assert len(rows) == len(found[0])
        for one, other in zip(found[0], rows, strict=True):
            assert one["category_name"] == other["category_name"]
            assert one["bbox"] == pytest.approx(other["bbox"], abs=0.01)


def test_a_card_is_explained_and_a_variant_named(card: Path) -> None:
    plain = boxscore("predict", "--card", card)
    assert plain.status == 0
    assert plain.output.startswith("1. Model: ")
    assert "letterbox" in plain.output or "ratio kept" in plain.output
    variant = boxscore("predict", card, "--explain", "--input-size", "640", "--nms-iou", "0.5")
    assert "input_size=640x640, nms_iou=0.5" in variant.output
    assert boxscore("predict", card, "--explain", "--json").report["steps"]


def test_mistakes_are_told(card: Path, images: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    for arguments, said in (
        ([], "there is no CARD"),
        ([card], "--out FILE"),
        ([card, images, "--out", out, "--providers", "tpu"], "there is no provider 'tpu'"),
        ([card, images, "--out", out, "--threads", "0"], "--threads 0: give 1 or more"),
        ([card, images, "--out", out, "--input-size", "a"], "--input-size 'a'"),
        ([card, images, "--out", out, "--input-size", "320"], "takes pictures of shape [1, 3, 416, 416]"),
        ([card, tmp_path / "none", "--out", out], "there is no such folder"),
    ):
        assert said in refusal(boxscore("predict", *arguments)), arguments
        assert not place_of(out).exists(), "nothing was begun that would have to be continued"
    assert not out.exists()


def test_a_model_that_is_none_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no model at all")
    path = write_card(tmp_path, broken, "yolox", 416, ["a"])
    with pytest.raises(InputError, match="ONNX Runtime can't load the model"):
        Session(load_card(path))
