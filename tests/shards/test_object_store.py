"""Shards in an object store that speaks S3, on loopback: written, read, cut off, refused."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.io.shards import layout
from boxscore.pipeline.convert import convert
from tests.shards.test_equal_to_plain import state_of
from tests.shards.test_faults import data
from tests.support import needs
from tests.support.command import boxscore as command
from tests.support.command import refusal
from tests.support.object_store import client, serving

s3fs = needs.module("s3fs")


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """The address of a bucket `data`."""
    with serving("data") as address:
        yield address


@pytest.fixture
def folder(tmp_path: Path, store: str) -> Iterator[Path]:
    assert store == "s3://data"
    truth, results = data()
    (tmp_path / "gt.json").write_text(json.dumps(truth))
    (tmp_path / "dt.json").write_text(json.dumps(results))
    yield tmp_path
    files = client()
    for path in files.find("data"):
        files.rm_file(path)


def written(folder: Path) -> tuple[str, str]:
    gt, dt = "s3://data/night/gt", "s3://data/night/dt"
    convert(folder / "gt.json", gt, to="shards", images_per_part=5)
    convert(folder / "dt.json", dt, to="shards", ground_truth=gt)
    return gt, dt


def test_there_and_back(folder: Path) -> None:
    gt, dt = written(folder)
    files = client()
    assert sorted(path.removeprefix("data/night/gt/") for path in files.find("data/night/gt")) == [
        *(f"{name}/part-{number:05}.parquet" for name in ("ground_truth", "images") for number in range(3)),
        "manifest.json",
    ]
    parts = boxscore.evaluate(gt, dt, threads=2)
    plain = boxscore.evaluate(folder / "gt.json", folder / "dt.json")
    assert state_of(parts)["metrics"] == state_of(plain)["metrics"]
    assert state_of(parts)["matches"] == state_of(plain)["matches"]
    convert(dt, folder / "back.json", to="coco", ground_truth=gt)
    assert len(json.loads((folder / "back.json").read_text())) == len(data()[1])


def test_the_command(folder: Path) -> None:
    done = command("convert", "gt.json", "s3://data/gt", "--to", "shards", cwd=folder)
    assert done.status == 0, done.errors
    done = command("convert", "dt.json", "s3://data/dt", "--to", "shards", "--ground-truth", "s3://data/gt", cwd=folder)
    assert done.status == 0, done.errors
    done = command("eval", "s3://data/gt", "s3://data/dt", "--json", "--out", "run", cwd=folder)
    assert done.status == 0, done.errors
    assert done.report["metrics"] == command("eval", "gt.json", "dt.json", "--json", cwd=folder).report["metrics"]
    assert (folder / "run" / "metrics.json").is_file()


def test_only_the_columns_that_are_needed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    truth, results = data(2000)
    for row in truth["annotations"]:
        row["remark"] = hashlib.sha512(str(row["id"]).encode()).hexdigest()
    (folder / "gt.json").write_text(json.dumps(truth))
    (folder / "dt.json").write_text(json.dumps(results))
    convert(folder / "gt.json", "s3://data/gt", to="shards")
    convert(folder / "dt.json", "s3://data/dt", to="shards", ground_truth="s3://data/gt")
    size = client().size("data/gt/ground_truth/part-00000.parquet")
    fetched = counted(monkeypatch)
    boxscore.evaluate("s3://data/gt", "s3://data/dt")
    of_objects = sum(count for path, count in fetched if "ground_truth" in path)
    assert 0 < of_objects < size / 3, (of_objects, size)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Paths and numbers of bytes of all that is fetched."""
    fetched: list[tuple[str, int]] = []
    real = s3fs.S3FileSystem._cat_file

    async def fetch(self: Any, path: str, *given: Any, **named: Any) -> bytes:
        found: bytes = await real(self, path, *given, **named)
        fetched.append((path, len(found)))
        return found

    def of_file(self: Any, start: int, end: int) -> bytes:
        found: bytes = real_range(self, start, end)
        fetched.append((self.path, len(found)))
        return found

    real_range = s3fs.core.S3File._fetch_range
    monkeypatch.setattr(s3fs.S3FileSystem, "_cat_file", fetch)
    monkeypatch.setattr(s3fs.core.S3File, "_fetch_range", of_file)
    return fetched


