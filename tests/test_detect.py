"""The form of files is found from the files, told in one line, and can be overruled; COCO's JSON stays as fast."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.io import detect
from boxscore.io.forms import FORMS, forms_with
from tests.audit import made
from tests.support import command

GROUND_TRUTH, RESULTS = made.pair()
AP = boxscore.evaluate(GROUND_TRUTH, RESULTS).summary["AP"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same data as COCO's JSON and as text folders."""
    (tmp_path / "gt.json").write_text(json.dumps(GROUND_TRUTH))
    (tmp_path / "dt.json").write_text(json.dumps(RESULTS))
    write_text(tmp_path / "gt", GROUND_TRUTH["annotations"])
    write_text(tmp_path / "dt", RESULTS)
    return tmp_path


def write_text(folder: Path, rows: list[dict[str, Any]]) -> None:
    folder.mkdir()
    lines: dict[int, list[str]] = {}
    for row in rows:
        score = [row["score"]] if "score" in row else []
        line = " ".join(map(str, [made.NAMES[row["category_id"]], *score, *row["bbox"]]))
        lines.setdefault(row["image_id"], []).append(line)
    for image, found in lines.items():
        (folder / f"{image}.txt").write_text("\n".join(found) + "\n")


def read_as(finished: command.Finished) -> list[str]:
    return [note["message"] for note in finished.report["notes"] if note["code"] == "read-as"]


def test_folders_are_recognised_and_told_with_options(folder: Path) -> None:
    done = command.evaluate("gt", "dt", cwd=folder)
    assert done.report["summary"]["AP"] == pytest.approx(AP)
    told = read_as(done)
    assert len(told) == 2
    assert all("text" in message and "override" in message for message in told)
    assert "--gt-boxes" in told[0]
    assert "--gt-coords" in told[0]
    assert "--boxes" in told[1]
    assert "--gt-" not in told[1]
    assert all(f"note: {message}" in done.errors for message in told)


def test_both_sides_may_have_different_forms(folder: Path) -> None:
    """Text ids of a folder's files meet the numbers of COCO's images only through the readers' own rules."""
    done = command.evaluate("gt.json", "dt", cwd=folder)
    assert done.report["summary"]["AP"] == pytest.approx(AP)


def test_coco_json_says_nothing(folder: Path) -> None:
    assert read_as(command.evaluate("gt.json", "dt.json", cwd=folder)) == []


def test_a_form_can_be_named(folder: Path) -> None:
    named = command.evaluate("gt", "dt", "--gt-format", "text", "--pred-format", "text", cwd=folder)
    assert named.report["summary"]["AP"] == pytest.approx(AP)
    message = command.refusal(command.evaluate("gt", "dt", "--gt-format", "none", cwd=folder))
    assert all(name in message for name in FORMS)
    wrong = command.refusal(command.evaluate("gt", "dt", "--gt-format", "voc-results", cwd=folder))
    assert "holds no ground truth" in wrong


def test_assumptions_can_be_overruled(folder: Path) -> None:
    write_text(folder / "corners", made.as_corners(RESULTS))
    stated = command.evaluate("gt.json", "corners", cwd=folder)
    asked = command.evaluate("gt.json", "corners", "--boxes", "xyxy", cwd=folder)
    fitted = command.evaluate("gt.json", "corners", "--assume", "fit", cwd=folder)
    assert stated.report["summary"]["AP"] != pytest.approx(AP)
    assert asked.report["summary"]["AP"] == pytest.approx(AP)
    assert fitted.report["summary"]["AP"] == pytest.approx(AP)


def test_python_has_the_same(folder: Path) -> None:
    options = boxscore.FormOptions(boxes="xyxy")
    write_text(folder / "corners", made.as_corners(RESULTS))
    run = boxscore.evaluate(folder / "gt", folder / "corners", pred_options=options, gt_format="text")
    assert run.summary["AP"] == pytest.approx(AP)
    dataset = boxscore.read_ground_truth(folder / "gt")
    predictions = boxscore.read_predictions(folder / "corners", dataset, format="text", options=options)
    assert boxscore.evaluate(dataset, predictions).summary["AP"] == pytest.approx(AP)


def test_a_folder_of_nothing_known_lists_the_forms(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.pdf").write_bytes(b"%PDF")
    with pytest.raises(InputError, match="--gt-format") as refused:
        boxscore.read_ground_truth(tmp_path / "empty")
    assert all(name in str(refused.value) for name in forms_with("read_ground_truth"))


def test_the_first_refusal_of_json_stands(folder: Path) -> None:
    """Results of an unknown image: other forms look like them, and none makes sense of them either."""
    (folder / "dt.json").write_text(json.dumps([RESULTS[0] | {"image_id": 99}]))
    assert "image_id 99 is not in gt.json" in command.refusal(command.evaluate("gt.json", "dt.json", cwd=folder))


@pytest.mark.parametrize("option", [["--class-base", "1"], ["--score", "last"]])
def test_options_that_coco_has_no_use_for_are_refused(folder: Path, option: list[str]) -> None:
    message = command.refusal(command.evaluate("gt.json", "dt.json", *option, cwd=folder))
    assert f"{option[0]} says nothing" in message


@pytest.mark.parametrize("size", ["640", "640,0", "a,b", "1,2,3"])
def test_wrong_sizes(folder: Path, size: str) -> None:
    assert "--img-size" in command.refusal(command.evaluate("gt", "dt", "--img-size", size, cwd=folder))


def test_nothing_is_recognised_of_what_is_not_there(tmp_path: Path) -> None:
    assert list(detect.recognised(tmp_path / "none", "read_ground_truth")) == []
    assert list(detect.recognised({}, "read_ground_truth")) == []


def test_coco_json_imports_no_other_form(folder: Path) -> None:
    code = (
        "import sys; from boxscore.cli import main; main(['eval', 'gt.json', 'dt.json', '--json'])\n"
        "sys.stderr.write(' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True)
    loaded = set(done.stderr.split())
    assert not {f"boxscore.io.{module}" for module in FORMS.values()} & loaded
    assert not {"boxscore.io.forms", "boxscore.io.box_readings", "boxscore.audit.readings", "numpy", "yaml"} & loaded


def test_corners_of_coco_json_are_the_kernels_affair(folder: Path) -> None:
    """No table is made anew for them: the option is as fast as without it."""
    (folder / "corners.json").write_text(json.dumps(made.as_corners(RESULTS)))
    code = (
        "import sys; from boxscore.cli import main\n"
        "main(['eval', 'gt.json', 'corners.json', '--json', '--boxes', 'xyxy'])\n"
        "sys.stderr.write(' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True)
    assert json.loads(done.stdout)["summary"]["AP"] == pytest.approx(AP)
    assert "numpy" not in done.stderr.split()
    run = boxscore.evaluate(GROUND_TRUTH, made.as_corners(RESULTS), pred_options=boxscore.FormOptions(boxes="xyxy"))
    assert run.summary["AP"] == pytest.approx(AP)
