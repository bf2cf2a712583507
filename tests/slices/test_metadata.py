"""Metadata joined by image id or file name, and what does not fit told on both sides."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.pipeline.saved import load_run
from boxscore.pipeline.sliced import Slicing, slices_of
from boxscore.slices.metadata import join
from tests.slices import made

NAMES = ["a/0001.png", "a/0002.png", "b/0003.png"]


def joined(key: str, values: list[Any], names: list[str | None] | None = None) -> tuple[list[Any], list[str]]:
    frame = pl.DataFrame({key: values, "w": [f"w{place}" for place in range(len(values))]})
    found, notes = join(frame, [1, 2, 30], NAMES if names is None else names, source="m.csv")
    return found["w"].to_list(), [note.message for note in notes]


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("image_id", [30, 1, 2]),
        ("id", ["30", "1", "2"]),
        ("image_id", [30.0, 1.0, 2.0]),
        ("file_name", ["b/0003.png", "a/0001.png", "a/0002.png"]),
        ("image", ["0003.png", "0001.png", "0002.png"]),
        ("path", ["x\\0003.jpg", "y/0001.jpg", "0002"]),
    ],
)
def test_rows_find_their_images(key: str, values: list[Any]) -> None:
    assert joined(key, values) == (["w1", "w2", "w0"], [])


def test_what_does_not_fit_is_counted_and_named_on_both_sides() -> None:
    found, notes = joined("image_id", [1, 7, 8])
    assert found == ["w0", None, None]
    assert notes == [
        "m.csv: 2 rows fit no image, by image_id: 7, 8",
        "m.csv: 2 images have no row: a/0002.png, b/0003.png",
    ]


def test_names_that_two_images_share_find_neither() -> None:
    names: list[str | None] = ["a/1.png", "b/1.png", "b/2.png"]
    found, notes = joined("file_name", ["1.png", "2.png"], names)
    assert found == [None, None, "w1"]
    assert [note.split(":")[1] for note in notes] == [" 1 row fits no image, by file_name", " 2 images have no row"]


def test_repeats_that_agree_are_counted_and_others_refused() -> None:
    frame = pl.DataFrame({"image_id": [1, 1, 2], "w": ["x", "x", "y"]})
    found, notes = join(frame, [1, 2], [None, None], source="m.csv")
    assert found["w"].to_list() == ["x", "y"]
    assert [note.code for note in notes] == ["metadata-rows-repeated"]
    with pytest.raises(InputError, match=r"lines 2 and 4.*disagree in w, 'x' and 'y'"):
        join(frame.with_columns(image_id=pl.Series([1, 2, 1])), [1, 2], [None, None], source="m.csv")


def test_tables_that_say_nothing_of_the_images() -> None:
    with pytest.raises(InputError, match="no row fits an image: image_id has '7', images are 1"):
        joined("image_id", [7])
    with pytest.raises(InputError, match="no column says which image"):
        joined("scene", ["a"])
    with pytest.raises(InputError, match="has no rows"):
        joined("image_id", [])
    with pytest.raises(InputError, match="there is no column 'x'; its columns are image_id, w"):
        join(pl.DataFrame({"image_id": [1], "w": [2]}), [1], [None], source="m.csv", key="x")


def test_types_of_csv(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("image_id,whole,part,flag,code,empty\n0,3,1.5,True,007,\n1,4,,false,008,\n")
    truth = made.ground_truth(images=2)
    run = boxscore.evaluate(truth, made.results(truth))
    found = slices_of(run, Slicing(["whole", "part", "flag", "code"], ["big = whole > 3"], metadata=path))
    assert [one.name for one in found] == [
        *("whole=3", "whole=4", "part=1.5", "flag=false", "flag=true", "code=007", "code=008", "big"),
    ]
    assert [note.message for note in found.notes] == ["part: 1 image in no slice: they have no value"]


def test_a_run_folder_is_sliced_again_by_size(tmp_path: Path) -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth)).with_slices(Slicing(["size"]))
    run.save(tmp_path / "run")
    again, first = (slices_of(one, Slicing(["size"])) for one in (load_run(tmp_path / "run"), run))
    assert [(one.name, one.mask.tolist()) for one in again] == [(one.name, one.mask.tolist()) for one in first]


def test_a_run_folder_keeps_what_was_brought(tmp_path: Path) -> None:
    truth = made.ground_truth()
    path = tmp_path / "m.parquet"
    pl.DataFrame({"image_id": list(range(24)), "site": ["x", "y"] * 12, "width": [1] * 24}).write_parquet(path)
    run = boxscore.evaluate(truth, made.results(truth))
    sliced = run.with_slices(Slicing(["weather", "tier"], metadata=path))
    assert "metadata-columns-left-out" in [note.code for note in sliced.notes]
    sliced.save(tmp_path / "run")
    loaded = load_run(tmp_path / "run")
    assert loaded.metadata is not None
    assert loaded.metadata.columns == ["site", "weather"]
    assert loaded.attributes is not None
    assert loaded.attributes.columns == ["tier"]
    again = slices_of(loaded, Slicing(["weather", "tier", "site*weather"], ["wet = weather = 'rain'"]))
    first = slices_of(sliced, Slicing(["weather", "tier", "site*weather"], ["wet = weather = 'rain'"]))
    assert [(one.name, one.mask.tolist()) for one in again] == [(one.name, one.mask.tolist()) for one in first]
    with pytest.raises(InputError, match="no column 'hour' to slice by: images have site, weather"):
        slices_of(loaded, Slicing(["hour"]))


def test_the_columns_there_are_are_named() -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth))
    with pytest.raises(InputError, match=r"no column 'wether'.*images have .*weather, distance.*objects have .*tier"):
        slices_of(run, Slicing(["wether"]))
    with pytest.raises(InputError, match="no columns p, q"):
        slices_of(run, Slicing(["p*q"]))
    with pytest.raises(InputError, match=r"no column 'object\.weather'"):
        slices_of(run, Slicing(["object.weather"]))
