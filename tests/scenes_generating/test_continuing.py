"""The same bytes, whoever made them, in whatever order, and however often it was stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import InputError
from boxscore.scenes.rendering import Randomisation
from tests.scenes_generating import stand_in
from tests.scenes_generating.made import contents, make, manifest_of, small, truth_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return contents(make(tmp_path_factory.mktemp("whole") / "set").folder)


def test_the_same_twice(whole: dict[str, bytes], tmp_path: Path) -> None:
    assert contents(make(tmp_path / "again").folder) == whole
    assert contents(make(tmp_path / "other", small(seed=6)).folder) != whole


def test_processes_change_nothing(whole: dict[str, bytes], tmp_path: Path) -> None:
    assert contents(make(tmp_path / "set", processes=3).folder) == whole


@pytest.mark.parametrize(("processes", "each"), [(1, 5), (2, 2)])
def test_new_processes_in_between_change_nothing(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int, each: int
) -> None:
    monkeypatch.setattr("boxscore.scenes.generating.processes.SCENES_A_PROCESS", each)
    assert contents(make(tmp_path / "set", processes=processes).folder) == whole


@settings(max_examples=15, deadline=None)
@given(order=st.permutations(range(12)), cut=st.integers(1, 11), processes=st.just(1))
def test_scenes_made_alone_make_up_the_whole(
    whole: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory, order: list[int], cut: int, processes: int
) -> None:
    folder = tmp_path_factory.mktemp("parts") / "set"
    make(folder, only=order[:cut], processes=processes)
    make(folder, only=order[cut:], processes=processes)
    assert contents(folder) == whole


def test_a_scene_alone_is_as_in_the_whole(whole: dict[str, bytes], tmp_path: Path) -> None:
    alone = make(tmp_path / "set", only=[7])
    assert alone.made == 1
    found = contents(alone.folder)
    assert found["images/scene_0007.png"] == whole["images/scene_0007.png"]
    assert [name for name in found if name.startswith("images")] == ["images/scene_0007.png"]
    truth, all_ = truth_of(alone.folder), json.loads(whole["ground_truth.json"])
    assert truth["images"] == [row for row in all_["images"] if row["id"] == 7]
    assert truth["annotations"] == [row for row in all_["annotations"] if row["image_id"] == 7]
    assert [entry["scene"] for entry in manifest_of(alone.folder)["scenes"]] == [7]


SCRIPT = """
import sys
from pathlib import Path
from tests.scenes_generating import stand_in
from tests.scenes_generating.made import make, small

if __name__ == "__main__":
    make(Path(sys.argv[1]), small(), renderer=stand_in.slow, processes=int(sys.argv[2]))
