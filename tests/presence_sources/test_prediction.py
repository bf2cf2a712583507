"""Predictions: both forms, and every mistake with its path, value and remedy."""

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from boxscore.errors import InputError
from boxscore.presence.identity import label_of
from boxscore.presence.prediction import read_prediction
from tests.presence_sources.written import prediction, told

ACTORS: dict[str, Any] = {
    "title": "A film",
    "duration": 100.0,
    "actors": [
        {"name": "Ann Lee", "ids": {"imdb": "nm158", "tmdb": 31, "jf": None}, "windows": [[40, 41.5], [12.0, 15.5]]},
        {"ids": {"tmdb": "32"}, "windows": [[0, 100]], "character": "Mae", "extra": {"seen": 9}},
        {"name": "Bo Ray", "windows": []},
    ],
}
SCENES: dict[str, Any] = {
    "duration": 100.0,
    "scenes": [
        {"name": "b", "start": 60, "end": 90.5, "actors": ["ann  lee", "tmdb:32"]},
        {"name": "a", "start": 0, "end": 60, "actors": [{"name": "Ann Lee", "ids": {"imdb": "nm0000158"}}, "Bo Ray"]},
        {"start": 90.5, "end": 100, "actors": []},
    ],
    "actors": [{"name": "Cy Dow", "ids": {"tmdb": 32}, "role": "lead"}],
}


def refused(tmp_path: Path, content: object, duration: float | None = None) -> str:
    path = prediction(tmp_path / "pred.json", content)
    with pytest.raises(InputError) as caught:
        read_prediction(path, duration)
    return str(caught.value).removeprefix(str(path))


def test_actors_with_windows(tmp_path: Path) -> None:
    found = read_prediction(prediction(tmp_path / "pred.json", ACTORS))
    assert [sorted(person.keys) for person in found.people] == [
        ["imdb:nm0000158", "name:ann lee", "tmdb:31"],
        ["tmdb:32"],
        ["name:bo ray"],
    ]
    assert [person.name for person in found.people] == ["Ann Lee", "tmdb:32", "Bo Ray"]
    assert found.people[1].extra == {"character": "Mae", "seen": 9}
    assert told(found) == [
        ("imdb:nm0000158", 12.0, 15.5, None),
        ("imdb:nm0000158", 40.0, 41.5, None),
        ("tmdb:32", 0.0, 100.0, None),
    ]
    assert (found.source, found.duration, len(found.scenes), found.samples) == ("prediction", 100.0, 0, None)
    assert (found.path, found.notes) == ("pred.json", ())


def test_scenes_with_actors(tmp_path: Path) -> None:
    """A scene's actors are there for all of it; a name alone, and an id alone, are those that say more elsewhere."""
    found = read_prediction(prediction(tmp_path / "pred.json", SCENES))
    assert found.scenes.names == ("a", "b", "3")
    assert told(found) == [
        ("tmdb:32", 60.0, 90.5, "b"),
        ("imdb:nm0000158", 0.0, 60.0, "a"),
        ("imdb:nm0000158", 60.0, 90.5, "b"),
        ("name:bo ray", 0.0, 60.0, "a"),
    ]
    assert found.people[0].name == "Cy Dow"
    assert found.people[0].extra == {"role": "lead"}
    assert found.scenes.end.tolist() == [60.0, 90.5, 100.0]


def test_nothing_found_is_a_prediction(tmp_path: Path) -> None:
    for form in ("actors", "scenes"):
        content: dict[str, list[object]] = {form: []}
        found = read_prediction(prediction(tmp_path / "pred.json", content))
        assert (found.people, len(found.windows), found.duration) == ((), 0, None)


def test_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "pred.json.gz"
    path.write_bytes(gzip.compress(json.dumps(ACTORS).encode()))
    assert len(read_prediction(path).people) == 3


def test_windows_that_touch_are_two_and_those_without_length_are_told(tmp_path: Path) -> None:
    content = {"actors": [{"name": "A", "windows": [[1, 2], [2, 3], [5, 5]]}]}
    found = read_prediction(prediction(tmp_path / "pred.json", content))
    assert len(found.windows) == 3
    assert found.notes == (
        "windows that end where they start, and hold no moment since an end is not part of its window: 1",
    )


