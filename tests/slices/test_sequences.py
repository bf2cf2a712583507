"""Misses in a row and flicker in ordered images of a group."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxscore
from boxscore.errors import InputError
from boxscore.measures.sequences import changes, longest
from boxscore.pipeline.sliced_sequences import sequences


def video(pattern: dict[str, str], **extra: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Tracks by name over frames: `f` found, `m` missed, `-` not there. Frames are stated in reverse, ids descend."""
    frames = max(map(len, pattern.values()))
    images = [{"id": 100 - i, "file_name": f"v/frame_{i}.png", "clip": "v", "frame": i} for i in range(frames)]
    annotations: list[dict[str, Any]] = []
    found: list[dict[str, Any]] = []
    for row, (track, states) in enumerate(pattern.items()):
        for i, state in enumerate(states):
            box = [0, 60 * row, 40, 40]
            entry = {"image_id": 100 - i, "category_id": 1, "bbox": box}
            if state in "fm":
                stated = {"id": len(annotations), "area": 1600, "iscrowd": 0, "track_id": track}
                annotations.append(entry | stated)
            if state == "f":
                found.append(entry | {"score": 0.5})
    truth = {"images": images[::-1], "annotations": annotations, "categories": [{"id": 1, "name": "cup"}]}
    return truth | extra, found


def test_by_hand() -> None:
    """Track a is missed in frames 3, 5 and 6 (not there in 4): three in a row. Both are missed in 5 and 6 alone."""
    run = boxscore.evaluate(*video({"a": "fffm-mmf", "b": "fmfffmmm"}), protocol="operating-point")
    found = sequences(run)
    by_track = {one["track"]: one for one in found["objects"]}
    assert by_track["a"]["longest_missed"] == {"length": 3, "group": "v", "first": 97, "last": 94}
    assert by_track["b"]["longest_missed"] == {"length": 3, "group": "v", "first": 95, "last": 93}
    assert (by_track["a"]["changes"], by_track["b"]["changes"]) == (2, 3)
    assert (by_track["a"]["images"], by_track["a"]["found"]) == (7, 4)
    (cup,) = found["labels"]
    assert cup["any_missed"] == {"length": 3, "group": "v", "first": 95, "last": 93}
    assert cup["none_found"] == {"length": 2, "group": "v", "first": 95, "last": 94}
    assert cup["flicker"] == pytest.approx(5 / 13)
    assert found["order"] == "field 'frame' of the images"


def test_file_names_order_as_people_count() -> None:
    truth, found = video({"a": "ffmmmmmmmmmf"})
    for image in truth["images"]:
        del image["frame"]
    named = sequences(boxscore.evaluate(truth, found, protocol="operating-point"))
    assert named["order"] == "file names"
    assert named["objects"][0]["longest_missed"]["length"] == 9


def test_without_ids_labels_remain() -> None:
    truth, found = video({"a": "fmmf"})
    for entry in truth["annotations"]:
        del entry["track_id"]
    without = sequences(boxscore.evaluate(truth, found, protocol="operating-point"))
    assert (without["track_by"], without["objects"]) == (None, [])
    assert without["labels"][0]["none_found"]["length"] == 2
    assert without["labels"][0]["flicker"] is None


def test_what_is_below_the_floor_is_missed() -> None:
    truth, found = video({"a": "ffff"})
    found[1]["score"] = found[2]["score"] = 0.1
    run = boxscore.evaluate(truth, found, protocol="operating-point")
    assert sequences(run)["objects"][0]["longest_missed"]["length"] == 2
    assert sequences(boxscore.evaluate(truth, found))["objects"][0]["longest_missed"]["length"] == 0


def test_what_is_lacking_is_said() -> None:
    truth, found = video({"a": "fm"})
    run = boxscore.evaluate(truth, found)
    with pytest.raises(InputError, match=r"no column 'object\.person'"):
        sequences(run, track_by="person")
    with pytest.raises(InputError, match="no column 'tick'"):
        sequences(run, order_by="tick")
    with pytest.raises(InputError, match="can't order the images: it is of objects"):
        sequences(run, order_by="track_id")
    for image in truth["images"]:
        del image["clip"]
    with pytest.raises(InputError, match="the data declare none"):
        sequences(boxscore.evaluate(truth, found))


@given(st.lists(st.booleans(), max_size=30))
def test_longest_runs(flags: list[bool]) -> None:
    text = "".join("x" if flag else "." for flag in flags)
    parts = [part for part in text.split(".") if part]
    one = longest(flags)
    assert one.length == max(map(len, parts), default=0)
    if one.first is not None and one.last is not None:
        assert all(flags[one.first : one.last + 1])
        assert one.last - one.first + 1 == one.length
        assert text.index("x" * one.length) == one.first
    assert changes(flags) == sum(text[i] != text[i + 1] for i in range(len(text) - 1))
