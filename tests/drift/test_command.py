"""`boxscore drift` as a user runs it: other scorers in their own processes, environments made without a network."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.drift.switches import switched
from tests.drift.made import VERSION, data, wheel
from tests.support import command

PYCOCOTOOLS = "2.0.11"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    truth, found = data()
    (tmp_path / "gt.json").write_text(json.dumps(truth))
    (tmp_path / "pred.json").write_text(json.dumps(found))
    return tmp_path / "gt.json", tmp_path / "pred.json"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def no_index(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """pip sees one wheel and no index; environments are kept in a folder of the test's."""
    monkeypatch.setenv("BOXSCORE_CACHE", str(cache))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel(cache / "wheels").parent))
    yield
    assert not list(cache.glob("scorers/.making-*")), "what was begun is still there"


def drift(*arguments: str | Path) -> dict[str, Any]:
    finished = command.boxscore("drift", *arguments, "--json")
    assert finished.status == 0, finished
    return finished.report


def refusal(finished: command.Finished) -> str:
    """The message, behind the line of progress."""
    progress, *rest = finished.errors.splitlines(keepends=True)
    assert progress.startswith("making an environment for "), finished
    return command.refusal(command.Finished(finished.status, finished.output, "".join(rest)))


def environment(cache: Path) -> Path:
    (found,) = cache.glob(f"scorers/hotcoco-{VERSION}-*")
    return found


def test_pycocotools_agrees(files: tuple[Path, Path]) -> None:
    report = drift(*files)
    (scorer,) = report["scorers"]
    assert (scorer["scorer"], scorer["version"]) == ("pycocotools", PYCOCOTOOLS)
    assert set(scorer["differences"].values()) == {0.0}
    assert scorer["figures"] == report["boxscore"]["figures"]
    assert scorer["explanation"]["agrees"]
    assert report["files"] == "the files as they are"


def test_pycocotools_on_a_real_set(data_folder: Path) -> None:
    folder = data_folder / "coco_val164"
    finished = command.boxscore(
        "drift",
        folder / "instances_val164.json",
        folder / "predictions" / "yolox_nano.json.gz",
        *("--with", f"pycocotools=={PYCOCOTOOLS}", "--tolerance", "0"),
    )
    assert finished.status == 0, finished
    assert f"pycocotools {PYCOCOTOOLS} (with numpy" in finished.output
    assert "all 12 figures within 1e-06 of boxscore's" in finished.output
    assert finished.output.endswith("all figures within the tolerance of 0\n")


def test_another_form_is_written_as_coco(files: tuple[Path, Path], tmp_path: Path) -> None:
    truth, found = files
    kept = [row for row in json.loads(found.read_text()) if row["category_id"] < 4]
    assert command.boxscore("convert", truth, tmp_path / "xml", "--to", "voc-xml").status == 0
    rows = "\n".join(
        f"{row['image_id']}.jpg,{('car', 'bus', 'van')[row['category_id'] - 1]},{row['score']},"
        + ",".join(map(str, row["bbox"]))
        for row in kept
    )
    (tmp_path / "pred.csv").write_text(f"file_name,label,score,x,y,w,h\n{rows}\n")
    report = drift(tmp_path / "xml", tmp_path / "pred.csv", "--with", "pycocotools")
    assert report["files"].startswith("both files written anew as COCO JSON")
    assert report["boxscore"]["figures"]["AP"] > 0.1
    assert set(report["scorers"][0]["differences"].values()) == {0.0}


def test_an_environment_is_made_once_and_its_difference_explained(
    files: tuple[Path, Path], cache: Path, tmp_path: Path
) -> None:
    crowd = switched(boxscore.evaluate(*files))[0]
    (tmp_path / "figures.json").write_text(
        json.dumps([-1.0 if value is None else value for value in crowd.figures.values()])
    )
    arguments = ("drift", *files, "--with", "hotcoco")
    first = command.boxscore(*arguments)
    assert first.status == 0, first
    assert f"making an environment for hotcoco {VERSION} in {cache / 'scorers'} …" in first.errors
    assert f"hotcoco {VERSION}, from {environment(cache)}" in first.output
    assert f"explained by crowd ({crowd.setting}), which alone brings boxscore to all 12 figures" in first.output

    again = command.boxscore(*arguments[:-1], f"hotcoco=={VERSION}.0", "--tolerance", "0.0001")
    assert "making an environment" not in again.errors
    assert again.status == 1
    plain = boxscore.evaluate(*files).value("AP")
    assert plain is not None
    assert crowd.figures["AP"] is not None
    difference = crowd.figures["AP"] - plain
    assert (
        f"beyond the tolerance of 0.0001: AP of hotcoco {VERSION} is {crowd.figures['AP']:.10g}, boxscore's "
        f"{plain:.10g}, difference {difference:.10g}" in again.output
    )


