"""Paths, sides and numbers that people mistake: each is told by what it is, with what to do."""

import json
from pathlib import Path

import pytest

import boxscore
from tests.audit import made
from tests.support import command

GROUND_TRUTH, RESULTS = made.pair()
AP = boxscore.evaluate(GROUND_TRUTH, RESULTS).summary["AP"]
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n"
XML = """<annotation><filename>a.jpg</filename><size><width>64</width><height>48</height></size><object><name>cat</name>
<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in (("gt", GROUND_TRUTH), ("dt", RESULTS)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.json").write_text(json.dumps(content))
    (tmp_path / "voc").mkdir()
    (tmp_path / "voc/a.xml").write_text(XML)
    return tmp_path


def refusal(folder: Path, *arguments: str) -> str:
    return command.refusal(command.evaluate(*arguments, cwd=folder))


def test_a_folder_with_one_file_stands_for_it(folder: Path) -> None:
    (folder / "dt/readme.md").write_text("what these are")
    assert command.evaluate("gt", "dt", cwd=folder).report["summary"]["AP"] == pytest.approx(AP)


def test_a_folder_with_several_asks_for_one(folder: Path) -> None:
    (folder / "dt/other.json").write_text(json.dumps(RESULTS))
    message = refusal(folder, "gt", "dt")
    assert "dt.json, other.json" in message
    assert "give one" in message


def test_an_empty_folder(folder: Path) -> None:
    (folder / "empty").mkdir()
    assert "empty is an empty folder; check the path of the predictions" in refusal(folder, "gt", "empty")


def test_a_folder_of_pointers(folder: Path) -> None:
    (folder / "lfs").mkdir()
    (folder / "lfs/a.txt").write_text(POINTER)
    assert "lfs/a.txt is a Git LFS pointer" in refusal(folder, "lfs", "dt")
    report = command.boxscore("audit", "lfs", "--json", cwd=folder).report
    assert [found["code"] for found in report["findings"]] == ["git-lfs-pointer"]


def test_ground_truth_in_the_place_of_predictions(folder: Path) -> None:
    assert "voc looks like ground truth (VOC XML" in refusal(folder, "gt", "voc")


def test_numbered_images_beside_file_names(folder: Path) -> None:
    rows = [row | {"category_id": 0} for row in RESULTS]
    (folder / "dt/dt.json").write_text(json.dumps(rows))
    message = refusal(folder, "voc", "dt")
    assert 'file names such as "a"' in message
    assert "COCO ground truth that they come from" in message


def test_results_that_bring_names_are_refused_for_what_they_hold(folder: Path) -> None:
    """Not as ground truth in the wrong place, which they look like by their sections."""
    content = GROUND_TRUTH | {"annotations": RESULTS}
    (folder / "dt/dt.json").write_text(json.dumps(content))
    assert "swapped" not in refusal(folder, "voc", "dt/dt.json")


@pytest.fixture
def sparse(folder: Path) -> Path:
    """Ids with gaps in the ground truth, classes from 0 without gaps in the results."""
    content = json.loads(json.dumps(GROUND_TRUTH))
    for row in content["categories"]:
        row["id"] = 10 * row["id"] + 2
    for row in content["annotations"]:
        row["category_id"] = 10 * row["category_id"] + 2
    (folder / "gt/gt.json").write_text(json.dumps(content))
    return folder


def test_classes_without_gaps_beside_ids_with_gaps(sparse: Path) -> None:
    assert "--pred-classes FILE" in refusal(sparse, "gt", "dt")
    fitted = command.evaluate("gt", "dt", "--assume", "fit", cwd=sparse)
    assert fitted.report["summary"]["AP"] == pytest.approx(AP)
    assert "category_id 0 is not among the categories of the ground truth; ids are taken as positions" in fitted.errors
    audited = command.boxscore("audit", "gt", "dt", "--json", cwd=sparse).report
    assert audited["findings"][0]["code"] == "labels-by-number"


@pytest.mark.parametrize("base", [0, 1])
def test_names_of_category_ids(sparse: Path, base: int) -> None:
    (sparse / "names.txt").write_text("\n".join(made.NAMES))
    rows = [row | {"category_id": row["category_id"] + base} for row in RESULTS]
    (sparse / "dt/dt.json").write_text(json.dumps(rows))
    options = ["--pred-classes", "names.txt", *(["--class-base", "1"] if base else [])]
    named = command.evaluate("gt", "dt", *options, cwd=sparse)
    assert named.report["summary"]["AP"] == pytest.approx(AP)
    assert "ids named by names.txt" in named.errors
    if base:
        assert "category_id 5 has no name in names.txt" in refusal(sparse, "gt", "dt", "--pred-classes", "names.txt")


def test_labels_of_a_guess_are_doubted_too(sparse: Path) -> None:
    """Positions are a first reading: where boxes say otherwise, they decide."""
    rows = made.renumbered(RESULTS, [1, 2, 3, 4, 0])
    (sparse / "dt/dt.json").write_text(json.dumps(rows))
    fitted = command.evaluate("gt", "dt", "--assume", "fit", cwd=sparse)
    assert fitted.report["summary"]["AP"] == pytest.approx(AP)
    assert "labels in another order" in fitted.errors
