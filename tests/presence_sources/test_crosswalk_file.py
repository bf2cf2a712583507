"""Crosswalks: exact ids added to people."""

import json
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.io import json_files
from boxscore.presence.crosswalk import answers
from boxscore.presence.crosswalk_file import people_with_crosswalk, read_crosswalk, with_crosswalk
from boxscore.presence.identity import match_people
from boxscore.presence.person import Person
from boxscore.presence.timeline import Presence, spans_of, windows_of


def written(tmp_path: Path, content: object, name: str = "ids.json") -> Path:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def people(*found: set[str]) -> Presence:
    persons = tuple(Person(frozenset(one), min(one)) for one in found)
    return Presence("prediction", persons, windows_of([]), spans_of(), path="pred.json")


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_crosswalk(path)
    return str(caught.value).removeprefix(str(path))


def test_the_file_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "crosswalk.json"
    answers.write(path, {31: answers.Answer("nm0000158"), 32: answers.Answer(None, "TMDB has no IMDb id")})
    found = with_crosswalk(people({"tmdb:31", "name:a"}, {"tmdb:32"}, {"jf:x"}), read_crosswalk(path))
    assert [person.keys for person in found.people] == [{"tmdb:31", "name:a", "imdb:nm0000158"}, {"tmdb:32"}, {"jf:x"}]
    assert found.notes == ("crosswalk.json adds ids to 1 of 3 people of prediction",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ids.csv", "TMDB_ID,imdb,jellyfin\n31,nm158,\n,nm0000158,item7\n"),
        ("ids.tsv", "tmdb\timdb_id\tjf\n31\tnm158\t\n\tnm0000158\titem7\n"),
        ("ids.json", [{"tmdb": 31, "imdb": "nm0000158"}, {"imdb": "nm158", "jf": "item7", "note": "checked"}]),
        ("ids.json", [{"TMDB_ID": 31, "IMDb": "nm0000158"}, {"imdb": "nm158", " Jellyfin": "item7"}]),
        ("ids.csv", "tmdb,tmdb_id,imdb,jf\n31,,nm158,\n,,nm158,item7\n"),
    ],
)
def test_ids_are_followed_from_one_to_the_next(tmp_path: Path, name: str, content: object) -> None:
    crosswalk = read_crosswalk(written(tmp_path, content, name))
    assert crosswalk.entries == 2
    (person,) = people_with_crosswalk(people({"tmdb:31"}).people, crosswalk)
    assert person.keys == {"tmdb:31", "imdb:nm0000158", "jf:item7"}


def test_the_file_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "crosswalk.json"
    answers.write(path, {31: answers.Answer("nm0000158")})
    loaded = []
    load = json_files.load

    def counting(path: str | Path) -> object:
        loaded.append(path)
        return load(path)

    monkeypatch.setattr(json_files, "load", counting)
    monkeypatch.setattr(answers, "load", counting)
    assert read_crosswalk(path).entries == 1
    assert loaded == [path]


def test_a_crosswalk_joins_who_shared_no_key(tmp_path: Path) -> None:
    truth, predicted = people({"imdb:nm0000158"}), people({"tmdb:31"})
    assert match_people(truth, predicted).pairs == ()
    crosswalk = read_crosswalk(written(tmp_path, [{"tmdb": 31, "imdb": "nm158"}]))
    assert match_people(truth, with_crosswalk(predicted, crosswalk)).pairs == ((0, 0),)


def test_names_lead_to_ids_where_there_is_none_alone(tmp_path: Path) -> None:
    """Somebody with an id is not given another's ids because their names are alike."""
    crosswalk = read_crosswalk(written(tmp_path, "name,imdb\nAnn Lee,nm158\n", "ids.csv"))
    found = people_with_crosswalk(people({"name:ann lee"}, {"tmdb:7", "name:ann lee"}).people, crosswalk)
    assert [person.keys for person in found] == [{"name:ann lee", "imdb:nm0000158"}, {"tmdb:7", "name:ann lee"}]


MISTAKES: list[tuple[str, object, str]] = [
    (
        "ids.csv",
        "tmdb,imdb\n31,nm158\n31,nm159\n",
        " line 3: tmdb:31 is given imdb:nm0000159, and imdb:nm0000158 elsewhere",
    ),
    (
        "ids.csv",
        "tmdb,imdb\nx,nm158\n",
        " line 2: tmdb is 'x'; it must be a TMDB id, a whole number such as 31, or empty",
    ),
    ("ids.csv", "tmdb,who\n31,Ann\n", ": a crosswalk has two columns of ids or more (imdb, tmdb, jf, name, mvn)"),
    ("ids.csv", "tmdb,tmdb_id\n31,31\n", ": a crosswalk has two columns of ids or more (imdb, tmdb, jf, name, mvn)"),
    ("ids.json", [{"tmdb": 31, "tmdb_id": 31}], " [0] is {'tmdb': 31, 'tmdb_id': 31}; give an object with two of"),
    ("ids.json", [{"tmdb": 31}], " [0] is {'tmdb': 31}; give an object with two of imdb, tmdb, jf, name, mvn"),
    ("ids.json", [{"tmdb": 31, "imdb": 158}], " [0]: imdb is 158; it must be an IMDb id such as nm0000158, or empty"),
    ("ids.json", 7, " is 7; a crosswalk is a list of objects with ids, or a table"),
    ("ids.json", {"people": {}}, " is no crosswalk"),
]


@pytest.mark.parametrize(("name", "content", "message"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes(tmp_path: Path, name: str, content: object, message: str) -> None:
    assert refused(written(tmp_path, content, name)).startswith(message)