def test_an_end_rounded_to_milliseconds_is_not_beyond_the_film(tmp_path: Path) -> None:
    content = {"duration": 99.9996, "actors": [{"name": "A", "windows": [[1, 100.0]]}]}
    assert len(read_prediction(prediction(tmp_path / "pred.json", content)).windows) == 1


def test_a_known_length_stands_in_for_one_that_the_file_lacks(tmp_path: Path) -> None:
    content: dict[str, Any] = {"actors": [{"name": "A", "windows": [[1, 61]]}]}
    assert read_prediction(prediction(tmp_path / "pred.json", content), 61.0).duration == 61.0
    assert "beyond the film's end at 60 s" in refused(tmp_path, content, 60.0)
    assert read_prediction(prediction(tmp_path / "pred.json", content | {"duration": 70}), 60.0).duration == 70.0


WINDOW_MISTAKES = [
    ([5, 1], "[5, 1]; the end is before the start: mend the times"),
    ([1, float("nan")], "[1, NaN]; start and end must be numbers of seconds"),
    ([1, float("inf")], "[1, Infinity]; start and end must be numbers of seconds"),
    ([-1, 2], "[-1, 2]; a film starts at 0 s"),
    (
        [1, 10**400],
        "[1, 10000000000000000000000000000000000000000000000000000000…; start and end must be numbers of seconds",
    ),
    ([1, "2"], "[1, '2']; start and end must be numbers of seconds"),
    ([True, 2], "[True, 2]; start and end must be numbers of seconds"),
    ([1, 2, 3], "[1, 2, 3]; a window is [start, end], in seconds"),
    ({"start": 1}, "{'start': 1}; a window is [start, end], in seconds"),
    ([90, 101], "[90, 101], beyond the film's end at 100 s; mend the times"),
]


@pytest.mark.parametrize(("window", "message"), WINDOW_MISTAKES, ids=[message for _, message in WINDOW_MISTAKES])
def test_wrong_windows(tmp_path: Path, window: object, message: str) -> None:
    content = copy.deepcopy(ACTORS)
    content["actors"][1]["windows"] = [[0, 1], window]
    assert refused(tmp_path, content) == f": actors[1].windows[1]: it is {message}"


def test_overlapping_windows_name_both(tmp_path: Path) -> None:
    content = copy.deepcopy(ACTORS)
    content["actors"][0]["windows"] = [[10, 20], [30, 40], [15, 18]]
    assert refused(tmp_path, content) == (
        ": actors[0].windows[2]: [15, 18] overlaps [10, 20] (actors[0].windows[0]) of the same actor; join windows "
        "that overlap"
    )


ACTOR_MISTAKES: list[tuple[object, str]] = [
    ({"name": "A", "window": [[1, 2]]}, ": actors[0].window: there is no such field; did you mean windows?"),
    ({"name": "A"}, ": actors[0]: windows is missing"),
    ({"windows": []}, ": actors[0]: it has neither a name nor ids; give one of them, or both"),
    (
        {"ids": {"imdb": None}, "windows": []},
        ": actors[0]: nothing tells who it is; give a name with letters in it, or an id",
    ),
    ({"name": "…", "windows": []}, ": actors[0]: nothing tells who it is; give a name with letters in it, or an id"),
    ({"name": "", "windows": []}, ": actors[0].name: it is empty; it must be text"),
    (
        {"ids": {"imdb": "tt1", "tmdb": 3}, "windows": []},
        ": actors[0].ids.imdb: it is 'tt1'; it must be an IMDb id such as nm0000158",
    ),
    (
        {"ids": {"tvdb": 3, "tmdb": 3}, "windows": []},
        ": actors[0].ids.tvdb: there is no such field; did you mean tmdb?",
    ),
    ({"name": "A", "windows": 3}, ": actors[0].windows: it is 3; it must be a list of [start, end], in seconds"),
    ("A", ": actors[0]: it is 'A'; it must be a mapping (lines like `name: value`, set in below it)"),
]