def test_foreign_files(folder: Path) -> None:
    gt, dt = written(folder)
    files = client()
    files.rm_file("data/night/dt/manifest.json")
    parts = boxscore.evaluate(gt, dt)
    pattern = boxscore.evaluate(gt, "s3://data/night/dt/detections/part-*.parquet")
    plain = boxscore.evaluate(folder / "gt.json", folder / "dt.json")
    assert parts.to_dict()["metrics"] == plain.to_dict()["metrics"] == pattern.to_dict()["metrics"]


def test_what_was_not_finished(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gt, dt = written(folder)
    with monkeypatch.context() as patched:
        patched.setattr("boxscore.io.shards.write.ShardWriter.finish", fail)
        with pytest.raises(KeyboardInterrupt):
            convert(folder / "dt.json", dt, to="shards", ground_truth=gt, images_per_part=2, overwrite=True)
    files = client()
    assert files.exists(f"data/night/dt/{layout.UNFINISHED}")
    with pytest.raises(InputError, match="writing these shards was not finished; run the command that wrote them"):
        boxscore.evaluate(gt, dt)
    convert(folder / "dt.json", dt, to="shards", ground_truth=gt)
    assert sorted(files.ls("data/night/dt/detections", refresh=True)) == [
        f"data/night/dt/detections/part-{number:05}.parquet" for number in range(3)
    ]
    assert not client().exists(f"data/night/dt/{layout.UNFINISHED}")
    assert boxscore.evaluate(gt, dt).value("AP") is not None


def fail(_: object) -> None:
    raise KeyboardInterrupt


def test_nothing_is_replaced_unasked(folder: Path) -> None:
    gt, _ = written(folder)
    with pytest.raises(InputError, match="gt exists; give a new name, or replace it with --overwrite"):
        convert(folder / "gt.json", gt, to="shards")
    client().pipe_file("data/mine/notes.txt", b"mine")
    with pytest.raises(InputError, match=r"s3://data/mine holds notes.txt, which is no part of shards"):
        convert(folder / "gt.json", "s3://data/mine", to="shards", overwrite=True)


def test_a_part_that_cannot_be_read(folder: Path) -> None:
    gt, dt = written(folder)
    path = "data/night/dt/detections/part-00001.parquet"
    files = client()
    content = files.cat_file(path)
    files.pipe_file(path, content[: len(content) // 2])
    told = refusal(command("eval", gt, dt))
    assert f"s3://{path}" in told
    assert "the file was cut off or changed" in told
    files.rm_file(path)
    assert f"s3://{path}: this part is missing" in refusal(command("eval", gt, dt))
    at = content.index(b"PAR1", 4) - 400
    files.pipe_file(path, content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :])
    assert f"s3://{path}: this part can't be read" in refusal(command("eval", gt, dt))


def test_stores_that_do_not_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gt, _ = written(folder)
    assert "s3://nowhere/dt" in refusal(command("eval", gt, "s3://nowhere/dt"))
    assert "there is no Parquet file" in refusal(command("eval", gt, "s3://data/nothing"))
    told = refusal(command("convert", "gt.json", "s3://nowhere/gt", "--to", "shards", cwd=folder))
    assert "s3://nowhere/gt" in told
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    told = refusal(command("eval", gt, "s3://data/dt"))
    assert "can't be asked" in told or "can't be reached" in told or "can't be read" in told


def test_without_rights(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from boxscore.io import stores

    gt, dt = written(folder)

    class Refusing:
        """A file system that says no."""

        def open(self, place: str, mode: str, **_: str) -> Any:
            raise PermissionError(f"Access Denied: {place} {mode}")

    monkeypatch.setattr(stores, "filesystem", lambda _: Refusing())
    with pytest.raises(InputError, match="Access Denied"):
        boxscore.evaluate(gt, dt)


def test_an_address_of_no_kind(folder: Path) -> None:
    told = refusal(command("eval", "s4://data/gt", "s4://data/dt", cwd=folder))
    assert "s4://data/gt" in told
    assert "give a folder, or an address such as s3://bucket/name" in told


WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from boxscore.cli import main
sys.exit(main(["convert", "gt.json", "s3://data/gt", "--to", "shards"]))
"""


@pytest.mark.parametrize("module", ["s3fs", "fsspec"])
def test_without_a_client(folder: Path, module: str) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT, module], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 2
    told = done.stderr.decode()
    assert "pip install 'boxscore[s3]'" in told
    assert told.count("\n") == 1, told