"""


@pytest.mark.parametrize(("processes", "after"), [(1, 1), (1, 5), (2, 3)])
def test_killed_and_continued(whole: dict[str, bytes], tmp_path: Path, processes: int, after: int) -> None:
    folder, script = tmp_path / "set", tmp_path / "run.py"
    script.write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, script, folder, str(processes)], env={**os.environ, "PYTHONPATH": str(ROOT)}
    ) as process:
        wait_for(lambda: len(list(folder.glob(".unfinished/scene_*.json"))) >= after)
        process.send_signal(signal.SIGKILL)
        process.wait()
    there = len(list(folder.glob(".unfinished/scene_*.json")))
    assert after <= there < 12
    assert not (folder / "manifest.json").exists()
    wait_for(lambda: not others(folder))
    continued = make(folder)
    assert continued.made <= 12 - there
    assert contents(folder) == whole


def wait_for(holds: Any, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)


def others(folder: Path) -> bool:
    """Whether a process of a pool outlived the one that started it: it would still write here."""
    before = {path.name for path in folder.glob(".unfinished/*.json")}
    time.sleep(0.2)
    return before != {path.name for path in folder.glob(".unfinished/*.json")}


def test_killed_between_the_last_files(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "set"
    make(folder, only=range(6))
    make(folder)
    # As it is when the ground truth is written and the manifest still the one of six scenes.
    half = contents(make(tmp_path / "half", only=range(6)).folder)
    (folder / "manifest.json").write_bytes(half["manifest.json"])
    (folder / ".unfinished").mkdir()
    make(folder)
    assert contents(folder) == whole


def test_torn_files_are_made_again(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "set"
    unfinished = folder / ".unfinished"
    make(folder, only=[0])
    with pytest.raises(InputError):
        make(folder, processes=2, renderer=stand_in.dying)
    # As a power cut leaves them: a record that is cut off, a picture that is empty.
    records = sorted(unfinished.glob("scene_*.json"))
    if records:
        records[0].write_bytes(records[0].read_bytes()[:40])
    (folder / "images/scene_0002.png").write_bytes(b"")
    make(folder)
    assert contents(folder) == whole


def test_what_was_changed_or_lost_is_mended(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = make(tmp_path / "set").folder
    (folder / "images/scene_0003.png").write_bytes(b"changed")
    (folder / "images/scene_0004.png").unlink()
    (folder / "metadata.csv").write_text("changed")
    assert make(folder).made == 2
    assert contents(folder) == whole
    (folder / "ground_truth.json").write_text("{}")
    make(folder)
    assert contents(folder) == whole
    assert make(folder).made == 0


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"seed": 6}, "seed there 5, now 6"),
        ({"count": 13}, "count there 12, now 13"),
        ({"min_visibility": 0.5}, "min_visibility there 0.25, now 0.5"),
        ({"boxes": "projected"}, 'boxes there "mask", now "projected"'),
        ({"randomise": Randomisation(lights=True)}, 'randomise there "none", now "lights"'),
        ({"width": 100}, "width there 96, now 100"),
        ({"profiles": ("dark",)}, 'now {"dark": 12}'),
    ],
)
def test_a_folder_made_with_something_else_is_refused(
    tmp_path: Path, whole: dict[str, bytes], other: dict[str, Any], said: str
) -> None:
    folder = make(tmp_path / "set").folder
    with pytest.raises(InputError, match="made with something else") as refused:
        make(folder, small(**{"count": 12, **other}))
    assert said in str(refused.value)
    assert "give another --out" in str(refused.value)
    assert contents(folder) == whole


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(tmp_path / "set", only=[1]).folder
    monkeypatch.setattr("boxscore.scenes.rendering.version", lambda: "0")
    with pytest.raises(InputError, match=r'versions there {"generator": "[^"]+"}, now {"generator": "0"}'):
        make(folder)


def test_an_unfinished_set_of_something_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    with pytest.raises(InputError):
        make(folder, processes=2, renderer=stand_in.dying)
    with pytest.raises(InputError, match="seed there 5, now 9"):
        make(folder, small(seed=9))


@pytest.mark.parametrize("name", ["notes.txt", "ground_truth.json", "manifest.json"])
def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}")
    with pytest.raises(InputError, match="is not empty, and holds no set of scenes"):
        make(tmp_path)
    assert contents(tmp_path) == {name: b"{}"}


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "set").write_text("mine")
    with pytest.raises(InputError, match="is a file; give a folder"):
        make(tmp_path / "set")
    with pytest.raises(InputError, match="can't be made"):
        make(tmp_path / "set" / "below")


def test_a_process_that_dies_is_told_and_nothing_is_lost(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "set"
    with pytest.raises(InputError, match="the process that made scene 3 ended before its time") as told:
        make(folder, processes=2, renderer=stand_in.dying)
    assert "give the same command again" in str(told.value)
    make(folder)
    assert contents(folder) == whole


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    found: list[str] = []

    def other(*_: int) -> None:
        if not found:
            with pytest.raises(InputError) as refused:
                make(folder)
            found.append(str(refused.value))

    make(folder, told=other)
    assert "is being filled by another process" in found[0]


def test_progress_is_told(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    make(tmp_path / "set", only=[0, 1], told=lambda *at: seen.append(at))
    assert seen == [(0, 2), (1, 2), (2, 2)]
    seen.clear()
    make(tmp_path / "set", only=[1, 2], told=lambda *at: seen.append(at))
    assert seen == [(2, 3), (3, 3)]
