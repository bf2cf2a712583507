"""Keys of identities, and mentions brought together by them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.presence import keys
from boxscore.presence.cast import Mention, gathered


@pytest.mark.parametrize(
    ("kind", "value", "key"),
    [
        ("imdb", "nm0000158", "imdb:nm0000158"),
        ("imdb", " NM158 ", "imdb:nm0000158"),
        ("imdb", "nm10000158", "imdb:nm10000158"),
        ("imdb", "tt0000158", None),
        ("imdb", 158, None),
        ("tmdb", 31, "tmdb:31"),
        ("tmdb", "31", "tmdb:31"),
        ("tmdb", "031", "tmdb:31"),
        ("tmdb", 0, None),
        ("tmdb", 31.0, None),
        ("tmdb", True, None),
        ("tmdb", "", None),
        ("jf", "0F4E8B1C-4C7B-4C1E-9C3B-000000000001", "jf:0f4e8b1c4c7b4c1e9c3b000000000001"),
        ("jf", "Item7", "jf:Item7"),
        ("jf", "two words", None),
        ("jf", "", None),
    ],
)
def test_ids(kind: str, value: object, key: str | None) -> None:
    assert keys.of_id(kind, value) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Ann Lee", "name:ann lee"),
        ("name:Ann Lee", "name:ann lee"),
        ("imdb:nm158", "imdb:nm0000158"),
        ("nm0000158", "imdb:nm0000158"),
        ("TMDB: 31", "tmdb:31"),
        ("jf:Item7", "jf:Item7"),
        ("Mission: Control", "name:mission control"),
    ],
)
def test_texts(text: str, key: str) -> None:
    assert keys.of_text(text) == {key}


@pytest.mark.parametrize("text", ["imdb:7", "tmdb:x", "…", ""])
def test_texts_that_name_nobody(text: str) -> None:
    assert keys.of_text(text) == frozenset()


def test_first_key() -> None:
    every = {"name:a", "jf:1", "mvn:Train_app10/0", "tmdb:2", "imdb:nm0000003"}
    assert sorted(every, key=keys.order) == ["imdb:nm0000003", "tmdb:2", "jf:1", "name:a", "mvn:Train_app10/0"]
    assert keys.first(every) == "imdb:nm0000003"


def mention(*found: str, name: str | None = None) -> Mention:
    return Mention(frozenset(found), name)


def test_mentions_that_share_an_id_are_one_and_keep_all_keys() -> None:
    cast = gathered([mention("tmdb:1", "name:a", name="A"), mention("tmdb:1", "jf:x"), mention("jf:x", "name:b")])
    assert cast.rows == (0, 0, 0)
    assert cast.people[0].keys == {"tmdb:1", "jf:x", "name:a", "name:b"}
    assert cast.people[0].name == "A"
    assert not cast.mistakes


def test_a_name_alone_is_the_one_person_of_that_name() -> None:
    cast = gathered([mention("name:a", name="A"), mention("tmdb:1", "name:a"), mention("name:b"), mention("name:b")])
    assert cast.rows == (0, 0, 1, 1)
    assert cast.people[0].keys == {"tmdb:1", "name:a"}


def test_namesakes_with_ids_stay_two_and_their_name_alone_is_ambiguous() -> None:
    cast = gathered([mention("tmdb:1", "name:a"), mention("tmdb:2", "name:a"), mention("name:a", name="A")])
    assert cast.rows[:2] == (0, 1)
    assert cast.mistakes == ((2, 'the name "A" is that of tmdb:1 and tmdb:2; say which by an id'),)


def test_two_ids_of_one_kind_are_a_mistake() -> None:
    cast = gathered([mention("imdb:nm0000001", "tmdb:5"), mention("imdb:nm0000002", "tmdb:5")])
    ((row, message),) = cast.mistakes
    assert row == 1
    assert message == "imdb:nm0000002 is imdb:nm0000001 elsewhere in the file; one person has one id of a kind"


@given(st.lists(st.frozensets(st.sampled_from(["tmdb:1", "tmdb:2", "jf:a", "jf:b"]), min_size=1), max_size=8))
def test_mentions_are_one_exactly_where_a_chain_of_ids_joins_them(given_keys: list[frozenset[str]]) -> None:
    cast = gathered([Mention(found) for found in given_keys])
    sets: list[set[str]] = []
    for found in given_keys:  # an oracle that merges sets until none meet
        meeting = [one for one in sets if one & found]
        sets = [one for one in sets if not one & found] + [set(found).union(*meeting)]
    assert len(cast.people) == len(sets)
    for found, row in zip(given_keys, cast.rows, strict=True):
        assert found <= cast.people[row].keys
        assert set(cast.people[row].keys) in sets