@pytest.mark.parametrize(("actor", "message"), ACTOR_MISTAKES, ids=range(len(ACTOR_MISTAKES)))
def test_wrong_actors(tmp_path: Path, actor: object, message: str) -> None:
    assert message.removeprefix(": ") in refused(tmp_path, {"actors": [actor]})


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (
            {"name": "A"},
            {"name": "a."},
            ': actors[1]: "a." is actors[0] already; give each actor once, with all windows',
        ),
        ({"ids": {"tmdb": 1}}, {"ids": {"tmdb": "1"}, "name": "B"}, ": actors[1]: tmdb:1 is actors[0] already"),
        ({"ids": {"tmdb": 1}, "name": "A"}, {"name": "A"}, ': actors[1]: "A" is actors[0] already'),
    ],
)
def test_an_actor_given_twice(tmp_path: Path, first: dict[str, Any], second: dict[str, Any], message: str) -> None:
    content = {"actors": [{**first, "windows": [[0, 1]]}, {**second, "windows": [[5, 6]]}]}
    assert refused(tmp_path, content).startswith(message)


def test_namesakes_with_ids_of_their_own_are_two(tmp_path: Path) -> None:
    content = {"actors": [{"name": "A", "ids": {"tmdb": row}, "windows": []} for row in (1, 2)]}
    found = read_prediction(prediction(tmp_path / "pred.json", content))
    assert [label_of(person) for person in found.people] == ["tmdb:1", "tmdb:2"]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    content = {"actors": [{"name": "A", "windows": [[5, 1]]}, {"name": "B", "windows": [[-2, 1]], "x": 1}], "fps": 24}
    message = refused(tmp_path, content)
    assert message.startswith(" has 4 mistakes:")
    for place in ("fps", "actors[0].windows[0]", "actors[1].windows[0]", "actors[1].x"):
        assert f"\n  {place}: " in message


SCENE_MISTAKES: list[tuple[dict[str, object], str]] = [
    ({"end": 50}, "scenes[0].end: it is 50, before the scene's start at 60; mend the times"),
    ({"end": 101}, "scenes[0].end: it is 101, beyond the film's end at 100 s; mend the times"),
    ({"start": float("nan")}, "scenes[0].start: it is nan; it must be a number of 0 or more"),
    ({"start": -1.5}, "scenes[0].start: it is -1.5; it must be a number of 0 or more"),
    ({"start": 59}, "scenes: scene 'b' [59, 90.5] overlaps scene 'a' [0, 60]; a moment belongs to one scene"),
    ({"actors": ["Ann Lee", "nm158"]}, "scenes[0].actors[1]: imdb:nm0000158 is scenes[0].actors[0] already"),
    ({"actors": ["tmdb:x"]}, 'scenes[0].actors[0]: "tmdb:x" is neither a name nor an id (imdb:nm…, tmdb:…, jf:…)'),
    ({"actors": [7]}, "scenes[0].actors[0]: it is 7; it must be a mapping"),
    ({"actors": [{"name": "A", "windows": []}]}, "scenes[0].actors[0].windows: there is no such field"),
    ({"actor": ["A"]}, "scenes[0].actor: there is no such field; did you mean actors?"),
]


@pytest.mark.parametrize(("change", "message"), SCENE_MISTAKES, ids=range(len(SCENE_MISTAKES)))
def test_wrong_scenes(tmp_path: Path, change: dict[str, object], message: str) -> None:
    content = copy.deepcopy(SCENES)
    content["scenes"][0] |= change
    assert message in refused(tmp_path, content)


def test_actors_beside_scenes_have_no_windows(tmp_path: Path) -> None:
    content = SCENES | {"actors": [{"name": "Cy Dow", "windows": [[0, 1]]}]}
    assert refused(tmp_path, content).startswith(": actors[0].windows: there is no such field")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, ": actors is missing; give a list of actors with their windows, or scenes with the actors in each"),
        (
            [[3, 5]],
            ' holds [[3, 5]]; a prediction is {"actors": [{"name": "Ann Lee", "windows": [[0, 9]]}, …]}, or',
        ),
        ({"duration": "1h", "actors": []}, ": duration: it is '1h'; it must be a number of 0 or more"),
        ({"actors": {}}, ": actors: it is empty; it must be a list"),
        ({"actors": [], "extra": 3}, ": extra: it is 3; it must be a mapping"),
    ],
)
def test_wrong_tops(tmp_path: Path, content: object, message: str) -> None:
    assert refused(tmp_path, content).startswith(message)


def test_a_file_that_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "pred.json"
    path.write_text('{"actors": [', encoding="utf-8")
    with pytest.raises(InputError, match="line 1, column 13: no valid JSON"):
        read_prediction(path)
    with pytest.raises(InputError, match="there is no such file"):
        read_prediction(tmp_path / "none.json")
