"""A folder in which anything is missing, cut off or changed is refused, by the file's name."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import boxscore
from boxscore.runs import read_run, verify
from boxscore.runs.manifest import seal
from tests.runs import samples

FILES = ["run.json", "metrics.json"]
TABLES = ["images", "ground_truth", "detections", "pairs", "metrics"]
ALL_FILES = [*FILES, *(f"{name}.parquet" for name in TABLES)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "run"
    samples.run().save(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "run")
    return tmp_path / "run"


def refused(folder: Path, *words: str) -> str:
    with pytest.raises(boxscore.InputError) as caught:
        verify(folder)
    message = str(caught.value)
    assert all(word in message for word in words), message
    return message


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    refused(folder, name, "missing")


@pytest.mark.parametrize("name", ALL_FILES)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_file_that_was_cut_off(folder: Path, name: str, share: float) -> None:
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: int(len(data) * share)])
    refused(folder, name)


@pytest.mark.parametrize("name", ALL_FILES)
def test_flipped_bytes_change_nothing_or_are_refused(folder: Path, name: str) -> None:
    """Some of Parquet's bytes mean nothing (its writer's name, padding); the values must be right where it is read."""
    data = (folder / name).read_bytes()
    tables = {table: read_run(folder).table(table) for table in TABLES}
    generator = random.Random(name)
    for _ in range(60):
        changed = bytearray(data)
        changed[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
        (folder / name).write_bytes(changed)
        try:
            saved = read_run(folder)
        except boxscore.InputError as error:
            assert name in str(error)  # noqa: PT017  both outcomes are right
        else:
            assert name.endswith(".parquet")
            assert all(saved.table(table).equals(frame) for table, frame in tables.items())


@pytest.mark.parametrize(
    ("table", "column", "change"),
    [
        ("detections", "score", pl.col("score") + 1e-9),
        ("detections", "matched", pl.col("matched") + 1),
        ("detections", "gt", pl.lit(None, dtype=pl.UInt32)),
        ("ground_truth", "crowd", ~pl.col("crowd")),
        ("images", "file_name", pl.col("file_name") + "x"),
        ("images", "width", pl.col("width").fill_null(0)),
        ("pairs", "overlap", pl.col("overlap").cast(pl.Float32)),
        ("metrics", "value", pl.col("value").round(2)),
    ],
)
def test_a_changed_column_is_named(folder: Path, table: str, column: str, change: pl.Expr) -> None:
    frame = read_run(folder).table(table)
    frame.with_columns(change.alias(column)).write_parquet(folder / f"{table}.parquet")
    refused(folder, f"{table}.parquet", f"column {column} ")


@pytest.mark.parametrize("table", TABLES)
def test_another_table_in_its_place(folder: Path, table: str) -> None:
    frame = read_run(folder).table(table)
    frame.drop(frame.columns[-1]).write_parquet(folder / f"{table}.parquet")
    refused(folder, f"{table}.parquet", "columns")
    frame.head(frame.height - 1).write_parquet(folder / f"{table}.parquet")
    refused(folder, f"{table}.parquet", f"{frame.height - 1} rows")


@pytest.mark.parametrize("compression", ["uncompressed", "gzip", "lz4"])
def test_another_writer_of_the_same_values_is_welcome(folder: Path, compression: Any) -> None:
    """Identity is of values, never of Parquet's bytes."""
    for table in TABLES:
        read_run(folder).table(table).write_parquet(folder / f"{table}.parquet", compression=compression)
    verify(folder)


def rewritten(folder: Path, change: Callable[[dict[str, Any]], object], *, sealed: bool = True) -> None:
    content = json.loads((folder / "run.json").read_text())
    change(content)
    if sealed:
        content["digest"] = seal(content)
    (folder / "run.json").write_text(json.dumps(content))


def test_run_json_laid_out_otherwise_is_the_same(folder: Path) -> None:
    rewritten(folder, lambda content: content, sealed=False)
    verify(folder)


