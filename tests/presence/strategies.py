"""Timelines for laws: windows in tenths of seconds, apart and ascending, of a few people."""

from typing import Any

from hypothesis import strategies as st

LENGTH = 12.0


@st.composite
def spans(draw: st.DrawFn, length: float = LENGTH) -> list[tuple[float, float]]:
    """Windows of one person, which neither touch nor overlap, with ends at half-seconds."""
    edges = sorted(draw(st.sets(st.integers(0, int(length * 2)), max_size=8)))
    edges = edges[: len(edges) // 2 * 2]
    return [(low / 2, high / 2) for low, high in zip(edges[::2], edges[1::2], strict=True)]


NAMES = ("Ann", "Bob", "Cid", "Dot")


def casts(names: tuple[str, ...] = NAMES) -> st.SearchStrategy[dict[str, Any]]:
    """Windows by person, of some of these people."""
    return st.dictionaries(st.sampled_from(names), spans(), min_size=1)
