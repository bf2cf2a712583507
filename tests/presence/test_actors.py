"""Labels of true, invented, recognisable and other actors; galleries; fates."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.presence.actors import actors_of
from boxscore.presence.gallery_people import read_gallery
from boxscore.presence.keys import of_ids, of_text
from boxscore.presence.moments import Sampling
from boxscore.presence.person import Person
from boxscore.presence.scoring import Asked, score
from boxscore.presence.together import score_all
from tests.presence.written import timeline


def person(text: str) -> Person:
    return Person(of_text(text), text)


def test_true_actors_first_then_all_others_by_label() -> None:
    truth = timeline({"nm0000009": [(0, 1)], "Ann": [(0, 1)]})
    predicted = timeline({"Zoe": [(0, 1)], "Ann": [(0, 1)], "Bob": []}, source="prediction")
    found = actors_of(truth, predicted, [(1, 1)], gallery=[person("Ann"), person("tmdb:4")], others=[person("Cid")])
    assert [(one.label, one.truth, one.predicted, one.in_gallery) for one in found] == [
        ("imdb:nm0000009", 0, None, False),
        ("name:ann", 1, 1, True),
        ("name:bob", None, 2, False),
        ("name:cid", None, None, False),
        ("name:zoe", None, 0, False),
        ("tmdb:4", None, None, True),
    ]


def test_without_a_gallery_nobody_knows_who_is_in_it() -> None:
    truth = timeline({"Ann": [(0, 1)]})
    (ann,) = actors_of(truth, truth, [(0, 0)])
    assert ann.in_gallery is None


def test_two_predictions_get_the_same_labels() -> None:
    truth = timeline({"Ann": [(0, 4)]}, duration=4)
    one = timeline({"Ann": [(0, 4)], "Eve": [(1, 2)]}, source="prediction")
    other = timeline({"Zoe": [(0, 1)], "Ann": [(0, 2)]}, source="prediction")
    runs = [score(truth, predicted, Asked(others=also.people)).run for predicted, also in ((one, other), (other, one))]
    assert list(runs[0].labels) == list(runs[1].labels) == ["name:ann", "name:eve", "name:zoe"]
    assert runs[0].data_identity == runs[1].data_identity


def test_a_gallery_gives_names_and_ids(tmp_path: Path) -> None:
    path = tmp_path / "gallery.json"
    entries = [
        {"actor": "Ann Lee", "ids": {"tmdb": 31, "imdb": "nm0000001"}, "embeddings": [[0.5, 1.0]]},
        {"actor": "Bob Best", "ids": {"tmdb": "tmdb:7", "jf": None}},
        {"actor": "Cid"},
    ]
    path.write_text(json.dumps({"format": "boxscore-gallery", "actors": entries}))
    found = read_gallery(path)
    assert [one.keys for one in found] == [
        of_ids({"tmdb": 31, "imdb": "nm0000001"}, "Ann Lee"),
        of_ids({"tmdb": 7}, "Bob Best"),
        of_ids({}, "Cid"),
    ]
    path.write_text(json.dumps(entries))
    assert read_gallery(path) == found


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"people": []}, "there is no list of actors"),
        ([], "has no actors"),
        ([3], r"actors\[0\] is 3"),
        ([{"actor": 3}], r"actors\[0\].actor is 3"),
        ([{"actor": "Ann"}, {"actor": "Bob", "ids": [1]}], r"actors\[1\].ids is \[1\]"),
        ([{"actor": "Ann", "ids": {"imdb": "tt12"}}], r"actors\[0\].ids.imdb is 'tt12'; it must be an IMDb id"),
        ([{"actor": "Ann", "ids": {"tmdb": -1}}], r"actors\[0\].ids.tmdb is -1; it must be a TMDB id"),
        ([{"actor": "…"}], r"actors\[0\] has neither a name nor an id"),
    ],
)
def test_galleries_that_are_none(tmp_path: Path, content: Any, message: str) -> None:
    path = tmp_path / "gallery.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=message) as refused:
        read_gallery(path)
    assert str(path) in str(refused.value)


def test_fates_by_movienet() -> None:
    """Ann at 0 to 3 s: on screen at 0 and 1, not at 2, and 3 is not annotated. Bob is not among those it identifies."""
    xray = timeline({"Ann": [(0, 4)], "Bob": [(0, 2)]}, source="xray", duration=4)
    movienet = timeline(
        {"Ann": [(0, 2)]}, source="movienet", samples=[0.5, 2.5], annotated=[(0, 2), (2, 3)], duration=4
    )
    predicted = timeline({"Ann": [(9, 10)]}, source="prediction")
    found = score_all([xray, movienet], predicted, Asked(Sampling()))
    assert [one.truth.source for one in found] == ["movienet", "xray"]
    fates = found[1].content["fates"]
    told = {(row["screen"], row["detection"]): (row["misses"], row["in_mask"]) for row in fates["rows"]}
    never, here = "never detected in this title", "missed here"
    assert told == {
        ("on screen", never): (0, 0),
        ("on screen", here): (2, 2),
        ("not on screen", never): (0, 0),
        ("not on screen", here): (1, 1),
        ("not annotated", never): (2, 0),
        ("not annotated", here): (1, 1),
    }
    assert fates["misses"] == sum(count for count, _ in told.values()) == 6
    assert fates["by_actor"][0] == {
        "label": "name:ann",
        "name": "Ann",
        "misses": 4,
        "detection": here,
        "on screen": 2,
        "not on screen": 1,
        "not annotated": 1,
    }


def test_the_picture_shows_errors_of_both_sides() -> None:
    truth = timeline({"Ann": [(0, 10)], "Cid": [(3, 4)]}, duration=20)
    predicted = timeline({"Ann": [(5, 15)], "Eve": [(1, 2)]}, source="prediction")
    found = score(truth, predicted, Asked()).content["picture"]
    assert [(one["label"], one["masked"]) for one in found["actors"]] == [
        ("name:ann", True),
        ("name:cid", False),
        ("name:eve", False),
    ]
    rows = [(one["actor"], one["side"], one["state"], one["start"], one["end"]) for one in found["stretches"]]
    assert rows == [
        ("name:ann", "truth", "missed", 0.0, 5.0),
        ("name:ann", "truth", "found", 5.0, 10.0),
        ("name:ann", "prediction", "right", 5.0, 10.0),
        ("name:ann", "prediction", "wrong", 10.0, 15.0),
        ("name:cid", "truth", "missed", 3.0, 4.0),
        ("name:eve", "prediction", "wrong", 1.0, 2.0),
    ]
    assert found["left_out"] == 0


def test_the_picture_ends_with_the_film_and_shows_what_is_annotated_alone() -> None:
    predicted = timeline({"Ann": [(3, 15), (18, 30)]}, source="prediction")
    whole = score(timeline({"Ann": [(0, 10)]}, duration=20), predicted, Asked()).content["picture"]["stretches"]
    assert [(row["start"], row["end"]) for row in whole if row["side"] == "prediction"] == [(3, 10), (10, 15), (18, 20)]
    parts = timeline({"Ann": [(0, 5)]}, samples=[2.5, 9.5], annotated=[(0, 5), (9, 10)], duration=20)
    rows = score(parts, predicted, Asked()).content["picture"]["stretches"]
    assert [(row["start"], row["end"]) for row in rows if row["side"] == "prediction"] == [(3, 5), (9, 10)]


def test_the_picture_has_room_for_two_dozen_and_for_those_outside_the_mask() -> None:
    cast = {f"Actor {number}": [(0.0, 10.0 + number)] for number in range(40)}
    invented = {f"Eve {number}": [(0.0, 1.0)] for number in range(9)}
    truth = timeline(cast, duration=60)
    found = score(truth, timeline(cast | invented, source="prediction"), Asked()).content["picture"]
    assert [one["name"] for one in found["actors"][:2]] == ["Actor 39", "Actor 38"]
    assert sum(one["masked"] for one in found["actors"]) == 18
    assert len(found["actors"]) == 24
    assert found["left_out"] == 25


def test_a_picture_of_thousands_of_stretches_is_coarser_and_hides_no_error() -> None:
    flashes = [(float(at), at + 0.5) for at in range(3000)]
    truth = timeline({"Ann": flashes}, duration=3000)
    predicted = timeline({"Ann": [flash for flash in flashes if flash[0] != 1500.0]}, source="prediction")
    rows = score(truth, predicted, Asked()).content["picture"]["stretches"]
    true = [row for row in rows if row["side"] == "truth"]
    assert len(true) == 400
    (missed,) = [row for row in true if row["state"] == "missed"]
    assert missed["start"] <= 1500.0 <= missed["end"]
    assert np.isclose(true[-1]["end"], 2999.5)