def test_what_none_explains_is_said(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "figures.json").write_text(json.dumps([0.123, *[-1.0] * 11]))
    report = drift(*files, "--with", "hotcoco")
    (scorer,) = report["scorers"]
    assert scorer["figures"]["AR"] is None
    assert scorer["differences"]["AR"] is None
    assert not scorer["explanation"]["agrees"]
    assert scorer["explanation"]["explains"] == scorer["explanation"]["explains_ap_alone"] == []


def test_a_missing_figure_is_beyond_any_tolerance(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "figures.json").write_text(json.dumps([0.123, *[-1.0] * 11]))
    finished = command.boxscore("drift", *files, "--with", "hotcoco", "--tolerance", "1")
    assert finished.status == 1
    assert f"AR of hotcoco {VERSION} is n/a, boxscore's 0." in finished.output
    assert "no switch alone brings boxscore to its figures within 1e-06" in finished.output


def test_another_version_than_the_one_asked_for_is_refused(
    files: tuple[Path, Path], cache: Path, tmp_path: Path
) -> None:
    (tmp_path / "figures.json").write_text(json.dumps([0.5] * 12))
    drift(*files, "--with", f"hotcoco=={VERSION}")
    place = environment(cache)
    other = place.with_name(place.name.replace(VERSION, "9.9.8"))
    shutil.copytree(place, other, symlinks=True)
    try:
        finished = command.boxscore("drift", *files, "--with", "hotcoco==9.9.8")
    finally:
        shutil.rmtree(other)
    message = command.refusal(finished)
    assert "hotcoco 9.9.8 was asked for" in message
    assert f"imports hotcoco {VERSION} from {other}" in message


def test_versions_that_are_not_there(files: tuple[Path, Path]) -> None:
    message = refusal(command.boxscore("drift", *files, "--with", "hotcoco==1.2.3"))
    assert f"pip finds no such version for this Python and platform; the last of 1 are {VERSION}" in message


def test_without_an_index(files: tuple[Path, Path]) -> None:
    message = refusal(command.boxscore("drift", *files, "--with", "supervision==0.27.0.post1"))
    assert "supervision==0.27.0.post1: pip finds no release of it at all: check that the network is there" in message


def test_what_a_scorer_stops_on_is_told_and_the_others_go_on(files: tuple[Path, Path], tmp_path: Path) -> None:
    truth, found = files
    (tmp_path / "figures.json").write_text(json.dumps([0.5] * 12))
    content = json.loads(truth.read_text())
    for row in content["annotations"]:
        del row["iscrowd"]
    truth.write_text(json.dumps(content))
    finished = command.boxscore("drift", truth, found, "--with", "hotcoco", "--with", "pycocotools")
    assert finished.status == 2
    assert f"hotcoco {VERSION}: " in finished.output
    assert f"error: pycocotools {PYCOCOTOOLS} stops on these files: KeyError: 'iscrowd' (cocoeval.py" in finished.errors


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--with", "supervison"), "did you mean supervision?"),
        (("--tolerance", "nan"), "tolerance is nan; it must be a number from 0 on"),
        (("--tolerance", "-1"), "tolerance is -1.0"),
    ],
)
def test_mistakes_are_told_before_anything_runs(files: tuple[Path, Path], options: tuple[str, str], told: str) -> None:
    assert told in command.refusal(command.boxscore("drift", *files, *options))


def test_a_cache_that_can_not_be_written(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BOXSCORE_CACHE", str(tmp_path / "file"))
    message = command.refusal(command.boxscore("drift", *files, "--with", "hotcoco==1.2.3"))
    assert "no environment can be made" in message
    assert "BOXSCORE_CACHE" in message
