"""`boxscore compare --unpaired` as a user runs it: from folders, from files, and wrongly."""

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import boxscore
from boxscore.compare import compare_unpaired
from tests.compare import made
from tests.support import command, shared

FEW = ("--replicates", "200")


@pytest.fixture
def sides(tmp_path: Path) -> list[Path]:
    """Ground truth and predictions of two data sets, of which the second has one label more."""
    paths = []
    for name, images, skill, labels in (
        ("rendered", 20, 0.4, ("car", "van")),
        ("real", 30, 0.9, ("van", "car", "bus")),
    ):
        truth = made.ground_truth(images) | {"categories": [{"id": k, "name": label} for k, label in enumerate(labels)]}
        for kind, content in (("gt", truth), ("dt", made.predictions(images, skill, images))):
            paths.append(tmp_path / name / f"{kind}.json")
            paths[-1].parent.mkdir(exist_ok=True)
            paths[-1].write_text(json.dumps(content))
    return paths


def test_files_and_folders_and_python_say_the_same(sides: list[Path], tmp_path: Path) -> None:
    runs = {
        name: boxscore.evaluate(sides[2 * place], sides[2 * place + 1])
        for place, name in enumerate(("rendered", "real"))
    }
    for name, run in runs.items():
        run.save(tmp_path / "runs" / name)
    of_files = command.boxscore("compare", "--unpaired", *sides, *FEW, "--json")
    of_folders = command.boxscore("compare", "--unpaired", "runs/rendered", "runs/real", *FEW, "--json", cwd=tmp_path)
    assert (of_files.status, of_folders.status) == (0, 0), of_files.errors + of_folders.errors
    in_python = compare_unpaired(runs, resampling=boxscore.Resampling(replicates=200)).to_dict()
    for key in ("gaps", "sides", "labels", "left_out"):
        assert of_files.report[key] == of_folders.report[key] == in_python[key]
    assert of_files.report["left_out"] == {"bus": "rendered has no such label"}


def test_what_people_read(sides: list[Path], snapshot: SnapshotAssertion) -> None:
    done = command.boxscore("compare", "--unpaired", *sides, *FEW, "--measure", "AP", "--measure", "AP[area=large]")
    assert done.status == 0, done.errors
    assert done.output == snapshot


def test_every_measure_label_by_label(sides: list[Path]) -> None:
    asked = ("--measure", "AP", "--measure", "AR")
    tables = [command.boxscore("compare", "--unpaired", *sides, *FEW, *asked, *more) for more in ((), ("--per-label",))]
    assert [[line[:2] for line in done.output.splitlines()].count("AR") for done in tables] == [1, 2]


def test_names_and_floors_may_be_given(sides: list[Path]) -> None:
    options = ("--protocol", "operating-point", "--conf", "0.4", "--name", "new", "--name", "old", "--json")
    done = command.boxscore("compare", "--unpaired", *sides, *FEW, *options)
    assert [side["name"] for side in done.report["sides"]] == ["new", "old"]
    assert not {gap["measure"].split("@")[0] for gap in done.report["gaps"]} & {"TP", "FP", "FN"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["{0}", "{1}"], "takes two run folders, or ground truth and predictions of two data sets"),
        (["{0}", "{1}", "{2}"], "3 paths are given"),
        (["{0}", "{1}", "{2}", "{3}", "--pairs", "all"], "--pairs says which models are compared"),
        (["{0}", "{1}", "{2}", "missing.json"], "missing.json: there is no such file"),
        (["{0}", "{1}", "{2}", "{3}", "--measure", "FN@0.5"], "grows with the data set"),
        (["{0}", "{1}", "{2}", "{3}", "--name", "one"], "1 name is given for 2"),
        (["{0}", "{1}", "{2}", "{3}", "--labels", "bus"], "bus"),
    ],
)
def test_refusals(sides: list[Path], arguments: list[str], told: str) -> None:
    given = [argument.format(*sides) for argument in arguments]
    assert told in command.refusal(command.boxscore("compare", "--unpaired", *given))


def test_real_renders_against_real_photographs(tmp_path: Path) -> None:
    """The 20 foreign scenes without a detection, and YOLOX on photographs: 5 labels are shared."""
    data = shared.folder_or_skip("data")
    none = tmp_path / "none.json"
    none.write_text("[]")
    scenes, photographs = data / "perceptorguard/artifacts/ci_dataset", data / "coco_val164"
    done = command.boxscore(
        "compare", "--unpaired", scenes, none, photographs / "instances_val164.json",
        photographs / "predictions/yolox_nano.json.gz", *FEW, "--measure", "AP@0.5", "--json",
    )  # fmt: skip
    assert done.status == 0, done.errors
    assert done.report["labels"] == ["cup", "bottle", "bowl", "teddy bear", "sports ball"]
    gap = done.report["gaps"][0]
    assert gap["figures"][0]["point"] == 0.0
    assert gap["gap"] == -gap["figures"][1]["point"]
    assert gap["excludes_zero"]
