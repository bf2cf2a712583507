"""People of two sources joined by keys, one to one, by shared presence; and how much that is."""

import itertools
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxscore.presence import keys
from boxscore.presence.identity import IDS_DIFFER, LOST, label_of, match_people
from boxscore.presence.person import Person
from boxscore.presence.shared import shared_presence
from boxscore.presence.timeline import Presence, spans_of, windows_of

Window = tuple[int, float, float]


def source(people: Sequence[set[str]], windows: Sequence[Window] = (), samples: list[float] | None = None) -> Presence:
    return Presence(
        "table",
        tuple(Person(frozenset(found), min(found)) for found in people),
        windows_of((*window, -1) for window in windows),
        spans_of(),
        samples=None if samples is None else np.array(samples),
    )


def test_people_are_joined_by_any_key() -> None:
    truth = source([{"imdb:nm0000001", "name:a"}, {"tmdb:2"}, {"name:c"}, {"jf:x"}])
    predicted = source([{"name:c", "tmdb:9"}, {"name:a"}, {"jf:y"}, {"tmdb:2", "name:b"}])
    found = match_people(truth, predicted)
    assert found.pairs == ((0, 1), (1, 3), (2, 0))
    assert found.keys == ("name:a", "tmdb:2", "name:c")
    assert not found.conflicts
    assert not found.notes
    assert [label_of(person) for person in truth.people] == ["imdb:nm0000001", "tmdb:2", "name:c", "jf:x"]


def test_more_shared_presence_goes_first_and_what_comes_too_late_is_a_conflict() -> None:
    """Predicted 0 could be either of two namesakes; it shares 2 s with the first and 6 s with the second."""
    truth = source([{"tmdb:1", "name:a"}, {"tmdb:2", "name:a"}], [(0, 0, 5), (1, 10, 20)])
    predicted = source([{"name:a"}], [(0, 3, 6), (0, 12, 18)])
    found = match_people(truth, predicted)
    assert found.pairs == ((1, 0),)
    (conflict,) = found.conflicts
    assert (conflict.truth, conflict.predicted, conflict.key, conflict.shared) == (0, 0, "name:a", 2.0)
    assert conflict.reason == LOST
    (note,) = found.notes
    assert note == (
        "1 conflict of identity: name:a (tmdb:1) and name:a (name:a) share name:a, but somebody else shares more "
        "presence: left apart"
    )


def test_ties_go_to_the_key_that_comes_first() -> None:
    truth = source([{"name:a", "tmdb:5"}])
    predicted = source([{"name:a"}, {"tmdb:5"}])
    found = match_people(truth, predicted)
    assert (found.pairs, found.keys) == (((0, 1),), ("tmdb:5",))
    assert [(one.predicted, one.reason) for one in found.conflicts] == [(0, LOST)]


def test_ties_of_one_key_go_by_label() -> None:
    truth = source([{"tmdb:9", "name:a"}, {"tmdb:1", "name:a"}])
    assert match_people(truth, source([{"name:a"}])).pairs == ((1, 0),)


def test_people_joined_by_name_whose_ids_differ_are_told() -> None:
    truth, predicted = source([{"imdb:nm0000001", "name:a"}]), source([{"imdb:nm0000002", "tmdb:3", "name:a"}])
    found = match_people(truth, predicted)
    assert found.pairs == ((0, 0),)
    (conflict,) = found.conflicts
    assert conflict.reason == IDS_DIFFER
    assert conflict.words.endswith("are joined by name:a, but imdb:nm0000001 and imdb:nm0000002 differ")


KEYS = ["imdb:nm0000001", "imdb:nm0000002", "tmdb:1", "tmdb:2", "name:a", "name:b", "name:c"]
PEOPLE = st.lists(st.frozensets(st.sampled_from(KEYS), min_size=1, max_size=3), max_size=5)
WINDOWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 12), st.integers(0, 5)), max_size=8)


def drawn(people: list[frozenset[str]], windows: list[tuple[int, int, int]]) -> Presence:
    kept = [(person, float(start), float(start + length)) for person, start, length in windows if person < len(people)]
    return source([set(one) for one in people], kept)


@given(PEOPLE, PEOPLE, WINDOWS, WINDOWS)
def test_pairs_are_one_to_one_share_a_key_and_no_candidate_is_forgotten(
    people: list[frozenset[str]],
    others: list[frozenset[str]],
    windows: list[tuple[int, int, int]],
    more: list[tuple[int, int, int]],
) -> None:
    truth, predicted = drawn(people, windows), drawn(others, more)
    found = match_people(truth, predicted)
    rows, columns = zip(*found.pairs, strict=True) if found.pairs else ((), ())
    assert len(set(rows)) == len(rows)
    assert len(set(columns)) == len(columns)
    lost = {(one.truth, one.predicted): one.shared for one in found.conflicts if one.reason == LOST}
    candidates = {
        pair for pair in itertools.product(range(len(people)), range(len(others))) if meet(people, others, pair)
    }
    assert candidates == set(found.pairs) | set(lost)
    amount = dict(zip(found.pairs, shared_presence(truth, predicted, found.pairs), strict=True))
    for (row, column), shared in lost.items():
        rivals = [amount[pair] for pair in found.pairs if pair[0] == row or pair[1] == column]
        assert max(rivals) >= shared, "what is left apart had a rival with as much"


def meet(people: list[frozenset[str]], others: list[frozenset[str]], pair: tuple[int, int]) -> bool:
    return bool(people[pair[0]] & others[pair[1]])


@given(PEOPLE, PEOPLE, WINDOWS, WINDOWS, st.randoms(use_true_random=False))
def test_order_of_people_changes_nothing_where_labels_are_unique(
    people: list[frozenset[str]],
    others: list[frozenset[str]],
    windows: list[tuple[int, int, int]],
    more: list[tuple[int, int, int]],
    random: st.randoms,  # type: ignore[valid-type]
) -> None:
    people = list({keys.first(one): one for one in people}.values())
    others = list({keys.first(one): one for one in others}.values())
    turned = random.sample(range(len(people)), len(people))  # type: ignore[attr-defined]
    place = {old: new for new, old in enumerate(turned)}
    moved = [(place[person], start, length) for person, start, length in windows if person < len(people)]

    def joined(truth: Presence) -> set[tuple[str, str]]:
        pairs = match_people(truth, drawn(others, more)).pairs
        return {(label_of(truth.people[row]), keys.first(others[column])) for row, column in pairs}

    assert joined(drawn(people, windows)) == joined(drawn([people[old] for old in turned], moved))


@given(WINDOWS, WINDOWS)
def test_shared_seconds_are_those_that_both_hold(
    windows: list[tuple[int, int, int]], more: list[tuple[int, int, int]]
) -> None:
    """Whole seconds counted one by one."""
    people = [frozenset([f"tmdb:{row + 1}"]) for row in range(5)]
    truth, predicted = drawn(people, windows), drawn(people, more)

    def held(rows: list[tuple[int, int, int]], person: int) -> set[int]:
        return {second for who, start, length in rows if who == person for second in range(start, start + length)}

    pairs = list(itertools.product(range(5), range(5)))
    expected = [len(held(windows, one) & held(more, other)) for one, other in pairs]
    assert shared_presence(truth, predicted, pairs) == expected
    samples = [0.0, 3.0, 4.0, 11.0]
    sampled = source([set(one) for one in people], [(p, float(s), float(s + n)) for p, s, n in windows], samples)
    at = [len(held(windows, one) & held(more, other) & {0, 3, 4, 11}) for one, other in pairs]
    assert shared_presence(sampled, predicted, pairs) == at
