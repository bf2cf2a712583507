"""Specs, values, bins, crosses and conditions."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.pipeline.sliced import Slicing
from boxscore.slices.cutting import cut, select
from boxscore.slices.spec import Bins, Condition, Cross

EDGES = st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True).map(sorted)
VALUES = st.lists(st.one_of(st.none(), st.integers(-25, 25), st.floats(-25, 25, allow_nan=False)), min_size=1)


def masks(text: str, **columns: Sequence[object]) -> dict[str, list[bool]]:
    cross = Cross.parse(text)
    series = [pl.Series(name, columns[name], strict=False) for name in cross.columns]
    return {one.name: one.mask.tolist() for one in cut(cross, series, "image")[0]}


def test_a_column_has_a_slice_for_each_value_in_order() -> None:
    assert masks("weather", weather=["sun", "rain", None, "sun"]) == {
        "weather=rain": [False, True, False, False],
        "weather=sun": [True, False, False, True],
    }
    assert list(masks("n", n=[10, 9, 2])) == ["n=2", "n=9", "n=10"]
    assert list(masks("x", x=[0.5, 2.0])) == ["x=0.5", "x=2"]
    assert list(masks("night", night=[True, False])) == ["night=false", "night=true"]


def test_bins_are_closed_on_the_right() -> None:
    found = masks("d:0,3,5,inf", d=[0.0, 0.001, 3.0, 3.001, 5.0, 5.001, float("inf"), None])
    assert found == {
        "d=(0,3]": [False, True, True, False, False, False, False, False],
        "d=(3,5]": [False, False, False, True, True, False, False, False],
        "d=(5,inf]": [False, False, False, False, False, True, True, False],
    }
    assert list(masks("d:0,3,5,inf=near,mid,far", d=[1])) == ["d=near", "d=mid", "d=far"]


@given(EDGES, VALUES)
def test_each_value_is_in_the_bin_whose_edges_hold_it(edges: list[int], values: list[float | None]) -> None:
    cross = Cross.parse("v:" + ",".join(map(str, edges)))
    slices, notes = cut(cross, [pl.Series("v", values, dtype=pl.Float64, strict=False)], "image")
    for one, low, high in zip(slices, edges, edges[1:], strict=False):
        assert one.mask.tolist() == [value is not None and low < value <= high for value in values]
    outside = sum(value is None or not edges[0] < value <= edges[-1] for value in values)
    assert sum(note.count for note in notes) == outside


def test_crosses_hold_what_occurs_and_are_the_common_part() -> None:
    weather, distance = ["sun", "rain", "sun", None], [1, 4, 9, 1]
    found = masks("weather*distance:0,3,inf", weather=weather, distance=distance)
    assert found == {
        "weather=rain & distance=(3,inf]": [False, True, False, False],
        "weather=sun & distance=(0,3]": [True, False, False, False],
        "weather=sun & distance=(3,inf]": [False, False, True, False],
    }


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1))
def test_slices_of_a_cross_part_the_rows(rows: list[tuple[str, str]]) -> None:
    found = masks("p*q", p=[p for p, _ in rows], q=[q for _, q in rows])
    assert np.sum(list(found.values()), axis=0).tolist() == [1] * len(rows)
    assert len(found) == len(set(rows))


def test_conditions_are_sql() -> None:
    frame = pl.DataFrame({"hour": [5, 6, 20, None], "weather": ["rain", "sun", "rain", "rain"]})
    condition = Condition.parse("wet night = (hour >= 20 OR hour < 6) AND weather = 'rain'")
    one, notes = select(condition, frame, "image")
    assert (one.name, one.mask.tolist()) == ("wet night", [True, False, True, False])
    assert [note.count for note in notes] == [1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("d:3", "1 edge"),
        ("d:0,5,3", "must ascend"),
        ("d:0,3,3", "must ascend"),
        ("d:0,x", "no edges of bins"),
        ("d:0,3,5=a", "names 1 bins"),
        ("d:0,3,5=a,a", "one name"),
        ("d:0,3=", "empty"),
        (":0,3", "lacks a column"),
        ("a*a", "crosses a column with itself"),
        ("a*", "lacks a column"),
        ("", "can't be read"),
        (" ", "can't be read"),
    ],
)
def test_specs_that_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Slicing([text])


@pytest.mark.parametrize("text", ["night", "hour >= 20", "= 3", "night =", "a == 3", ""])
def test_conditions_without_a_name(text: str) -> None:
    with pytest.raises(InputError, match="NAME = CONDITION"):
        Slicing(where=[text])


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("hour >=", "can't be used"),
        ("hour", "gives Int64"),
        ("hour = 'x'", "can't be used"),
        ("MAX(hour) > 3", "one value for all rows"),
    ],
)
def test_conditions_that_cannot_be_used(sql: str, words: str) -> None:
    frame = pl.DataFrame({"hour": [1, 2, 3]})
    with pytest.raises(InputError, match=words):
        select(Condition("x", sql, f"x = {sql}"), frame, "image")


def test_too_many_slices_and_bins_of_texts() -> None:
    with pytest.raises(InputError, match="give bins"):
        masks("n", n=list(range(201)))
    with pytest.raises(InputError, match="no numbers"):
        masks("w:0,1", w=["a"])
    with pytest.raises(InputError, match="twice"):
        Slicing(["a", "a"])
    with pytest.raises(InputError, match="whole number"):
        Slicing(["a"], support=-1)
    assert Bins([0, 1, 2]).names == ["(0,1]", "(1,2]"]
