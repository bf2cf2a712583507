"""Parts in a folder, and at an address: whole or not there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.pipeline.sharding.jobs import PartOutcome, RowPlace, Summary
from boxscore.pipeline.sharding.places import Address, place_of
from boxscore.pipeline.sharding.store import PartStore
from tests.support import needs

LONG = "x" * 100_000  # a head longer than what is read of it at first


def outcome(file_name: str = "a.jpg") -> PartOutcome:
    summary = Summary(
        image_ids=[1, "b"],
        file_names=[file_name, None],
        groups=None,
        metadata={},
        objects=[1, 2],
        detections=[3, 4],
        rows=7,
        over_limit=(0, 0),
        scores=(0.25, 0.5),
        out_of_range=(1, RowPlace("b", 0, "row 1")),
    )
    return PartOutcome(summary, [b"first", b"", b"second"], {"images": b"table", "pairs": b""})


@pytest.fixture(params=["folder", "address"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "folder":
        yield str(tmp_path / "parts")
        return
    fsspec = needs.module("fsspec")
    yield f"memory://{tmp_path.name}/parts"
    fsspec.filesystem("memory").store.clear()


@pytest.mark.parametrize("name", ["a.jpg", LONG])
def test_a_part_comes_back_as_it_was(place: str, name: str) -> None:
    store = PartStore(place)
    assert store.summary("one") is None
    assert store.outcome("one") is None
    store.save("one", outcome(name))
    assert store.summary("one") == outcome(name).summary
    assert store.outcome("one") == outcome(name)
    assert store.blocks("one") == [b"first", b"", b"second"]
    assert [store.block("one", label) for label in range(3)] == [b"first", b"", b"second"]
    assert store.table("one", "images") == b"table"
    with pytest.raises(InputError, match="holds no table matches"):
        store.table("one", "matches")


def test_a_part_that_was_harmed_is_not_there(place: str) -> None:
    store = PartStore(place)
    store.save("one", outcome())
    kept = place_of(place)
    whole = kept.read("one.part", 0, 1 << 20)
    for at in range(0, len(whole), 7):
        kept.write("one.part", [whole[:at], bytes([whole[at] ^ 1]), whole[at + 1 :]])
        assert PartStore(place).outcome("one") is None, at
        assert PartStore(place).summary("one") is None, at
        kept.write("one.part", [whole[:at]])
        assert PartStore(place).outcome("one") is None, at
        assert PartStore(place).summary("one") is None, at
    kept.write("one.part", [whole])
    assert PartStore(place).outcome("one") == outcome()


def test_a_part_that_is_gone_is_named(place: str) -> None:
    store = PartStore(place)
    store.save("one", outcome())
    PartStore(place).remove()
    with pytest.raises(InputError, match=r"parts/one\.part: this part is gone"):
        store.block("one", 0)


def test_a_folder_of_parts_goes_with_them_unless_something_else_is_in_it(tmp_path: Path) -> None:
    store = PartStore(tmp_path / "parts")
    store.save("one", outcome())
    (tmp_path / "parts" / "notes.txt").write_text("mine")
    store.remove()
    assert [path.name for path in (tmp_path / "parts").iterdir()] == ["notes.txt"]
    (tmp_path / "parts" / "notes.txt").unlink()
    store.remove()
    assert not (tmp_path / "parts").exists()


def test_a_store_that_refuses_is_an_error_of_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    needs.module("fsspec")
    kept = place_of("memory://parts")
    assert isinstance(kept, Address)

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("no rights\nand a long report")

    for name in ("info", "cat_file", "pipe_file"):
        monkeypatch.setattr(kept._files, name, refuse)
    with pytest.raises(InputError, match=r"^memory://parts/one: this part can't be read: no rights; check its rights$"):
        kept.size("one")
    with pytest.raises(InputError, match="no rights"):
        kept.read("one", 0, 3)
    with pytest.raises(InputError, match=r"^memory://parts/one: the part can't be written: no rights; check space"):
        kept.write("one", [b"a"])
