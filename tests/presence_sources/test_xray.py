"""X-Ray titles, worked by hand, with the traps of their files.

The title of `written.py`, in milliseconds (`people_in_scenes.csv` says 1, 2, 3; `scenes.csv` 7, 3, 9 for the same):

    scene 7       0 .. 60000    Ann Lee from 0, Bo Ray from 45000
    scene 3   60000 .. 90000    nobody
    scene 9   90000 .. 120000   Ann Lee from 95500
"""

from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.presence.timeline import seconds_present
from boxscore.presence.xray import read_xray
from tests.presence_sources.written import PEOPLE, PRESENT, SCENES, told, xray

ANN, BO = "imdb:nm0000158", "imdb:nm0000210"


def refused(folder: Path, presence: str = "scene") -> str:
    with pytest.raises(InputError) as caught:
        read_xray(folder, presence)
    return str(caught.value).removeprefix(str(folder) + "/")


def test_presence_is_the_whole_scene(tmp_path: Path) -> None:
    found = read_xray(xray(tmp_path / "0_A_Film"))
    assert told(found) == [(ANN, 0.0, 60.0, "7"), (ANN, 90.0, 120.0, "9"), (BO, 0.0, 60.0, "7")]
    assert found.scenes.names == ("7", "3", "9")
    assert found.scenes.start.tolist() == [0.0, 60.0, 90.0]
    assert found.scenes.end.tolist() == [60.0, 90.0, 120.0]
    assert (found.source, found.duration, found.samples, found.path) == ("xray", 120.0, None, "0_A_Film")
    assert found.notes == ("scenes with nobody in them, scored as such: 1 of 3",)
    assert [int(one) for one in seconds_present(found)] == [90, 60, 0]


def test_presence_is_from_the_timestamp_on(tmp_path: Path) -> None:
    found = read_xray(xray(tmp_path), "timestamp")
    assert told(found) == [(ANN, 0.0, 60.0, "7"), (ANN, 95.5, 120.0, "9"), (BO, 45.0, 60.0, "7")]


def test_people_have_id_name_and_character(tmp_path: Path) -> None:
    ann, bo, cy = read_xray(xray(tmp_path)).people
    assert ann.keys == {"imdb:nm0000158", "name:ann lee"}
    assert (ann.name, ann.extra) == ("Ann Lee", {"character": "Mae"})
    assert (bo.name, bo.extra) == ("Bo Ray", {})
    assert cy.name == "Cy Dow", "who is in no scene is a person all the same"


def test_the_older_export_reads_alike(tmp_path: Path) -> None:
    people = PEOPLE.replace("name_id", "id").replace("\nnm", "\n/name/nm") + "/name/xyz,A Band,Themselves\n"
    scenes = (
        SCENES.replace("\n7", "\n/xray/scene/7").replace("\n3", "\n/xray/scene/3").replace("\n9", "\n/xray/scene/9")
    )
    present = PRESENT.replace("name_id", "person_id").replace(",nm", ",/name/nm").replace("\n1,", "\n/xray/scene/1,")
    old, new = read_xray(xray(tmp_path / "old", people, scenes, present)), read_xray(xray(tmp_path / "new"))
    assert told(old) == told(new)
    assert old.people == new.people
    assert old.scenes.names == new.scenes.names
    assert "rows of people.csv without an IMDb id, left out: 1" in old.notes


def test_columns_of_people_are_missing_when_every_scene_is_empty(tmp_path: Path) -> None:
    found = read_xray(xray(tmp_path, present="scene,start,end\n1,0,60000\n2,60000,90000\n3,90000,120000\n"))
    assert len(found.windows) == 0
    assert len(found.scenes) == 3
    assert found.notes == ("scenes with nobody in them, scored as such: 3 of 3",)


def test_scenes_that_the_people_lack_are_empty(tmp_path: Path) -> None:
    found = read_xray(xray(tmp_path, present=PRESENT.replace("2,60000,90000,,\n", "")))
    assert len(found.scenes) == 3
    assert "scenes of scenes.csv that people_in_scenes.csv lacks, taken as empty: 1 (3)" in found.notes


def test_a_scene_that_the_scenes_lack_is_refused_with_the_nearest(tmp_path: Path) -> None:
    folder = xray(tmp_path, present=PRESENT.replace("90000,120000", "90000,119000"))
    assert refused(folder) == (
        "people_in_scenes.csv line 5: no scene of scenes.csv goes from 90000 to 119000 ms (the nearest is scene 9, "
        "90000 to 120000 ms); scenes are joined by their times, so mend the file that is wrong, or take scenes.csv "
        "away to go by people_in_scenes.csv alone"
    )


@pytest.mark.parametrize("scenes", [None, "", "\n", '""\n', "scene,start,end\n"])
def test_without_scenes_those_of_the_people_are_taken(tmp_path: Path, scenes: str | None) -> None:
    found = read_xray(xray(tmp_path, scenes=scenes))
    assert told(found) == [(ANN, 0.0, 60.0, "1"), (ANN, 90.0, 120.0, "3"), (BO, 0.0, 60.0, "1")]
    assert "there is no scenes.csv: scenes are those of people_in_scenes.csv" in found.notes


