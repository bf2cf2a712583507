"""`boxscore demo --regression`: what it prints and writes, its commands by hand, and what it refuses."""

import json
import shlex
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from boxscore.cli import main
from boxscore.errors import InputError
from boxscore.planted.scenes import Scenes
from tests.support import needs
from tests.support.cards import write_card
from tests.support.command import Finished, boxscore, refusal

PLAIN = ("demo", "--regression", "--simulated")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main([*arguments])
    return status, capsys.readouterr().out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demonstration was run: its own folder within has a blank in its name."""
    return tmp_path_factory.mktemp("demonstrated")


@pytest.fixture(scope="module")
def demonstrated(folder: Path) -> Finished:
    """As in CI from a clean clone: with rendered scenes, where they can be rendered."""
    return boxscore("demo", "--regression", "--json", "--out", "two words", cwd=folder)


def test_it_tells_the_whole_story(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.chdir(tmp_path)
    status = main([*PLAIN])
    output, errors = capsys.readouterr()
    assert status == 0, output + errors
    assert errors == ""
    assert [path.name for path in tmp_path.iterdir()] == ["boxscore-regression"]
    assert output == snapshot


def test_json_says_the_same_and_its_commands_do_it_by_hand(
    folder: Path, demonstrated: Finished, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert demonstrated.status == 0, demonstrated.output + demonstrated.errors
    report = demonstrated.report
    assert report["ok"] is True
    assert report["unchanged"]["verdict"] == "pass"
    assert report["detector"]["simulated"] is True
    assert report["scenes"]["profiles"] == {
        "baseline": 6,
        "crowded": 3,
        "dark": 3,
        "far": 3,
        "occluded": 3,
        "steep": 2,
    }
    assert [one["fault"] for one in report["faults"]] == [
        "iou",
        "floor",
        "labels-swapped",
        "boxes-shifted",
        "pictures-lost",
        "dark-degraded",
    ]
    for command in report["commands"]:
        assert main(shlex.split(command)[1:]) == 0, command
    written = Path("two words/commands.txt").read_text()
    for one in report["faults"]:
        assert (one["ok"], one["verdict"], one["undone"], one["wrong"]) == (True, "fail", "pass", [])
        assert one["triage"]["kind"] == one["triage"]["expected"]
        evaluate, gate, triage = one["commands"]
        assert evaluate in written
        assert main(shlex.split(evaluate)[1:]) == 0
        capsys.readouterr()
        status, output = said(capsys, *shlex.split(gate)[1:], "--json")
        found = json.loads(output)
        failed = [check for check in found["checks"] if check["verdict"] == "fail"]
        assert (status, len(failed)) == (1, len(one["failed"]))
        assert [check for check in failed if check in one["named_by"]] == one["named_by"]
        assert one["named_by"]
        status, output = said(capsys, *shlex.split(triage)[1:], "--json")
        assert status == 0
        assert one["triage"]["row"] in json.loads(output)["modes"]


def test_one_fault_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--fault", "iou", "--iou", "0.95", "--fault", "iou", "--seed", "2")
    status, output = said(capsys, *PLAIN, *asked, "--out", str(tmp_path / "d"))
    assert status == 0, output
    assert "seed 2: 6 baseline" in output
    assert "matched at IoU 0.95 instead of" in output
    assert "1 of 1 fault caught" in output
    assert sorted(path.name for path in (tmp_path / "d" / "runs").iterdir()) == ["iou", "iou-undone", "unchanged"]


def test_a_threshold_at_which_all_is_found_shows_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, output = said(capsys, *PLAIN, "--fault", "iou", "--iou", "0.6", "--out", str(tmp_path / "d"))
    assert status == 1
    assert "fault iou: CAN'T BE SHOWN, as there is nothing to lose: what is found at IoU 0.5 is found at 0.6" in output
    assert "0 of 1 fault caught" in output


def test_a_fault_that_is_not_caught_ends_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that allow too much, or hold something else."""
    lax = "rules: [{measure: 'recall[conf=0.25]@0.5', slack: 0.6}]\n"
    monkeypatch.setattr("boxscore.planted.demonstration.RULES", lax)
    status, output = said(capsys, *PLAIN, "--fault", "floor", "--out", str(tmp_path / "d"))
    assert status == 1
    assert "\n  gate: PASS: 1 check" in output
    assert "NOT AS IT SHOULD BE: the gate passes, and the fault is not caught\n" in output
    monkeypatch.setattr("boxscore.planted.demonstration.RULES", lax.replace("[{", "[{measure: AP}, {"))
    status, output = said(capsys, *PLAIN, "--fault", "floor", "--out", str(tmp_path / "e"))
    assert status == 1
    assert "NOT AS IT SHOULD BE: no failed check names the fault; these should have failed: recall" in output
    assert "0 of 1 fault caught" in output


