"""`boxscore scenes generate` as a user runs it, with the real renderer."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.scenes_generating.made import contents, manifest_of, truth_of
from tests.scenes_generating.test_continuing import wait_for
from tests.support import needs
from tests.support.command import boxscore, refusal

GENERATE = ("scenes", "generate")
FEW = ("--count", "8", "--seed", "3", "--width", "160", "--height", "120")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "set"
    done = boxscore(*GENERATE, *FEW, "--out", folder, "--processes", "2")
    assert done.status == 0, done.errors
    assert done.errors == ""
    return folder


@needs.rendering
def test_what_it_says(whole: Path, snapshot: SnapshotAssertion) -> None:
    again = boxscore(*GENERATE, *FEW, "--out", whole.name, cwd=whole.parent)
    assert again.status == 0, again.errors
    assert again.errors == ""
    assert again.output == snapshot


@needs.rendering
def test_the_same_as_json(whole: Path) -> None:
    report = boxscore(*GENERATE, *FEW, "--out", whole, "--json").report
    truth = truth_of(whole)
    assert (report["count"], report["scenes"], report["made"]) == (8, 8, 0)
    assert sum(row["scenes"] for row in report["profiles"].values()) == 8
    assert sum(row["visible"] + row["ignored"] for row in report["profiles"].values()) == len(truth["annotations"])
    assert Path(report["ground_truth"]).is_file()


@needs.rendering
def test_killed_with_all_its_processes_and_continued(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    command = [sys.executable, "-m", "boxscore", *GENERATE, *FEW, "--out", str(folder), "--processes", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        wait_for(lambda: list(folder.glob(".unfinished/scene_*.json")))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert not (folder / "manifest.json").exists()
    done = boxscore(*GENERATE, *FEW, "--out", folder, "--processes", "1")
    assert done.status == 0, done.errors
    assert "were there" in done.output
    assert contents(folder) == contents(whole)


@needs.rendering
@pytest.mark.parametrize("early", [True, False])
def test_interrupted_it_ends_at_once_without_a_word(tmp_path: Path, early: bool) -> None:
    folder = tmp_path / "set"
    command = [sys.executable, "-m", "boxscore", *GENERATE, "--count", "60", "--out", str(folder), "--processes", "2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        wait_for(lambda: list(folder.glob(".unfinished/begun.json" if early else ".unfinished/scene_*.json")))
        # As Ctrl-C on a terminal: every process of the group gets it.
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert (process.returncode, output, errors) == (130, "", "")


@needs.rendering
def test_one_scene_alone(whole: Path, tmp_path: Path) -> None:
    done = boxscore(*GENERATE, *FEW, "--out", "alone", "--only", "5", cwd=tmp_path)
    assert done.status == 0, done.errors
    assert "alone: 1 scene of 8" in done.output
    name = "images/scene_0005.png"
    assert contents(tmp_path / "alone")[name] == contents(whole)[name]


@needs.rendering
def test_the_next_commands_work(whole: Path, tmp_path: Path) -> None:
    done = boxscore(*GENERATE, *FEW, "--out", whole)
    (command,) = (line for line in done.output.splitlines() if line.startswith("  boxscore eval"))
    rows = [
        {"image_id": row["image_id"], "category_id": row["category_id"], "bbox": row["bbox"], "score": 0.9}
        for row in truth_of(whole)["annotations"]
        if not row["ignore"]
    ]
    (tmp_path / "perfect.json").write_text(json.dumps(rows))
    _, *arguments = shlex.split(command.replace("detections.parquet", "perfect.json"))
    evaluated = boxscore(*arguments, cwd=tmp_path)
    assert evaluated.status == 0, evaluated.errors
    assert "profile=baseline" in evaluated.output
    assert "tier=hard" in evaluated.output
    # Each profile, bin and tier that is there is found whole.
    sliced = ("--slice-by", "profile", "--slice-by", "ambient_light:0,.25,.7,inf", "--ignore-flag", "honour")
    report = boxscore("eval", whole / "ground_truth.json", "perfect.json", *sliced, "--json", cwd=tmp_path).report
    found = {row["slice"]: row["value"] for row in report["metrics"] if row["measure"] == "AR" and row["label"] is None}
    assert set(found.values()) == {1.0}
    assert {"ambient_light=(0,0.25]", "ambient_light=(0.25,0.7]", "ambient_light=(0.7,inf]"} & set(found)


@needs.rendering
def test_weights_of_triage_are_followed(tmp_path: Path) -> None:
    (tmp_path / "next.yaml").write_text(
        "format: boxscore-sampling\nversion: 1\ndefault: 0.0\nlabels: {}\nconditions:\n"
        "- {name: dark, where: {profile: {is: dark}}, weight: 2.0}\n"
        "- {name: few seen, where: {num_visible: {at_most: 1}}, weight: 2.0}\n"
    )
    done = boxscore(*GENERATE, *FEW, "--out", "s", "--weights", "next.yaml", "--only", "0,7", cwd=tmp_path)
    assert done.status == 0, done.errors
    assert "note: condition 'few seen' is not followed" in done.errors
    assert manifest_of(tmp_path / "s")["made_with"]["profiles"] == {"dark": 8}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--count", "0"], "--count is 0"),
        (["--seed", "-1"], "--seed is -1:"),
        (["--profiles", "foggy"], "profile 'foggy' is not known"),
        (["--randomise", "fog"], "randomise 'fog' is not known"),
        (["--boxes", "drawn"], "--boxes is 'drawn'"),
        (["--only", "8"], "there is no scene 8"),
        (["--processes", "0"], "--processes 0: give 1 or more"),
        (["--weights", "nowhere.yaml"], "nowhere.yaml can't be read"),
        (["--min-visibility", "2"], "--min-visibility is 2.0: give a number from 0 to 1"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(tmp_path: Path, options: list[str], said: str) -> None:
    message = refusal(boxscore(*GENERATE, *FEW, *options, "--out", "set", cwd=tmp_path))
    assert said in message
    assert list(tmp_path.iterdir()) == []


@needs.rendering
def test_another_seed_is_refused(whole: Path) -> None:
    before = contents(whole)
    message = refusal(boxscore(*GENERATE, *FEW, "--seed", "4", "--out", whole))
    assert "seed there 3, now 4" in message
    assert contents(whole) == before


def test_without_pybullet_it_says_how_to_get_it(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pybullet'] = None\n"
        "from boxscore.cli import main\n"
        f"sys.exit(main({[*GENERATE, *FEW, '--out', str(tmp_path / 'set')]!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "pip install 'boxscore[scenes]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
