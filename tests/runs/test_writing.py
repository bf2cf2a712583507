"""A run folder is there whole, or not at all; and nothing else is ever overwritten."""

import errno
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import boxscore
from boxscore import cli
from boxscore.runs import read_run, write
from tests.runs import samples


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class Failing:
    """Stands in for a function and fails at its n-th call."""

    def __init__(self, call: Any, at: int, error: BaseException) -> None:
        self.call = call
        self.left = at
        self.error = error

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise self.error
        return self.call(*arguments, **options)


FULL = OSError(errno.ENOSPC, "No space left on device")
ERRORS = [FULL, pl.exceptions.ComputeError("the disk is full"), KeyboardInterrupt(), MemoryError()]


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("there", [False, True], ids=["new", "over an old one"])
def test_a_table_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException, there: bool
) -> None:
    if there:
        samples.run(iou=0.5).save(tmp_path / "run")
    failing = Failing(pl.DataFrame.write_parquet, at, error)

    def write_parquet(frame: pl.DataFrame, *given: Any, **options: Any) -> None:
        failing(frame, *given, **options)

    monkeypatch.setattr(pl.DataFrame, "write_parquet", write_parquet)
    expected = boxscore.InputError if isinstance(error, OSError | pl.exceptions.PolarsError) else type(error)
    with pytest.raises(expected):
        samples.run().save(tmp_path / "run", overwrite=there)
    assert names(tmp_path) == (["run"] if there else [])
    if there:
        assert read_run(tmp_path / "run").summary == samples.run(iou=0.5).summary


@pytest.mark.parametrize("at", range(2))
def test_a_json_file_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    monkeypatch.setattr(write, "write_bytes", Failing(write.write_bytes, at, FULL))
    with pytest.raises(boxscore.InputError, match="No space left"):
        samples.run().save(tmp_path / "run")
    assert names(tmp_path) == []


@pytest.mark.parametrize("at", range(2))
def test_a_move_that_fails_leaves_the_old_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    samples.run(iou=0.5).save(tmp_path / "run")
    rename = Path.rename
    failing = Failing(rename, at, FULL)

    def failing_once(path: Path, target: Path) -> Path:
        moved: Path = rename(path, target) if failing.left < 0 else failing(path, target)
        return moved

    monkeypatch.setattr(Path, "rename", failing_once)
    with pytest.raises(boxscore.InputError, match="No space left"):
        samples.run().save(tmp_path / "run", overwrite=True)
    monkeypatch.undo()
    assert names(tmp_path) == ["run"]
    assert read_run(tmp_path / "run").summary == samples.run(iou=0.5).summary


FILE_LIMIT = """
import resource, sys
import polars
from tests.runs import samples
run = samples.run()
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    run.save(sys.argv[1])
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are POSIX's")
@pytest.mark.parametrize("limit", [0, 1500, 5000])
def test_files_that_the_system_refuses_to_grow(tmp_path: Path, limit: int) -> None:
    """A real refusal, as a full disk gives it: tables fit the second limit, the JSON files do not."""
    target = tmp_path / "run"
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", FILE_LIMIT, str(target), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=True)
    assert "InputError" in done.stdout, done
    assert "File too large" in done.stdout
    assert names(tmp_path) == []


def test_an_existing_run_needs_the_word(tmp_path: Path) -> None:
    samples.run(iou=0.5).save(tmp_path / "run")
    (tmp_path / "run" / "derived").mkdir()
    with pytest.raises(boxscore.InputError, match="--overwrite"):
        samples.run().save(tmp_path / "run")
    assert read_run(tmp_path / "run").summary == samples.run(iou=0.5).summary
    samples.run().save(tmp_path / "run", overwrite=True)
    assert read_run(tmp_path / "run").summary == samples.run().summary
    assert names(tmp_path) == ["run"]
    assert not (tmp_path / "run" / "derived").exists(), "what was derived from the old run went with it"


@pytest.mark.parametrize("content", [[], ["photo.jpg"], ["run.json"], ["run.json", "metrics.json"]], ids=str)
def test_a_folder_that_is_no_run_is_never_touched(tmp_path: Path, content: list[str]) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in content:
        (folder / name).write_text("{}")
    with pytest.raises(boxscore.InputError, match="mine exists and is no run folder"):
        samples.run().save(folder, overwrite=True)
    assert names(folder) == sorted(content)


def test_a_run_with_something_else_in_it_is_never_touched(tmp_path: Path) -> None:
    samples.run().save(tmp_path / "run")
    (tmp_path / "run" / "my notes.txt").write_text("precious")
    with pytest.raises(boxscore.InputError, match=r"my notes\.txt"):
        samples.run().save(tmp_path / "run", overwrite=True)
    assert (tmp_path / "run" / "my notes.txt").read_text() == "precious"


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("precious")
    with pytest.raises(boxscore.InputError, match="no folder"):
        samples.run().save(tmp_path / "run", overwrite=True)
    with pytest.raises(boxscore.InputError, match="run/below"):
        samples.run().save(tmp_path / "run" / "below")
    assert (tmp_path / "run").read_text() == "precious"


def test_parents_are_made_and_links_followed(tmp_path: Path) -> None:
    samples.run(iou=0.5).save(tmp_path / "a" / "b" / "run")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "a" / "b" / "run")
    samples.run().save(link, overwrite=True)
    assert link.is_symlink()
    assert read_run(tmp_path / "a" / "b" / "run").summary == samples.run().summary


def test_the_folder_has_the_rights_of_any_new_folder(tmp_path: Path) -> None:
    samples.run().save(tmp_path / "run")
    (tmp_path / "plain").mkdir()
    assert (tmp_path / "run").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_the_command_line_refuses_before_it_evaluates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples.run().save(tmp_path / "run")
    missing = [str(tmp_path / "gt.json"), str(tmp_path / "pred.json")]
    assert cli.main(["eval", *missing, "--out", str(tmp_path / "run")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert "--overwrite" in captured.err
    files = list(map(str, samples.files(tmp_path)))
    assert cli.main(["eval", *files, "--out", str(tmp_path / "run"), "--overwrite"]) == 0
    assert cli.main(["eval", *files, "--out", str(tmp_path / "new")]) == 0
    read_run(tmp_path / "new")