def test_without_pybullet_scenes_are_simulated_and_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise InputError("no PyBullet here")

    monkeypatch.setattr("boxscore.scenes.rendering.check_available", missing)
    status, output = said(capsys, "demo", "--regression", "--fault", "labels-swapped", "--out", str(tmp_path / "d"))
    assert status == 0
    assert "20 simulated, boxes without pictures (no PyBullet here), seed 0" in output
    assert not (tmp_path / "d" / "scenes" / "images").exists()


@needs.rendering
def test_rendered_scenes(folder: Path, demonstrated: Finished) -> None:
    assert demonstrated.report["scenes"]["rendered"] is True
    assert len(list((folder / "two words/scenes/images").iterdir())) == 20


@needs.rendering
@pytest.mark.usefixtures("demonstrated")
def test_a_card_looks_at_the_pictures(
    tmp_path: Path,
    data_folder: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = folder / "two words/scenes"
    truth = made / "ground_truth.json"
    scenes = Scenes(truth, json.loads(truth.read_text()), made / "images")
    monkeypatch.setattr("boxscore.planted.demonstration.make_scenes", lambda *_, **__: scenes)
    faults = [part for name in ("boxes-shifted", "pictures-lost", "dark-degraded") for part in ("--fault", name)]
    asked = ("demo", "--regression", "--json", "--card", str(card_of(data_folder, tmp_path)), *faults)
    status, output = said(capsys, *asked, "--out", str(tmp_path / "d"))
    report = json.loads(output)
    assert report["detector"]["simulated"] is False
    shifted, lost, dark = report["faults"]
    assert "80 down: the pad of a 416 x 416 letterbox" in shifted["planted"]
    assert (shifted["ok"], lost["ok"]) == (True, True)
    # A model of photographs finds little in renders: where it finds nothing in the dark, that is what must be said.
    assert dark["ok"] or "profile=dark is 0.0000 without the fault" in dark["reason"]
    assert status == (0 if dark["ok"] else 1)
    darkened = tmp_path / "d/faults/dark-degraded/degraded/pictures"
    assert sorted(path.name for path in darkened.iterdir()) == scenes.names_of("dark")


def card_of(data: Path, folder: Path) -> Path:
    """A card of one of the shared models."""
    models = data / "models_coco80"
    names = [name for name in (models / "coco_classes.txt").read_text().split("\n") if name]
    return write_card(folder, models / "yolox_nano.onnx", "yolox", 416, names)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*PLAIN, "--fault", "none"], "there is no such fault; choose from iou, floor,"),
        ([*PLAIN, "--images", "9"], "--images 9: the faults take 10 to 200 scenes"),
        ([*PLAIN, "--images", "201"], "10 to 200"),
        ([*PLAIN, "--iou", "0.5"], "--iou 0.5: give a threshold above 0.5"),
        ([*PLAIN, "--seed", "-1"], "--seed is -1"),
        ([*PLAIN, "--card", "none.yaml"], "none.yaml"),
        (["demo", "--fault", "iou"], "--fault is about planted regressions; add --regression"),
        (["demo", "--simulated"], "--simulated is about planted regressions"),
    ],
)
def test_mistakes(tmp_path: Path, arguments: list[str], words: str) -> None:
    assert words in refusal(boxscore(*arguments, cwd=tmp_path))
    assert not (tmp_path / "boxscore-regression").exists()


def test_a_card_without_pictures_is_refused(tmp_path: Path, data_folder: Path) -> None:
    told = refusal(boxscore(*PLAIN, "--card", card_of(data_folder, tmp_path), cwd=tmp_path))
    assert "a model card looks at pictures, and there are none: as asked" in told


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "gate.yaml").write_text("precious")
    told = refusal(boxscore(*PLAIN, "--out", "data", cwd=tmp_path))
    assert "data exists and was not written by this demonstration" in told
    assert (tmp_path / "data" / "gate.yaml").read_text() == "precious"
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["gate.yaml"]
