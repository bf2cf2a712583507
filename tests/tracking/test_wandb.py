"""What W&B keeps of a run in offline mode, read from the file that `wandb sync` sends."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from boxscore.runs import read_run
from boxscore.tracking.names import WANDB
from tests.support.command import Finished, refusal
from tests.tracking import made
from tests.tracking.conftest import Log

pytestmark = pytest.mark.skipif(find_spec("wandb") is None, reason="wandb is not installed")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wandb")


@pytest.fixture(scope="module")
def logged(log: Log, folder: Path, place: Path) -> Finished:
    options = ("--project", "nightly", "--name", "epoch 7", "--tag", "commit=1a2b=3c", "--tag", "host=gpu")
    return log(folder, "--to", "wandb", *options, WANDB_MODE="offline", WANDB_DIR=str(place))


@pytest.fixture(scope="module")
def held(logged: Finished, place: Path) -> Any:
    """The records of the run's file."""
    assert logged.status == 0, logged.errors
    (file,) = place.rglob("*.wandb")
    command = [sys.executable, "-m", "tests.tracking.wandb_file", str(file)]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def figures(held: Any) -> dict[str, float]:
    """All that was logged as figures, history and summary."""
    (step,) = held["history"]
    both: dict[str, float] = held["summary"] | step
    return {name: value for name, value in both.items() if not name.startswith("_")}


def test_it_says_where_the_run_is_and_how_it_is_sent(logged: Finished, held: Any, place: Path) -> None:
    assert (logged.status, logged.errors) == (0, "")
    first, run, kept, send = logged.output.splitlines()
    assert first.startswith("Logged epoch 7 to nightly: ")
    assert run == f"run   {held['run']['id']}"
    assert kept.startswith("kept  ")
    assert send == f"send  wandb sync {kept.removeprefix('kept  ')}"
    assert (place / "wandb" / Path(kept).name / f"run-{held['run']['id']}.wandb").is_file()
    assert held["exit"] == 0


def test_name_project_and_tags(held: Any) -> None:
    assert (held["run"]["name"], held["run"]["project"]) == ("epoch 7", "nightly")
    assert sorted(held["run"]["tags"]) == ["commit=1a2b=3c", "host=gpu"]
    assert held["config"]["tags"] == {"commit": "1a2b=3c", "host": "gpu"}


def test_every_figure_and_interval_to_the_last_bit(figures: dict[str, float], folder: Path) -> None:
    expected = {}
    for row in read_run(folder).metrics:
        for bound in ("value", "low", "high"):
            if row[bound] is not None:
                expected[row["measure"], row["label"], row["slice"], None if bound == "value" else bound] = row[bound]
    found = {}
    for name, value in figures.items():
        figure = WANDB.figure(name)
        found[figure.measure, figure.label, figure.slice, figure.bound] = value
    assert found == expected
    named = {"AP", "AP__iou_0p5__low", "AP__area_medium__high", "label_traffic_20light__AP", "label__43ar__AP"}
    assert named <= set(figures)


def test_names_are_those_that_can_be_sorted_and_filtered_by(figures: dict[str, float]) -> None:
    assert all(re.fullmatch("[_a-zA-Z][_a-zA-Z0-9]*", name) for name in figures)
    assert len({name.lower() for name in figures}) == len(figures)


def test_charts_are_only_of_figures_over_all(held: Any) -> None:
    (step,) = held["history"]
    assert "AP" in step
    assert not [name for name in step if name.startswith(("label_", "slice_"))]


def test_what_does_not_exist_has_a_reason_and_no_number(held: Any, figures: dict[str, float]) -> None:
    undefined = held["config"]["undefined"]
    assert undefined["AP__area_large"] == "no ground truth of area large"
    assert undefined["label_bus__AP"] == "no ground truth"
    assert not set(undefined) & set(figures)
    assert all(value == value and abs(value) < float("inf") for value in figures.values())


def test_what_was_run_is_in_the_config(held: Any, folder: Path) -> None:
    config, manifest = held["config"], read_run(folder).manifest
    assert config["run"] == {"digest": manifest["digest"], "time": manifest["time"]}
    assert config["protocol"] == manifest["protocol"]
    assert config["digests"] == manifest["digests"]
    assert config["versions"] == manifest["versions"]
    assert config["interval"] == read_run(folder).resampled
    assert config["gate"] == {"verdict": "fail", "failed": 1, "baseline": "runs/base", "checks": 2}
    assert (config["images"], config["labels"]) == (12, len(made.LABELS))


def test_run_folder_and_report_are_there_byte_for_byte(held: Any, folder: Path) -> None:
    (artifact,) = held["artifacts"]
    assert artifact["type"] == "boxscore-run"
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    expected = {f"report/{path}" if path.name == "report.html" else f"run/{path.as_posix()}": path for path in files}
    assert set(artifact["files"]) == {*expected, "boxscore-names.json"}
    for name, path in expected.items():
        data, entry = (folder / path).read_bytes(), artifact["files"][name]
        assert entry["md5"] == base64.b64encode(hashlib.md5(data).digest()).decode(), name
        assert Path(entry["file"]).read_bytes() == data, name


def test_the_table_of_names_tells_each_figure(held: Any, figures: dict[str, float]) -> None:
    (artifact,) = held["artifacts"]
    names = json.loads(Path(artifact["files"]["boxscore-names.json"]["file"]).read_text())
    assert set(names) == set(figures) | set(held["config"]["undefined"])
    assert names["label__43ar__AP__iou_0p5__low"] == {
        "measure": "AP@0.5",
        "label": "Car",
        "slice": None,
        "bound": "low",
    }


def test_nothing_of_the_machine_that_logs_is_kept(place: Path, held: Any) -> None:
    assert held["run"]["id"]
    assert [path.name for path in place.rglob("*.txt")] == []
    assert [path.name for path in place.rglob("wandb-metadata.json")] == []


REFUSED = {
    "disabled": ({"WANDB_MODE": "disabled"}, (), "W&B would log nothing"),
    "no account": ({"WANDB_MODE": "online"}, (), "WANDB_MODE=offline keeps it in a folder"),
    "no mode": ({"WANDB_MODE": "onlin"}, (), "Input should be 'online', 'offline'"),
    "a long tag": ({"WANDB_MODE": "offline"}, ("--tag", f"note={'x' * 60}"), "at most 64 characters"),
    "MLflow's option": (
        {"WANDB_MODE": "offline"},
        ("--tracking-uri", "http://localhost"),
        "--tracking-uri is MLflow's",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(log: Log, folder: Path, tmp_path: Path, case: str) -> None:
    variables, options, told = REFUSED[case]
    assert told in refusal(log(folder, "--to", "wandb", *options, **variables, WANDB_DIR=str(tmp_path)))
    assert list(tmp_path.rglob("*.wandb")) == []
