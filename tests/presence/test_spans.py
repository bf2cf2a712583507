"""Arithmetic of windows, against definitions that go moment by moment."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.presence.spans import annealed, clipped, inside, parts, until
from tests.presence.strategies import LENGTH, spans
from tests.presence.written import windows

Spans = list[tuple[float, float]]
MOMENTS = np.arange(0.0, LENGTH + 1, 0.25)


def pair(given_spans: Spans) -> tuple[np.ndarray, np.ndarray]:
    return np.array([low for low, _ in given_spans]), np.array([high for _, high in given_spans])


def there(given_spans: Spans, time: float) -> bool:
    return any(low <= time < high for low, high in given_spans)


@given(spans(), spans())
def test_inside_is_the_half_open_definition(ann: Spans, bob: Spans) -> None:
    made = windows(*((0, *span) for span in ann), *((1, *span) for span in bob))
    moment, person = inside(made, MOMENTS)
    expected = {(at, who) for who, own in enumerate((ann, bob)) for at, time in enumerate(MOMENTS) if there(own, time)}
    found = list(zip(moment.tolist(), person.tolist(), strict=True))
    assert set(found) == expected
    assert len(found) == len(expected), "windows that overlap count once"


def test_windows_that_touch_or_overlap_count_once() -> None:
    moment, _ = inside(windows((0, 0, 2), (0, 2, 3), (0, 2.5, 4)), np.arange(6.0))
    assert moment.tolist() == [0, 1, 2, 3]


@given(spans(), spans())
def test_parts_say_of_each_moment_whose_it_is(one: Spans, other: Spans) -> None:
    start, end, kind = parts(pair(one), pair(other))
    for time in MOMENTS:
        found = [int(k) for low, high, k in zip(start, end, kind, strict=True) if low <= time < high]
        wanted = there(one, time) * 1 + there(other, time) * 2
        assert found == ([wanted] if wanted else [])
    assert all(start[1:] >= end[:-1])
    touching = start[1:] == end[:-1]
    assert all(kind[1:][touching] != kind[:-1][touching]), "stretches of one kind that touch are one"


@given(spans(), spans())
def test_clipped_is_what_both_have(one: Spans, bounds: Spans) -> None:
    start, end = clipped(pair(one), pair(bounds))
    found = list(zip(start.tolist(), end.tolist(), strict=True))
    assert [there(found, time) for time in MOMENTS] == [there(one, t) and there(bounds, t) for t in MOMENTS]


@given(spans(), st.sampled_from([0.0, 0.5, 1.0, 2.5, 100.0]))
def test_annealing_closes_gaps_up_to_a_length_and_moves_no_end(own: Spans, seconds: float) -> None:
    found = annealed(windows(*((0, *span) for span in own)), seconds)
    gaps = found.start[1:] - found.end[:-1]
    assert all(gaps > seconds)
    assert set(found.start) <= {low for low, _ in own}
    assert set(found.end) <= {high for _, high in own}
    if own:
        assert (found.start[0], found.end[-1]) == (own[0][0], own[-1][1])
    again = annealed(found, seconds)
    assert again.start.tolist() == found.start.tolist()


def test_annealing_joins_no_two_people() -> None:
    found = annealed(windows((0, 0, 1), (1, 1.5, 2), (0, 2, 3)), 1.0)
    assert list(zip(found.person.tolist(), found.start.tolist(), found.end.tolist(), strict=True)) == [
        (0, 0.0, 3.0),
        (1, 1.5, 2.0),
    ]


@pytest.mark.parametrize(("seconds", "expected"), [(5.0, [(0.0, 1.0), (2.0, 5.0)]), (2.0, [(0.0, 1.0)]), (9.0, None)])
def test_until_cuts_at_a_time(seconds: float, expected: list[tuple[float, float]] | None) -> None:
    found = until(windows((0, 0, 1), (0, 2, 6)), seconds)
    spans_found = list(zip(found.start.tolist(), found.end.tolist(), strict=True))
    assert spans_found == (expected or [(0.0, 1.0), (2.0, 6.0)])
