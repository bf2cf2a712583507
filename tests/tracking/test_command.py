"""`boxscore log` before any tracker is asked."""

import sys
from pathlib import Path

import pytest

from boxscore import cli
from tests.support.command import boxscore
from tests.test_imports import modules_after


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert cli.main(["log", *map(str, arguments)]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("error: ")
    return errors


@pytest.mark.parametrize(("tracker", "package"), [("mlflow", "mlflow-skinny"), ("wandb", "wandb")])
def test_a_package_that_is_not_installed(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tracker: str,
    package: str,
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, tracker, None)
    message = told(capsys, folder, "--to", tracker)
    assert f"needs the package {package}, which is not installed" in message
    assert f"`pip install 'boxscore[{tracker}]'`" in message


@pytest.mark.parametrize("tag", ["", "commit", "=1", "commit="])
def test_a_tag_that_is_none(folder: Path, capsys: pytest.CaptureFixture[str], tag: str) -> None:
    assert f"--tag {tag!r}: give a key and a value" in told(capsys, folder, "--to", "wandb", "--tag", tag)


def test_a_report_that_is_not_there(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.html"
    assert f"there is no file {path}" in told(capsys, folder, "--to", "wandb", "--report", path)


def test_no_run_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no such folder" in told(capsys, tmp_path / "none", "--to", "mlflow")


def test_no_tracker(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--to" in told(capsys, folder)
    assert "mlflow" in told(capsys, folder, "--to", "tensorboard")


def test_help_names_the_trackers() -> None:
    done = boxscore("log", "--help")
    assert done.status == 0
    assert "mlflow or wandb" in done.output


def test_trackers_are_imported_by_their_homes_alone(folder: Path, tmp_path: Path) -> None:
    code = f"""
from boxscore.tracking.record import record_of
from boxscore.cli import log, main
assert record_of({str(folder)!r}).figures
assert main(["protocols"]) == 0
"""
    loaded = modules_after(code, tmp_path)
    assert not loaded & {"mlflow", "wandb", "requests", "pydantic"}
