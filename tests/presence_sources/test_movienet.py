"""A MovieNet film, worked by hand: 10 frames a second, shots [0, 9], [10, 29], [30, 39]; see `written`."""

from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.presence.movienet import read_movienet
from tests.presence_sources.written import SHOTS, body, movienet, told

ANN, BO = "imdb:nm0000158", "imdb:nm0000210"
CAST = [
    body(0, 1, "nm0000158"),
    body(0, 1, "nm0000210"),
    body(0, 1, "nm0000158"),
    body(1, 0, "nm0000158"),
    body(1, 2, "nm0000210", frame_idx=26, possible_pids=["nm0000210", "others"]),
    body(1, 2, "others"),
    body(2, 1, "others"),
]


def refused(folder: Path, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        read_movienet(folder, **{"fps": 10.0, **options})  # type: ignore[arg-type]
    return str(caught.value).removeprefix(str(folder) + "/")


def test_film(tmp_path: Path) -> None:
    """Shot 1 has two annotated key frames, at frames 14 and 26: the cut between them is at 20."""
    found = read_movienet(movienet(tmp_path, CAST), fps=10.0)
    assert told(found) == [(ANN, 0.0, 1.0, None), (ANN, 1.0, 2.0, None), (BO, 0.0, 1.0, None), (BO, 2.0, 3.0, None)]
    assert found.samples is not None
    assert found.samples.tolist() == [0.5, 1.4, 2.6, 3.5]
    assert found.annotated is not None
    assert found.annotated.start.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert found.annotated.end.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert found.annotated.names == ("shot_0000_img_1", "shot_0001_img_0", "shot_0001_img_2", "shot_0002_img_1")
    assert (found.source, found.duration, len(found.scenes)) == ("movienet", 4.0, 0)
    assert sorted(found.files) == ["movienet", "shots"]
    assert all(Path(path).is_relative_to(tmp_path) for path in found.files.values())
    assert [person.keys for person in found.people] == [{ANN}, {BO}]
    assert found.notes == (
        "annotated key frames: 4, in 3 of 3 shots",
        "bodies of others, nobody that is known: 2",
    )


def test_shots_without_bodies_are_not_annotated(tmp_path: Path) -> None:
    """Nothing says that nobody is there."""
    found = read_movienet(movienet(tmp_path, [body(1, 1, "nm0000158")]), fps=10.0)
    assert found.samples is not None
    assert found.samples.tolist() == [2.0]
    assert told(found) == [(ANN, 1.0, 3.0, None)]
    assert found.notes[0] == "annotated key frames: 1, in 1 of 3 shots"


def test_bodies_without_pid_annotate_nothing(tmp_path: Path) -> None:
    found = read_movienet(movienet(tmp_path, [body(0, 0, "nm0000158"), body(2, 0, None)]), fps=10.0)
    assert found.samples is not None
    assert found.samples.tolist() == [0.2]
    assert "bodies without a pid, which annotate nothing: 1" in found.notes


def test_frames_per_second_scale_time(tmp_path: Path) -> None:
    found = read_movienet(movienet(tmp_path, CAST), fps=23.976)
    assert found.samples is not None
    assert found.samples.tolist() == [frame / 23.976 for frame in (5, 14, 26, 35)]
    assert found.duration == 40 / 23.976


def test_key_frames_of_a_short_shot_may_be_one_frame(tmp_path: Path) -> None:
    """Images 0 and 1 are both frame 0: what is on them is seen at one moment."""
    cast = [body(0, 0, "nm0000158"), body(0, 1, "nm0000210"), body(1, 0, "nm0000158")]
    found = read_movienet(movienet(tmp_path, cast, shots="0 1 0 0 1\n2 9 3 4 5\n"), fps=10.0)
    assert found.samples is not None
    assert found.samples.tolist() == [0.0, 0.3]
    assert told(found) == [(ANN, 0.0, 0.2, None), (ANN, 0.2, 1.0, None), (BO, 0.0, 0.2, None)]


def scene(name: int, shots: list[int], frame: list[int] | None = None) -> dict[str, object]:
    return {"id": f"tt1210166_{name:04d}", "shot": shots, "frame": frame, "place_tag": None, "action_tag": None}


@pytest.mark.parametrize(
    ("scenes", "words"),
    [
        (
            [scene(0, [0, 1]), scene(1, [1, 3])],
            "their second shot is the next one's first, as 1 that follow one another show",
        ),
        ([scene(0, [0, 0]), scene(1, [1, 2])], "their second shot is their last, since some have one shot alone"),
        ([scene(0, [0, 1], [0, 10]), scene(1, [1, 3])], "their second shot is the next one's first, as 1 that"),
    ],
)
def test_scenes(tmp_path: Path, scenes: list[object], words: str) -> None:
    found = read_movienet(movienet(tmp_path, CAST, scene=scenes), fps=10.0)
    assert found.scenes.names == ("tt1210166_0000", "tt1210166_0001")
    assert found.scenes.start.tolist() == [0.0, 1.0]
    assert found.scenes.end.tolist() == [1.0, 4.0]
    assert [scene for *_, scene in told(found)] == [
        "tt1210166_0000", "tt1210166_0001", "tt1210166_0000", "tt1210166_0001"
    ]  # fmt: skip
    assert any(note.startswith(f"scenes: {words}") for note in found.notes)


@pytest.mark.parametrize(
    ("scenes", "end", "words"),
    [
        ([scene(0, [0, 1], [0, 29])], 3.0, "their second shot is their last, as their frames show"),
        ([scene(0, [0, 1], [0, 30])], 3.0, "their second shot is their last, as their frames show"),
        ([scene(0, [0, 1], [0, 10])], 1.0, "their second shot is the next scene’s first, as their frames show"),
        ([scene(0, [0, 1])], 3.0, "their second shot is taken to be their last: nothing in the file shows otherwise"),
        ([scene(0, [0, 3])], 4.0, "their second shot is the next one's first, since the film has no such shot"),
        ([scene(0, [0, 1]), scene(2, [2, 2])], 3.0, "their second shot is their last, since some have one shot alone"),
    ],
)
def test_where_a_scene_ends(tmp_path: Path, scenes: list[object], end: float, words: str) -> None:
    found = read_movienet(movienet(tmp_path, CAST, scene=scenes), fps=10.0)
    assert found.scenes.end.tolist()[0] == end
    assert f"scenes: {words}" in found.notes


def test_scenes_of_another_cut_are_told(tmp_path: Path) -> None:
    found = read_movienet(
        movienet(tmp_path, CAST, scene=[scene(0, [0, 1], [0, 10]), scene(1, [1, 3], [12, 40])]), fps=10.0
    )
    assert "scenes that start at another frame than their first shot in tt1210166.txt: 1" in found.notes


MISTAKES: list[tuple[dict[str, object], str]] = [
    ({"cast": []}, "annotation/tt1210166.json: cast is []; without bodies and their pids there is nothing to score"),
    ({"cast": None}, "annotation/tt1210166.json: cast is None"),
    ({"cast": [7]}, "annotation/tt1210166.json cast[0] is 7; it must be an object with shot_idx, img_idx and pid"),
    ({"cast": [body(0, 1, "others")]}, "annotation/tt1210166.json: no body in cast has a pid of anybody"),
    ({"cast": [body(0, 1, "Ann")]}, "annotation/tt1210166.json cast[0].pid is 'Ann'; it must be an IMDb id such as"),
    ({"cast": [body(0, 3, "nm158")]}, "annotation/tt1210166.json cast[0]: image 3 of shot 0 is not in tt1210166.txt"),
    ({"cast": [body(3, 0, "nm158")]}, "annotation/tt1210166.json cast[0]: shot 3 is not in tt1210166.txt, which"),
    ({"cast": [body(0, 0, "nm1") | {"shot_idx": "0"}]}, "annotation/tt1210166.json cast[0].shot_idx is '0'; it must"),
    (
        {"cast": [body(0, 0, "nm1", frame_idx=12)]},
        "annotation/tt1210166.json cast[0].frame_idx is 12, but shot 0 of tt1210166.txt has frames 0 to 9; is it",
    ),
    ({"cast": CAST, "scene": {}}, "annotation/tt1210166.json: scene is {}; it must be a list of scenes, or null"),
    ({"cast": CAST, "scene": [{"shot": [0]}]}, "annotation/tt1210166.json scene[0].shot is [0]; it must be two shots"),
    ({"cast": CAST, "scene": [scene(0, [0, 9])]}, "annotation/tt1210166.json: scene tt1210166_0000 has the shots [0,"),
    (
        {"cast": CAST, "scene": [scene(0, [0, 2]), scene(1, [1, 1])]},
        "annotation/tt1210166.json: scene tt1210166_0001 starts before scene tt1210166_0000 ends",
    ),
    ({"cast": CAST, "shots": None}, "tt1210166.txt"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "message"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes(tmp_path: Path, given: dict[str, object], message: str) -> None:
    assert message in refused(movienet(tmp_path, **given))  # type: ignore[arg-type]


def test_a_frame_that_is_another_of_its_shot_is_told(tmp_path: Path) -> None:
    found = read_movienet(movienet(tmp_path, [body(0, 0, "nm1", frame_idx=3)]), fps=10.0)
    assert "bodies whose frame_idx is not that of tt1210166.txt, which is followed: 1" in found.notes
    assert found.samples is not None
    assert found.samples.tolist() == [0.2]


def test_which_film(tmp_path: Path) -> None:
    folder = movienet(movienet(tmp_path, CAST), CAST, title="tt0000009")
    assert "annotations of several films (tt0000009, tt1210166); say which: --title" in refused(folder)
    assert read_movienet(folder, fps=10.0, title="tt0000009").path == "tt0000009.json"
    assert "has no annotation tt7.json; it has tt0000009, tt1210166" in refused(folder, title="tt7")
    (folder / "annotation" / "tt0000009.json").write_text('{"imdb_id": "tt1210166", "cast": []}')
    assert "imdb_id is 'tt1210166', not 'tt0000009' as asked for" in refused(folder, title="tt0000009")


def test_the_annotation_itself_finds_its_shots_beside_it(tmp_path: Path) -> None:
    folder = movienet(tmp_path, CAST)
    assert told(read_movienet(folder / "annotation" / "tt1210166.json", fps=10.0)) == told(
        read_movienet(folder, fps=10.0)
    )
    (folder / "shot" / "tt1210166.txt").unlink()
    assert "has no shot file tt1210166.txt" in refused(folder / "annotation" / "tt1210166.json")


def test_shots_elsewhere_and_wrong_folders(tmp_path: Path) -> None:
    elsewhere = tmp_path / "shots.txt"
    elsewhere.write_text(SHOTS)
    folder = movienet(tmp_path / "film", CAST, shots=None)
    assert "has no shot file tt1210166.txt (nor in shot or shots); without it no frame has a time" in refused(folder)
    assert read_movienet(folder, fps=10.0, shots=elsewhere).duration == 4.0
    assert "there is no such folder" in refused(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    assert "has no annotation (TITLE.json" in refused(tmp_path / "empty")


@pytest.mark.parametrize("fps", [0.0, -25.0, float("nan"), float("inf")])
def test_wrong_frames_per_second(tmp_path: Path, fps: float) -> None:
    assert (
        refused(movienet(tmp_path, CAST), fps=fps) == f"fps is {fps}; give the film's frames per second, such as 23.976"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 9 2 5 8\n10 29\n", "line 2 is '10 29'; a shot is `start end key key key`, frame numbers"),
        ("start end k1 k2 k3\n", "line 1: 'start' is no frame number"),
        ("0 9 2 5 8.0\n", "line 1: '8.0' is no frame number"),
        ("9 0 2 5 8\n", "line 1: the end 0 is before the start 9; mend the line"),
        (
            "0 10 2 5 8\n10 29 14 20 26\n",
            "line 2: the shot starts at frame 10, and the one before ends at 10, inclusive",
        ),
        ("0 9 2 5 18\n", "line 1: key frame 18 lies outside the shot, frames 0 to 9; mend the line"),
        ("0 9 5 2 8\n", "line 1: key frames [5, 2, 8] do not ascend; image 0 is the first of them"),
        ("\n", "has no shots; a line a shot is expected"),
    ],
)
def test_wrong_shot_files(tmp_path: Path, text: str, message: str) -> None:
    assert message in refused(movienet(tmp_path, CAST, shots=text))
