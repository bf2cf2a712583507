"""Windows of a timeline: their order, their union, and its length."""

from hypothesis import given
from hypothesis import strategies as st

from boxscore.presence.timeline import NO_SCENE, Presence, joined, overlapping, seconds_present, spans_of, windows_of

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(0, 6)), max_size=20)


def test_touching_windows_are_one_stretch_and_apart_ones_are_not() -> None:
    windows = joined(windows_of([(0, 5.0, 8.0, 1), (0, 0.0, 5.0, 0), (0, 8.5, 9.0, 2), (1, 1.0, 2.0, 0)]))
    assert windows.person.tolist() == [0, 0, 1]
    assert windows.start.tolist() == [0.0, 8.5, 1.0]
    assert windows.end.tolist() == [8.0, 9.0, 2.0]
    assert windows.scene.tolist() == [NO_SCENE] * 3


def test_gaps_too_small_for_large_times_stay_gaps() -> None:
    windows = joined(windows_of([(299, 0.0, 1e-9, -1), (299, 2e-9, 86400.0, -1)]))
    assert windows.start.tolist() == [0.0, 2e-9]


def test_nothing_joined_is_nothing() -> None:
    assert len(joined(windows_of([]))) == 0
    assert overlapping(windows_of([])) == 0


def test_windows_without_length_are_no_stretch() -> None:
    windows = joined(windows_of([(0, 3.0, 3.0, -1), (1, 0.0, 2.0, -1), (1, 2.0, 2.0, -1), (1, 5.0, 5.0, -1)]))
    assert (windows.person.tolist(), windows.start.tolist(), windows.end.tolist()) == ([1], [0.0], [2.0])
    assert len(joined(windows_of([(0, 3.0, 3.0, -1)]))) == 0


@given(ROWS)
def test_a_window_overlaps_where_an_earlier_one_of_the_person_has_not_ended(rows: list[tuple[int, int, int]]) -> None:
    windows = windows_of((person, float(start), float(start + length), -1) for person, start, length in rows)
    ordered = list(zip(windows.person.tolist(), windows.start.tolist(), windows.end.tolist(), strict=True))
    slow = sum(
        any(own == person and start < end for own, _, end in ordered[:place])
        for place, (person, start, _) in enumerate(ordered)
    )
    assert overlapping(windows) == slow


@given(ROWS)
def test_the_union_holds_the_same_moments(rows: list[tuple[int, int, int]]) -> None:
    """Half-open windows hold the whole numbers from start up to, not including, end."""
    windows = windows_of((person, float(start), float(start + length), -1) for person, start, length in rows)
    union = joined(windows)

    def moments(one: object) -> set[tuple[int, int]]:
        return {
            (int(person), moment)
            for person, start, end in zip(one.person, one.start, one.end, strict=True)  # type: ignore[attr-defined]
            for moment in range(int(start), int(end))
        }

    assert moments(union) == moments(windows)
    same = union.person[1:] == union.person[:-1]
    assert (union.start[1:] > union.end[:-1])[same].all(), "stretches of one person are apart"
    length = seconds_present(Presence("table", ("a",) * 4, windows, spans_of()))  # type: ignore[arg-type]
    assert [int(one) for one in length] == [len([m for p, m in moments(windows) if p == person]) for person in range(4)]
