"""`boxscore eval --interval` as a user runs it."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import boxscore
from boxscore import Resampling
from boxscore.pipeline.saved import load_run
from boxscore.runs import read_run
from boxscore.stats.intervals import DEFAULT
from tests.intervals import samples
from tests.support import command
from tests.support.command import refusal
from tests.test_imports import heavy_among, modules_after


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    return samples.files(tmp_path)


def row_of(report: dict[str, Any], measure: str, label: str | None = None) -> dict[str, Any]:
    return next(row for row in report["metrics"] if (row["measure"], row["label"]) == (measure, label))


def test_json_has_what_python_gives(paths: tuple[Path, Path]) -> None:
    report = command.evaluate(*paths, "--interval").report
    expected = boxscore.evaluate(*paths).with_intervals()
    assert report["metrics"] == expected.metrics.rows
    assert report["intervals"] == expected.resampled
    assert report["intervals"] == {
        "interval": DEFAULT,
        "confidence": 0.95,
        "unit": "group",
        "units": 3,
        "grouped_by": {"field": "clip"},
        "replicates": 10,
        "exact": True,
        "seed": None,
        "absent": {"dog": pytest.approx(8 / 27)},
    }
    assert [note["code"] for note in report["notes"]] == [note.code for note in expected.notes]
    assert row_of(report, "AP", "dog")["low"] is not None


def test_options_reach_the_resampling(paths: tuple[Path, Path]) -> None:
    options = ["--interval", "basic", "--unit", "image", "--replicates", "40", "--seed", "9", "--level", "0.8"]
    report = command.evaluate(*paths, *options).report
    resampling = Resampling(interval="basic", unit="image", replicates=40, seed=9, confidence=0.8)
    assert report["metrics"] == boxscore.evaluate(*paths).with_intervals(resampling).metrics.rows
    options = ["--interval", "--group-regex", r"(?P<n>[01])/", "--ungrouped", "single"]
    assert command.evaluate(*paths, *options).report["intervals"]["units"] == 6
    assert command.evaluate(*paths, "--interval", "--group-by", "clip").report["intervals"]["units"] == 3


def test_the_summary_shows_intervals(paths: tuple[Path, Path]) -> None:
    finished = command.boxscore("eval", *paths, "--interval", "--per-label")
    assert finished.status == 0, finished
    lines = finished.output.splitlines()
    report = command.evaluate(*paths, "--interval").report
    assert lines[0].startswith(f"95 % intervals ({DEFAULT}) from all 10 resamples of 3 groups")
    assert lines[0].split()[-5:] == ["low", "high", "std", "error", "bias"]
    assert lines[1].split()[-5:] == [shown(row_of(report, "AP"), name) for name in COLUMNS]
    assert lines[6].split()[-5:] == ["n/a"] * 5  # there are no large objects
    plain = command.boxscore("eval", *paths).output.splitlines()
    assert all(line.startswith(before) for line, before in zip(lines[1:13], plain[:12], strict=True))
    dog = next(line.split() for line in lines if line.startswith("dog"))
    row = row_of(report, "AP", "dog")
    assert dog[1:3] == [f"{row['value']:.3f}", f"{row['low']:.3f}..{row['high']:.3f}"]
    assert "whole groups are resampled: 3 groups by field 'clip' of the images (images one by one: --unit image)" in (
        finished.errors
    )
    assert "With 3 groups an interval shows" in finished.errors


COLUMNS = ("value", "low", "high", "std_error", "bias")


def shown(row: dict[str, Any], name: str) -> str:
    return f"{row[name] + 0.0:+.3f}" if name == "bias" else f"{row[name]:.3f}"


def test_the_operating_point_shows_intervals(paths: tuple[Path, Path]) -> None:
    options = ["--protocol", "operating-point", "--conf", "0.4", "--interval"]
    lines = command.boxscore("eval", *paths, *options).output.splitlines()
    report = command.evaluate(*paths, *options).report
    for measure in ("recall", "F1[average=macro]"):
        words = next(line.split() for line in lines if line.split()[:1] == [measure])
        assert words[1:] == [shown(row_of(report, measure), name) for name in COLUMNS]
    dog = [line.split() for line in lines if line.startswith("dog")][-1]
    row = row_of(report, "recall", "dog")
    assert dog[4:6] == [f"{row['value']:.3f}", f"{row['low']:.3f}..{row['high']:.3f}"]
    alone = command.boxscore("eval", *paths, *options, "--label-agnostic")
    assert alone.status == 0
    assert "95 % intervals" in alone.output


def test_one_group_in_text(tmp_path: Path) -> None:
    finished = command.boxscore("eval", *samples.files(tmp_path, clips=1), "--interval")
    assert finished.output.splitlines()[1].split()[-4:] == ["n/a"] * 4
    assert "There is one group only" in finished.errors
    assert "no interval: one unit" in finished.errors


def test_the_run_folder_keeps_intervals(paths: tuple[Path, Path], tmp_path: Path) -> None:
    finished = command.evaluate(*paths, "--interval", "--out", str(tmp_path / "run"))
    saved = read_run(tmp_path / "run")
    assert saved.metrics.rows == finished.report["metrics"]
    assert saved.resampled == finished.report["intervals"]
    assert saved.manifest["command"]["options"]["interval"] == DEFAULT
    frame = saved.table("metrics")
    row = frame.filter((pl.col("measure") == "AP") & pl.col("label").is_null()).to_dicts()[0]
    assert row == row_of(finished.report, "AP")
    loaded = load_run(tmp_path / "run")
    assert loaded.metrics.rows == saved.metrics.rows
    assert loaded.to_dict()["intervals"] == saved.resampled
    assert loaded.with_intervals().metrics.rows == saved.metrics.rows


def test_saved_groups_by_expression_are_found_again(paths: tuple[Path, Path], tmp_path: Path) -> None:
    paths[0].write_text(json.dumps(samples.ground_truth(field=None)))
    options = ["--interval", "--group-regex", "(?P<clip>clip.)", "--out", str(tmp_path / "run")]
    finished = command.evaluate(*paths, *options)
    assert finished.status == 0, finished
    loaded = load_run(tmp_path / "run")
    assert loaded.groups is not None
    assert loaded.groups.rule == {"expression": "(?P<clip>clip.)"}
    assert loaded.with_intervals().metrics.rows == finished.report["metrics"]


MISTAKES = [
    (
        ["--interval", "bayes"],
        "argument --interval: 'bayes' is no interval; known are percentile, midpoint, basic, bca, student",
    ),
    (["--replicates", "9"], "--replicates says how intervals are made, and none are asked for; add --interval"),
    (["--level", "0.9"], "--level says how intervals are made"),
    (["--interval", "--level", "95"], "--level is 95.0; it must lie between 0 and 1"),
    (["--interval", "--replicates", "0"], "--replicates is 0; it must be a whole number from 1"),
    (["--interval", "--group-regex", "clip"], "--group-regex 'clip' needs one named group, and has none; write one"),
    (["--interval", "--group-regex", "(?P<a>clip0)"], "image 10 (clip1/frame_000.jpg), nor in those of 7 more of 12"),
    (["--interval", "--group-by", "Clip"], "gt.json: no image has a field 'Clip' to group by"),
    (["--interval", "--group-by", "clip", "--unit", "image"], "--group-by makes groups, and --unit image would not"),
    (["--interval", "--group-by", "a", "--group-regex", "(?P<a>.)"], "--group-by and --group-regex are both given"),
]


@pytest.mark.parametrize(("options", "message"), MISTAKES, ids=[" ".join(options) for options, _ in MISTAKES])
def test_mistakes_are_told(paths: tuple[Path, Path], options: list[str], message: str) -> None:
    assert message in refusal(command.boxscore("eval", *paths, *options))


def test_a_file_behind_the_option_is_told_of(paths: tuple[Path, Path]) -> None:
    message = refusal(command.boxscore("eval", "--interval", *paths))
    assert "put --interval last" in message


def test_a_refused_interval_leaves_no_folder(paths: tuple[Path, Path], tmp_path: Path) -> None:
    refusal(command.boxscore("eval", *paths, "--interval", "--group-by", "no", "--out", tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_pipe_is_not_read_twice(paths: tuple[Path, Path], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(paths[0].read_bytes()))
    writer.start()
    finished = command.evaluate(pipe, paths[1], "--interval", "--replicates", "5")
    writer.join()
    assert finished.report["intervals"]["unit"] == "image"
    assert "groups-unknown" in [note["code"] for note in finished.report["notes"]]


def test_without_the_option_nothing_is_imported(paths: tuple[Path, Path], tmp_path: Path) -> None:
    code = "from boxscore.cli import main\nassert main({!r}) == 0"
    plain, asked = ["eval", *map(str, paths), "--json"], ["eval", *map(str, paths), "--json", "--interval"]
    loaded = modules_after(code.format(plain), tmp_path)
    assert not heavy_among(loaded)
    assert not {"scipy", "boxscore.pipeline.intervals", "boxscore.stats.plans"} & loaded
    with_interval = modules_after(code.format(asked), tmp_path)
    assert "numpy" in with_interval
    assert not {"scipy", "polars"} & with_interval
