"""What analyses keep beside a run: whole or not at all, and never another run's."""

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import boxscore
from boxscore.runs import (
    derived,
    list_derived,
    read_derived,
    read_derived_table,
    read_run,
    run_digest,
    verify,
    write_derived,
)
from tests.runs import samples

CONTENT: dict[str, Any] = {"share": 0.1 + 0.2, "rows": [{"label": "vélo", "count": 3, "ap": None}], "none": []}
TABLE = pl.DataFrame({"detection": [0, 1], "mode": ["duplicate", None]})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    samples.run().save(tmp_path / "run")
    return tmp_path / "run"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "derived").iterdir())


def test_what_was_written_is_read(folder: Path) -> None:
    assert list_derived(folder) == []
    assert read_derived(folder, "triage") is None
    write_derived(folder, "triage", CONTENT)
    write_derived(folder, "per-label_2", {})
    assert read_derived(folder, "triage") == CONTENT
    assert read_derived(folder, "per-label_2") == {}
    assert list_derived(folder) == ["per-label_2", "triage"]
    stated = json.loads((folder / "derived" / "triage.json").read_text())
    assert stated == {"derived": "triage", "format": 1, "of": read_run(folder).manifest["digest"], "content": CONTENT}


def test_the_same_content_is_the_same_bytes(folder: Path) -> None:
    path = folder / "derived" / "triage.json"
    write_derived(folder, "triage", CONTENT, TABLE)
    first, table = path.read_bytes(), path.with_suffix(".parquet").read_bytes()
    write_derived(folder, "triage", CONTENT, TABLE)
    assert (path.read_bytes(), path.with_suffix(".parquet").read_bytes()) == (first, table)


def test_a_table_beside_it(folder: Path) -> None:
    write_derived(folder, "triage", CONTENT, TABLE)
    found = read_derived_table(folder, "triage")
    assert found is not None
    assert found.equals(TABLE)
    write_derived(folder, "triage", CONTENT)
    assert read_derived_table(folder, "triage") is None
    assert names(folder) == ["triage.json"]


def test_the_run_stays_what_it_was(folder: Path) -> None:
    before = run_digest(folder)
    write_derived(folder, "triage", CONTENT, TABLE)
    verify(folder)
    assert run_digest(folder) == before == read_run(folder).manifest["digest"]
    assert boxscore.load_run(folder).summary == samples.run().summary


def test_overwriting_the_run_removes_it(folder: Path) -> None:
    write_derived(folder, "triage", CONTENT, TABLE)
    (folder / "report.html").write_text("<title>of the old run</title>")
    samples.run(iou=0.5).save(folder, overwrite=True)
    assert list_derived(folder) == []
    assert not (folder / "derived").exists()
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize("name", ["notes.txt", "Mine.json", "old"])
def test_a_foreign_file_stands_in_the_way_of_overwriting(folder: Path, name: str) -> None:
    write_derived(folder, "triage", CONTENT)
    place = folder / "derived" / name
    place.write_text("mine") if "." in name else place.mkdir()
    with pytest.raises(boxscore.InputError, match=f"derived/{name}, which is no part of a run"):
        samples.run(iou=0.5).save(folder, overwrite=True)
    assert place.exists()


def test_what_another_run_gave_is_stale(folder: Path, tmp_path: Path) -> None:
    write_derived(folder, "triage", CONTENT, TABLE)
    samples.run(iou=0.5).save(tmp_path / "other")
    (folder / "derived").rename(tmp_path / "other" / "derived")
    for read in (read_derived, read_derived_table):
        with pytest.raises(boxscore.InputError, match=r"triage\.json is stale: .*derive triage again"):
            read(tmp_path / "other", "triage")
    write_derived(tmp_path / "other", "triage", CONTENT)
    assert read_derived(tmp_path / "other", "triage") == CONTENT


DAMAGES: dict[str, tuple[Callable[[str], str], str]] = {
    "cut off": (lambda text: text[: len(text) // 2], "is not valid JSON"),
    "a list": (lambda _: "[1]", "is not valid JSON"),
    "of another name": (lambda text: text.replace('"triage"', '"gate"'), "does not hold what was derived as 'triage'"),
    "without content": (lambda text: text.replace('"content"', '"contents"'), "content is missing"),
    "of a newer format": (lambda text: text.replace('"format": 1', '"format": 2'), "format is 2, not 1"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file(folder: Path, damage: str) -> None:
    write_derived(folder, "triage", CONTENT)
    path = folder / "derived" / "triage.json"
    change, told = DAMAGES[damage]
    path.write_text(change(path.read_text()))
    with pytest.raises(boxscore.InputError, match=told) as raised:
        read_derived(folder, "triage")
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_damaged_table(folder: Path) -> None:
    write_derived(folder, "triage", CONTENT, TABLE)
    path = folder / "derived" / "triage.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(boxscore.InputError, match=r"triage\.parquet: its SHA-256 is not the one"):
        read_derived_table(folder, "triage")
    path.unlink()
    with pytest.raises(boxscore.InputError, match=r"triage\.parquet is missing, and triage\.json names it"):
        read_derived_table(folder, "triage")
    assert read_derived(folder, "triage") == CONTENT


def test_a_write_that_fails_leaves_the_old_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_derived(folder, "triage", CONTENT)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(boxscore.InputError, match="No space left"):
        write_derived(folder, "triage", {})
    monkeypatch.undo()
    assert read_derived(folder, "triage") == CONTENT
    assert names(folder) == ["triage.json"]


def test_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(boxscore.InputError, match=r"run\.json is missing"):
        write_derived(tmp_path, "triage", CONTENT)
    with pytest.raises(boxscore.InputError, match=r"run\.json is missing"):
        read_derived(tmp_path / "none", "triage")
    (tmp_path / "run.json").write_text('{"kind": "boxscore run"}')
    with pytest.raises(boxscore.InputError, match="is not a run's description"):
        write_derived(tmp_path, "triage", CONTENT)


@pytest.mark.parametrize("name", ["", "../run", "Triage", "a.b", "2d", "a/b"])
def test_a_name_that_is_none(folder: Path, name: str) -> None:
    with pytest.raises(ValueError, match="is no name for what was derived"):
        write_derived(folder, name, CONTENT)
    with pytest.raises(ValueError, match="is no name for what was derived"):
        read_derived(folder, name)


def test_what_does_not_exist_is_never_nan(folder: Path) -> None:
    write_derived(folder, "triage", CONTENT)
    with pytest.raises(ValueError, match="JSON"):
        write_derived(folder, "triage", {"ap": float("nan")})
    assert read_derived(folder, "triage") == CONTENT


def test_left_over_files_of_a_killed_writer_are_no_harm(folder: Path) -> None:
    write_derived(folder, "triage", CONTENT)
    (folder / "derived" / ".triage.json.1-00000000.partial").write_text("{")
    assert list_derived(folder) == ["triage"]
    assert derived.foreign_among(folder) == []
    samples.run(iou=0.5).save(folder, overwrite=True)
