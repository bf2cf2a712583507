"""Parquet files that others wrote: a folder, a partitioned folder, a pattern; columns by name, images by statistics."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.io.shard_paths import looks_sharded
from boxscore.io.shards.opened import open_shards
from boxscore.pipeline.convert import convert
from tests.shards.test_equal_to_plain import state_of
from tests.support.command import boxscore as command
from tests.support.command import refusal

TRUTH: dict[str, list[Any]] = {
    "image_id": ["b", "b", "a", "c", "d"],
    "label": ["dog", "cat", "cat", None, "cat"],
    "x1": [0.0, 10, 0, None, 3],
    "y1": [0.0, 10, 0, None, 3],
    "x2": [8.0, 30, 8, None, 9],
    "y2": [8.0, 30, 9, None, 9],
    "iscrowd": [0, 0, 0, None, 1],
    "image_width": [64.0, 64, 32, 16, 20],
    "image_height": [48.0, 48, 24, 8, 20],
}
FOUND: dict[str, list[Any]] = {
    "image_id": ["a", "b", "b", "d"],
    "class_name": ["cat", "cat", "dog", "cat"],
    "cx": [4.0, 20, 4, 6],
    "cy": [4.0, 20, 4, 6],
    "width": [8.0, 20, 8, 6],
    "height": [8.0, 18, 8, 6],
    "confidence": [0.5, 0.75, 0.25, 0.9],
}


def write(columns: dict[str, list[Any]], path: Path, rows: list[int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(columns, strict=False)[rows].write_parquet(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(TRUTH, tmp_path / "gt/z.parquet", [2, 0, 1])
    write(TRUTH, tmp_path / "gt/a.parquet", [3, 4])
    write(FOUND, tmp_path / "dt/split=val/part-0.parquet", [1, 0, 2])
    write(FOUND, tmp_path / "dt/split=val/part-1.parquet", [3])
    write(TRUTH, tmp_path / "gt-all.parquet", [2, 0, 1, 3, 4])
    write(FOUND, tmp_path / "dt-all.parquet", [1, 0, 2, 3])
    return tmp_path


def test_parts_and_columns(folder: Path) -> None:
    shards = open_shards(str(folder / "gt"), "ground_truth")
    assert [(part.first, part.last) for part in shards.parts] == [("a", "b"), ("c", "d")]
    assert [part.files[0].path for part in shards.parts] == ["z.parquet", "a.parquet"]
    assert shards.labels == ((0, "cat"), (1, "dog"))
    assert (shards.boxes, shards.name_of("crowd"), shards.name_of("width")) == ("xyxy", "iscrowd", "image_width")
    assert not shards.declared
    found = open_shards(str(folder / "dt"), "predictions")
    assert [file.path for part in found.parts for file in part.files] == [
        "split=val/part-0.parquet",
        "split=val/part-1.parquet",
    ]
    assert (found.boxes, found.name_of("score"), found.name_of("label")) == ("cxcywh", "confidence", "class_name")


@pytest.mark.parametrize("given", ["dt", "dt/*/*.parquet", "dt/**/part-*.parquet", "dt/split=val"])
def test_evaluates_as_the_table(folder: Path, given: str) -> None:
    parts = boxscore.evaluate(str(folder / "gt"), str(folder / given))
    plain = boxscore.evaluate(folder / "gt-all.parquet", folder / "dt-all.parquet")
    got, expected = state_of(parts), state_of(plain)
    for state in (got, expected):
        state["notes"] = {key: count for key, count in state["notes"].items() if key[0] != "read-as"}
    assert got == expected
    assert parts.value("AP") is not None


def test_run_folder(folder: Path) -> None:
    parts = boxscore.evaluate(str(folder / "gt"), str(folder / "dt"), keep=True)
    parts.save(folder / "run")
    images = pl.read_parquet(folder / "run/images.parquet")
    assert images.select("image_id", "width", "height").rows() == [
        ("a", 32.0, 24.0),
        ("b", 64.0, 48.0),
        ("c", 16.0, 8.0),
        ("d", 20.0, 20.0),
    ]


def test_sorted_by_converting(folder: Path) -> None:
    write(FOUND, folder / "mixed/one.parquet", [3, 0])
    write(FOUND, folder / "mixed/two.parquet", [1, 2])
    convert(folder / "gt", folder / "gt-own", to="shards", images_per_part=1)
    convert(folder / "mixed", folder / "dt-own", to="shards", ground_truth=folder / "gt-own")
    own = boxscore.evaluate(folder / "gt-own", folder / "dt-own")
    mixed = boxscore.evaluate(str(folder / "gt"), str(folder / "mixed"))
    plain = boxscore.evaluate(folder / "gt-all.parquet", folder / "dt-all.parquet")
    assert own.matches.kernel.state() == plain.matches.kernel.state() == mixed.matches.kernel.state()


def test_an_image_in_two_files(folder: Path) -> None:
    write(TRUTH, folder / "gt/b.parquet", [0])
    with pytest.raises(InputError, match=r'image_id "b" stands in (z|b).parquet and in (z|b).parquet'):
        boxscore.evaluate(str(folder / "gt"), str(folder / "dt"))


def test_integers_and_long_texts(tmp_path: Path) -> None:
    long = "x" * 70
    write(
        {**FOUND, "image_id": [f"{long}b", f"{long}a", f"{long}a", f"{long}c"]}, tmp_path / "dt/0.parquet", [0, 1, 2, 3]
    )
    part = open_shards(str(tmp_path / "dt"), "predictions").parts[0]
    assert (part.first, part.last) == (f"{long}a", f"{long}c")
    write({**FOUND, "image_id": [5, -3, 9, 10]}, tmp_path / "more/0.parquet", [0, 1, 2, 3])
    part = open_shards(str(tmp_path / "more"), "predictions").parts[0]
    assert (part.first, part.last) == (-3, 10)


def test_what_looks_sharded(folder: Path) -> None:
    assert looks_sharded(folder / "dt")
    assert looks_sharded(str(folder / "gt/*.parquet"))
    assert looks_sharded("s3://bucket/name")
    assert not looks_sharded(folder / "gt-all.parquet")
    (folder / "pictures=1").mkdir()
    (folder / "pictures=1" / "a.jpg").write_bytes(b"")
    assert not looks_sharded(folder / "none")


def test_files_that_differ(folder: Path) -> None:
    columns = {("score" if name == "confidence" else name): values for name, values in FOUND.items()}
    write(columns, folder / "dt/split=val/part-2.parquet", [0])
    with pytest.raises(InputError, match=r"have different columns \(confidence, score\)"):
        open_shards(str(folder / "dt"), "predictions")


def test_ids_that_differ_in_kind(folder: Path) -> None:
    write({**FOUND, "image_id": [1, 2, 3, 4]}, folder / "dt/split=val/part-2.parquet", [0])
    with pytest.raises(InputError, match="image ids are numbers in one and texts in the other"):
        open_shards(str(folder / "dt"), "predictions")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"class_name": None}, "there is no column label; the columns are image_id, cx"),
        ({"confidence": None}, "there is no column score"),
        ({"image_id": [0.5, 1.5, 2.5, 3.5]}, "image_id is of type float; ids are whole numbers or texts"),
        ({"class_name": ["cat", None, "dog", "cat"]}, "part-0.parquet row 0: class_name is missing"),
        ({"cx": [None, 1.0, 2, 3]}, "part-0.parquet row 1: cx is missing"),
        ({"cx": ["1", "2", "3", "4"]}, "column cx is of type"),
    ],
)
def test_columns_that_will_not_do(folder: Path, change: dict[str, Any], told: str) -> None:
    columns = {name: values for name, values in (FOUND | change).items() if values is not None}
    write(columns, folder / "dt/split=val/part-0.parquet", [1, 0, 2, 3])
    (folder / "dt/split=val/part-1.parquet").unlink()
    assert told in refusal(command("eval", "gt", "dt", cwd=folder))


def test_nothing_there(folder: Path) -> None:
    assert "there is no Parquet file" in refusal(command("eval", "gt", "dt/none*.parquet", cwd=folder))
    (folder / "dt/split=val/part-0.parquet").write_bytes(b"PAR1 cut off")
    told = refusal(command("eval", "gt", "dt", cwd=folder))
    assert "part-0.parquet: this part can't be read" in told


def test_ground_truth_without_a_label(folder: Path) -> None:
    write({**TRUTH, "label": [None] * 5}, folder / "gt/z.parquet", [3])
    write({**TRUTH, "label": [None] * 5}, folder / "gt/a.parquet", [3])
    with pytest.raises(InputError, match="no row has a label"):
        open_shards(str(folder / "gt"), "ground_truth")


def test_ground_truth_whose_files_overlap(folder: Path) -> None:
    for name, rows in (("one", [0, 4]), ("two", [2, 3]), ("three", [1])):
        write(TRUTH, folder / f"mixed/{name}.parquet", rows)
    convert(folder / "dt-all.parquet", folder / "sorted", to="shards", ground_truth=folder / "mixed")
    plain = boxscore.evaluate(folder / "gt-all.parquet", folder / "dt-all.parquet")
    assert boxscore.evaluate(folder / "gt", folder / "sorted").to_dict()["metrics"] == plain.to_dict()["metrics"]


@pytest.mark.parametrize("kind", ["text", "number"])
def test_detections_without_an_image_are_named(folder: Path, kind: str) -> None:
    ids: list[Any] = ["a", "b", None, "d"] if kind == "text" else [1, 2, None, 4]
    write(FOUND | {"image_id": ids}, folder / "lacking/0.parquet", [0, 1, 2, 3])
    converting = ("convert", "lacking", "out", "--to", "shards", "--ground-truth", "gt")
    for arguments in (("eval", "gt", "lacking"), converting):
        told = refusal(command(*arguments, cwd=folder))
        assert "lacking/0.parquet row 2: image_id is missing; give it in every row" in told
    assert not (folder / "out").exists()


def test_a_row_that_lacks_a_number_is_named_behind_an_image_without_objects(folder: Path) -> None:
    write(TRUTH | {"y1": [0.0, 10, 0, None, None]}, folder / "lacking/0.parquet", [3, 4])
    assert "lacking/0.parquet row 1: y1 is missing" in refusal(command("eval", "lacking", "dt", cwd=folder))


def test_the_remedy_for_unknown_images_is_one_that_parts_have(folder: Path) -> None:
    write(TRUTH, folder / "few/0.parquet", [0, 1])
    told = refusal(command("eval", "few", "dt", cwd=folder))
    assert "leave them out with --unknown-images drop." in told
    assert "background" not in told


def test_each_file_is_hashed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from boxscore.pipeline.sharding import plan

    hashed: list[str] = []
    content = plan._content

    def counted(root: str, file: Any) -> str:
        hashed.append(file.path)
        return content(root, file)

    monkeypatch.setattr(plan, "_content", counted)
    boxscore.evaluate(folder / "gt", folder / "dt", parts=folder / "kept")
    assert sorted(hashed) == sorted(set(hashed))
