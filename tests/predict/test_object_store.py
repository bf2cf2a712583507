"""Pictures in an object store that speaks S3, on loopback: the bytes that a folder of them gives."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.predict.read_picture import read
from boxscore.predict.run_pictures import pictures_of
from tests.predict.fake import pictures, run
from tests.support import needs
from tests.support.object_store import client, serving

needs.module("s3fs")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = pictures(tmp_path_factory.mktemp("pictures"), 7)
    (made / ".hidden").mkdir()
    (made / ".hidden" / "x.png").write_bytes((made / "001.png").read_bytes())
    (made / "notes.txt").write_text("no picture")
    return made


@pytest.fixture(scope="module")
def bucket(folder: Path) -> Iterator[str]:
    with serving("fleet") as address:
        files = client()
        for path in folder.rglob("*.*"):
            if path.is_file():
                files.pipe_file(f"{address}/night/{path.relative_to(folder).as_posix()}", path.read_bytes())
        yield address


def test_an_address_gives_the_bytes_of_a_folder(bucket: str, folder: Path, tmp_path: Path) -> None:
    for suffix in ("json", "parquet"):
        here = run(folder, tmp_path / f"here.{suffix}").out
        there = run(f"{bucket}/night/", tmp_path / f"there.{suffix}", workers=3).out
        assert here.read_bytes() == there.read_bytes()


def test_one_object_some_objects_and_a_pattern(bucket: str) -> None:
    one = pictures_of(f"{bucket}/night/below/003.png")
    assert (one.names, one.paths) == (["003.png"], [f"{bucket}/night/below/003.png"])
    some = pictures_of([f"{bucket}/night/002.png", f"{bucket}/night/001.png"])
    assert some.names == ["001.png", "002.png"]
    assert "missing" not in some.listing()
    assert pictures_of(f"{bucket}/night/below/*.png").names == ["000.png", "003.png", "006.png"]


def test_content_that_changed_is_another_listing(bucket: str) -> None:
    files, place = client(), f"{bucket}/changing/1.png"
    seen = set()
    for content in (b"one", b"two", b"one and more"):
        files.pipe_file(place, content)
        seen.add(pictures_of(f"{bucket}/changing").listing())
        seen.add(pictures_of([place]).listing())
    assert len(seen) == 3
    files.rm_file(place)
    assert pictures_of([place]).listing() not in seen


def test_a_broken_picture_and_one_that_went_stop_no_other(bucket: str, folder: Path, tmp_path: Path) -> None:
    files = client()
    for path in folder.glob("*.png"):
        files.pipe_file(f"{bucket}/broken/{path.name}", path.read_bytes())
    files.pipe_file(f"{bucket}/broken/001.png", b"")
    given = [*pictures_of(f"{bucket}/broken").paths, f"{bucket}/broken/gone.png"]
    done = run(given, tmp_path / "out.json")
    assert done.pictures == len(given)
    assert {one["file_name"]: one["reason"] for one in done.unreadable} == {
        "001.png": "the file is empty (0 bytes); fetch it again",
        "gone.png": "there is no such picture; check the path",
    }
    assert json.loads(done.out.read_text())


def test_a_store_that_is_silent_is_no_broken_picture(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = pictures_of(f"{bucket}/night")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    client()
    with pytest.raises(InputError, match=r"s3://fleet/night/001\.png: the object store can't be asked \(.*AWS_"):
        read(found.paths[0])
    with pytest.raises(InputError, match="the object store can't be asked"):
        run(f"{bucket}/night", tmp_path / "out.json")
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    client()


def test_a_store_that_falls_silent_keeps_what_was_done(
    bucket: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boxscore.io import stores

    asked: list[str] = []
    answers = stores.read

    def falling_silent(place: str) -> bytes:
        asked.append(place)
        if len(asked) == 5:
            raise stores.StoreError(f"{place}: the object store can't be asked")
        return answers(place)

    monkeypatch.setattr(stores, "read", falling_silent)
    with pytest.raises(InputError, match="can't be asked"):
        run(f"{bucket}/night", tmp_path / "out.json", workers=1)
    monkeypatch.undo()
    done = run(f"{bucket}/night", tmp_path / "out.json", workers=1)
    assert done.continued > 0
    assert done.out.read_bytes() == run(folder, tmp_path / "here.json").out.read_bytes()


@pytest.mark.parametrize(("name", "message"), [("empty", "there are no pictures at this address"), ("", "no such")])
def test_addresses_without_pictures(bucket: str, name: str, message: str) -> None:
    given = f"{bucket}/{name}" if name else "s3://no-such-bucket/night"
    with pytest.raises(InputError, match=f"{given}: .*{message}"):
        pictures_of(given)
