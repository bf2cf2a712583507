"""Lines of text: whatever the bytes, rows or a TextError, never a panic; and numbers are Python's."""

import random
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import _kernel

SCORES = ("none", "second", "last")
NUMBERS = ("xywh", "xyxy", "cxcywh")
PIECES = (
    b"0",
    b"1",
    b"17",
    b"0.5",
    b"-3",
    b"1e-3",
    b"nan",
    b".5",
    b"1.",
    b"+2",
    b"1,5",
    b"car",
    b"\xff",
    b"\xef\xbb\xbf",
)
SPACES = (b" ", b"\t", b"  ", b"\n", b"\r\n", b"\r", b"\x0c", b"")


def mutated(rng: random.Random) -> bytes:
    """A few pieces of lines, well or badly put together."""
    return b"".join(rng.choice(PIECES) + rng.choice(SPACES) for _ in range(rng.randrange(40)))


def refusal(files: list[bytes], **form: Any) -> _kernel.TextError | None:
    """The error that refuses the files, if they are refused."""
    try:
        _kernel.read_text(files, sizes=array("d", [100.0] * (2 * len(files))), threads=2, **form)
    except _kernel.TextError as error:
        return error
    return None


def test_no_bytes_cause_a_panic() -> None:
    rng = random.Random(0)
    refused = 0
    for _ in range(20_000):
        files = [mutated(rng) for _ in range(rng.randrange(1, 3))]
        flags = {name: rng.random() < 0.5 for name in ("relative", "numbered", "polygons")}
        error = refusal(files, score=rng.choice(SCORES), numbers=rng.choice(NUMBERS), **flags)
        if error is not None:
            refused += 1
            assert error.line >= 1
            assert error.file < len(files)
            assert error.problem
    assert 1_000 < refused < 19_900


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4), st.floats(0, 1))
def test_numbers_are_those_of_python(box: list[float], score: float) -> None:
    line = f"traffic light {score!r} {' '.join(map(repr, box))}".encode()
    table = _kernel.read_text([line], score="second", numbers="xywh").table
    assert [table.column(name).to_list()[0] for name in ("x", "y", "w", "h", "score")] == [*box, score]


def test_labels_and_lines_are_kept() -> None:
    rows = _kernel.read_text([b"\n\nbig  car 1 2 3 4\n", b"car 1 2 3 4"], numbers="xywh")
    assert [use[0] for use in rows.label_uses] == ["big  car", "car"]
    assert [rows.place(row) for row in range(rows.num_rows)] == [(0, 3), (1, 1)]
    with pytest.raises(_kernel.TextError) as caught:
        _kernel.read_text([b"car 1 2 3 4\ncar 1 2 x 4"])
    assert (caught.value.line, caught.value.field, caught.value.found) == (2, "box", "x")