@pytest.mark.parametrize("people", [None, "\n"])
def test_without_people_ids_stand_for_names(tmp_path: Path, people: str | None) -> None:
    found = read_xray(xray(tmp_path, people=people))
    assert [(person.name, sorted(person.keys)) for person in found.people] == [
        ("nm0000158", ["imdb:nm0000158"]),
        ("nm0000210", ["imdb:nm0000210"]),
    ]
    words = (
        "there is no people.csv: people go by their IMDb ids, without names"
        if people is None
        else "ids in scenes that people.csv lacks: 2 (nm0000158, nm0000210)"
    )
    assert words in found.notes


def test_somebody_carried_over_or_without_id(tmp_path: Path) -> None:
    """A row with a timestamp and no id is somebody whom nothing names; the scene is not thereby filled."""
    found = read_xray(xray(tmp_path, present=PRESENT.replace("2,60000,90000,,", "2,60000,90000,,61000")))
    assert "rows of people_in_scenes.csv of somebody without an IMDb id, left out: 1" in found.notes
    assert "scenes with nobody in them, scored as such: 1 of 3" in found.notes


def test_a_person_listed_twice_in_a_scene_is_there_from_the_earlier_timestamp(tmp_path: Path) -> None:
    found = read_xray(xray(tmp_path, present=PRESENT + "3,90000,120000,nm0000158,91000\n"), "timestamp")
    assert (ANN, 91.0, 120.0, "9") in told(found)
    assert len(found.windows) == 3
    assert "rows that repeat a person in a scene, of which the earliest timestamp counts: 1" in found.notes


def test_timestamps_that_are_missing_or_elsewhere(tmp_path: Path) -> None:
    present = PRESENT.replace(",45000", ",").replace(",95500", ",89000.0")
    found = read_xray(xray(tmp_path, present=present), "timestamp")
    assert told(found) == [(ANN, 0.0, 60.0, "7"), (ANN, 90.0, 120.0, "9"), (BO, 0.0, 60.0, "7")]
    assert "timestamps that are missing, the scene's start being taken: 1" in found.notes
    assert "timestamps outside their scene, its start being taken: 1" in found.notes
    assert len(read_xray(tmp_path).notes) == 1, "the whole scene needs no timestamps"


def test_two_roles_of_one_person_are_one_person(tmp_path: Path) -> None:
    found = read_xray(xray(tmp_path, people=PEOPLE + "nm0000158,Ann Lee,Mae's twin\n"))
    assert found.people[0].extra == {"character": "Mae, Mae's twin"}
    assert len(found.people) == 3


def test_scenes_given_twice_and_scenes_that_overlap_are_told(tmp_path: Path) -> None:
    found = read_xray(xray(tmp_path, scenes=SCENES + "4,60000,90000\n11,119000,125000\n"))
    assert found.scenes.names == ("7", "3", "9", "11")
    assert found.duration == 125.0
    assert "scenes with the times of another one, taken as one with it: 1" in found.notes
    assert "scenes that start before an earlier one ended, the people of both being there at once: 1" in found.notes


def test_scenes_within_a_longer_one_are_all_told(tmp_path: Path) -> None:
    found = read_xray(xray(tmp_path, scenes="scene,start,end\n1,0,120000\n2,0,60000\n3,60000,90000\n4,90000,120000\n"))
    assert "scenes that start before an earlier one ended, the people of both being there at once: 3" in found.notes


MISTAKES = [
    (
        SCENES.replace("60000,90000", "60000,50000"),
        PRESENT,
        "scenes.csv line 3: end 50000 ms is before start 60000 ms; mend the scene's times",
    ),
    (SCENES.replace("7,0,", "7,-5,"), PRESENT, "scenes.csv line 2: start is -5 ms; a film starts at 0"),
    (SCENES.replace("7,0,", "7,zero,"), PRESENT, "scenes.csv line 2: start is 'zero'; it must be a number"),
    (SCENES.replace("7,0,", "7,,"), PRESENT, "scenes.csv line 2: start is missing; give milliseconds"),
    (SCENES.replace("7,0,", "7,NaN,"), PRESENT, "scenes.csv line 2: start is nan; it must be a number of milliseconds"),
    (
        SCENES.replace("start", "begin"),
        PRESENT,
        "scenes.csv: there is no column start; its columns are scene, begin, end",
    ),
    (SCENES, PRESENT.replace("nm0000210", "Bo"), "people_in_scenes.csv line 3: name_id is 'Bo'; an IMDb id such as"),
    (SCENES, PRESENT.replace(",45000", ",inf"), "people_in_scenes.csv line 3: timestamp is inf; it must be a number"),
    (SCENES, "\n", "people_in_scenes.csv has no rows: X-Ray lists nobody by scene for this title"),
    (SCENES, None, "people_in_scenes.csv: there is no such file; --xray takes the folder of one title"),
]


@pytest.mark.parametrize(("scenes", "present", "message"), MISTAKES, ids=[message[:50] for *_, message in MISTAKES])
def test_mistakes(tmp_path: Path, scenes: str, present: str | None, message: str) -> None:
    assert refused(xray(tmp_path, scenes=scenes, present=present)).startswith(message)


def test_people_of_another_table(tmp_path: Path) -> None:
    assert refused(xray(tmp_path, people="who,name\n1,Ann\n")).startswith("people.csv: there is no column name_id")


def test_wrong_arguments(tmp_path: Path) -> None:
    assert refused(xray(tmp_path), "exit") == "presence is 'exit'; it must be scene or timestamp"
    assert refused(tmp_path / "none").endswith("none: there is no such folder; --xray takes the folder of one title")
