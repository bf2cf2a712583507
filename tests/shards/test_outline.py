"""Where the arrays of a JSON file lie: held to a parser of the whole, for windows and pieces of any size."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.io.json_outline import outline

TEXTS = st.sampled_from(["", "a", '"', "\\", "{", "}]", '\\"', "[{", ",", "é,}", "\n"])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)
ENTRIES = st.lists(st.dictionaries(TEXTS, VALUES, max_size=3), max_size=6)
FILES = st.one_of(ENTRIES, st.dictionaries(TEXTS, st.one_of(VALUES, ENTRIES), max_size=4))
WINDOWS = st.sampled_from([3, 5, 11, 64, 4096])
PIECES = st.sampled_from([1, 4, 30, 4096])


def text_of(content: Any, indent: int | None, ascii_only: bool) -> bytes:
    return json.dumps(content, indent=indent, ensure_ascii=ascii_only).encode()


@given(FILES, WINDOWS, PIECES, st.sampled_from([None, 0, 2]), st.booleans(), st.booleans())
def test_pieces_are_the_elements(
    content: Any, window: int, piece: int, indent: int | None, ascii_only: bool, marked: bool
) -> None:
    text = (b"\xef\xbb\xbf" if marked else b"") + text_of(content, indent, ascii_only) + b"\n"
    found = outline(io.BytesIO(text), window=window, piece=piece)
    assert found is not None
    assert (found.size, found.of_object) == (len(text), isinstance(content, dict))
    members = content.items() if isinstance(content, dict) else [(None, content)]
    expected = [(name, value) for name, value in members if isinstance(value, list)]
    assert [name for name, _ in found.arrays] == [name for name, _ in expected]
    for (_, value), (_, span) in zip(expected, found.arrays, strict=True):
        pieces = [text[start:end] for start, end in span.pieces]
        assert b",".join(pieces) == text[span.start : span.end]
        assert [one for part in pieces for one in json.loads(b"[" + part + b"]")] == value
        assert all(end - start >= piece for start, end in span.pieces[:-1])


@given(FILES, WINDOWS, st.data())
def test_what_is_cut_off_has_none(content: Any, window: int, data: st.DataObject) -> None:
    text = text_of(content, None, ascii_only=True)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    assert outline(io.BytesIO(cut), window=window) is None


@pytest.mark.parametrize("text", [b"", b"  ", b"3", b'"[]"', b"[]]", b"[][]", b"{}{}", b"]", b'{"a": [}', b"[1, 2"])
def test_what_is_no_list_or_object_has_none(text: bytes) -> None:
    assert outline(io.BytesIO(text)) is None


def test_repeated_names_are_both_there() -> None:
    found = outline(io.BytesIO(b'{"a": [1], "b": {"a": [2]}, "a" : [3, 4]}'))
    assert found is not None
    assert [name for name, _ in found.arrays] == ["a", "a"]
    assert len(found.named("a")) == 2
    assert found.named("b") == []