@pytest.mark.parametrize("field", ["time", "protocol", "labels", "images", "digests", "tables", "versions"])
def test_a_changed_field_of_run_json(folder: Path, field: str) -> None:
    rewritten(folder, lambda content: content.pop(field), sealed=False)
    refused(folder, "run.json", "digest")
    # As written by something else that seals its files:
    content = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(content | {"digest": seal(content)}))
    refused(folder, "run.json", field, "missing")


def first_label(content: dict[str, Any]) -> None:
    content["labels"][0]["name"] = "lorry"


WRONG: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (first_label, "compatibility"),
    (lambda content: content["protocol"].update(max_detections=[1, 10, 101]), "compatibility"),
    (lambda content: content["images"].reverse(), "images"),
    (lambda content: content["images"].append("x"), "images"),
    (lambda content: content["digests"].update(data="0"), "digests.data"),
    (lambda content: content["tables"].pop("detections"), "detections"),
    (lambda content: content["tables"].update(extra={}), "extra"),
    (lambda content: content.update(labels={}), "labels"),
    (lambda content: content.update(labels=[1]), "run's description"),
    (lambda content: content["protocol"].pop("rule"), "rule"),
    (lambda content: content["protocol"].update(rule="mine"), "rule"),
    (lambda content: content.update(reading={"boxes": "round"}), "boxes"),
]


@pytest.mark.parametrize(("change", "word"), WRONG)
def test_run_json_that_contradicts_the_tables(
    folder: Path, change: Callable[[dict[str, Any]], object], word: str
) -> None:
    rewritten(folder, change)
    refused(folder, word, str(folder))


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "\ud800", "[" * 100_000, '{"kind": "other"}'])
def test_run_json_that_is_none(folder: Path, text: str) -> None:
    (folder / "run.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    refused(folder, "run.json")


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ("2.0", ["'2.0'", "up to 1.x", "newer boxscore"]),
        ("10.4", ["'10.4'", "newer boxscore"]),
        ("0.9", ["'0.9'"]),
        ("1", ["'1'", "MAJOR.MINOR"]),
        ("1.x", ["MAJOR.MINOR"]),
        (1.0, ["MAJOR.MINOR"]),
        (None, ["MAJOR.MINOR"]),
    ],
)
def test_formats_that_can_not_be_read(folder: Path, stated: object, words: list[str]) -> None:
    rewritten(folder, lambda content: content.update(format=stated))
    refused(folder, str(folder / "run.json"), "format", *words)


def test_a_newer_minor_is_read_and_what_it_adds_is_left_alone(folder: Path) -> None:
    def later(content: dict[str, Any]) -> None:
        content.update(format="1.7", added={"what": "later"})
        content["protocol"]["added"] = content["reading"]["added"] = "later"

    rewritten(folder, later)
    assert read_run(folder).summary == samples.run().summary


def test_an_older_major_goes_through_the_upgrader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As there is none yet, one is made up: format 0 that called the labels `classes`."""
    from boxscore.runs import upgrade

    def first(content: dict[str, Any]) -> dict[str, Any]:
        return {("labels" if key == "classes" else key): value for key, value in content.items()}

    monkeypatch.setitem(upgrade.UPGRADES, 0, first)
    rewritten(folder, lambda content: content.update(format="0.3", classes=content.pop("labels")))
    saved = read_run(folder)
    assert saved.labels == samples.run().labels
    assert saved.manifest["format"] == "1.0"


def test_folders_that_are_none(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "nowhere")
    refused(tmp_path, "run.json", "missing")
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file", "file")


def test_without_verification_tables_are_trusted(folder: Path) -> None:
    (folder / "pairs.parquet").unlink()
    saved = read_run(folder, verify=False)
    assert saved.summary == samples.run().summary
    with pytest.raises(boxscore.InputError, match=r"pairs\.parquet is missing"):
        saved.table("pairs")
