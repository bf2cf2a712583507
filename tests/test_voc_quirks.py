"""The legacy VOC tool's faults, which `boxscore voc` does not repeat. Named by the rows of docs/quirks.md."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import command
from tests.support.voc import Command, write

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "quirks.md"


@pytest.fixture
def voc(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def test_v01_any_blanks_separate(voc: Command, tmp_path: Path) -> None:
    truth = write(tmp_path / "gt", {"a": "car  0 0\t9 9 \r\n\r\n"})
    detected = write(tmp_path / "det", {"a": "\ufeffcar\t0.9  0 0 9  9"})
    assert voc.report(truth, detected)["mAP"] == 1.0


def test_v02_threshold_zero_asks_for_any_overlap(voc: Command, tmp_path: Path) -> None:
    """The first detection overlaps one pixel of the object, the second nothing at all."""
    truth = write(tmp_path / "gt", {"a": "car 0 0 9 9", "b": "car 0 0 9 9"})
    detected = write(tmp_path / "det", {"a": "car 0.9 9 9 90 90", "b": "car 0.8 10 10 9 9"})
    (car,) = voc.report(truth, detected, "--threshold", "0")["classes"]
    assert (car["total TP"], car["total FP"], car["AP"]) == (1, 1, 0.5)


def test_v03_classes_without_ground_truth(voc: Command, tmp_path: Path) -> None:
    truth = write(tmp_path / "gt", {"a": "car 0 0 9 9"})
    detected = write(tmp_path / "det", {"a": "car 0.9 0 0 9 9\nbus 0.8 0 0 9 9"})
    report = voc.report(truth, detected)
    assert (report["mAP"], report["ignored_classes"]) == (1.0, ["bus"])
    assert "no class has ground truth" in command.refusal(voc(write(tmp_path / "none", {"a": ""}), detected))


def test_v04_images_of_different_sizes(voc: Command, tmp_path: Path) -> None:
    truth = write(tmp_path / "gt", {"a": "car 0.5 0.5 0.5 0.5", "b": "car 0.5 0.5 0.5 0.5"})
    detected = write(tmp_path / "det", {"a": "car 0.9 25 25 50 50", "b": "car 0.9 50 50 100 100"})
    (tmp_path / "sizes.csv").write_text("name,width,height\na,100,100\nb,200,200\n")
    assert voc.report(truth, detected, "--gt-coords", "rel", "--images", tmp_path / "sizes.csv")["mAP"] == 1.0
    # With one size for both, as the legacy tool has it, one of the two is missed.
    assert voc.report(truth, detected, "--gt-coords", "rel", "--img-size", "100,100")["mAP"] == 0.5


def test_v05_nothing_is_deleted(voc: Command, tmp_path: Path) -> None:
    truth = write(tmp_path / "gt", {"a": "car 0 0 9 9"})
    results = write(tmp_path / "results", {"kept": "an older result"})
    finished = voc(truth, write(tmp_path / "det", {"a": "car 1 0 0 9 9"}), "--output-text", results / "new.txt")
    assert finished.status == 0
    assert sorted(path.name for path in results.iterdir()) == ["kept.txt", "new.txt"]


def test_v06_labels_with_blanks(voc: Command, tmp_path: Path) -> None:
    truth = write(tmp_path / "gt", {"a": "stop sign 0 0 9 9"})
    report = voc.report(truth, write(tmp_path / "det", {"a": "stop sign 0.9 0 0 9 9"}))
    assert (report["classes"][0]["class"], report["mAP"]) == ("stop sign", 1.0)


def test_v07_fields_too_many(voc: Command, tmp_path: Path) -> None:
    detected = write(tmp_path / "det", {"a": "car 0.9 0 0 9 9"})
    assert "line 1: 6 fields" in command.refusal(voc(detected, detected))


def test_v08_errors_have_a_status(voc: Command, tmp_path: Path) -> None:
    folder = write(tmp_path / "gt", {"a": "car 0 0 9 9"})
    finished = voc(folder, tmp_path / "absent")
    assert (finished.status, finished.output) == (2, "")
    assert finished.errors.startswith("error: ")


def test_v09_a_relative_box_beyond_its_image(voc: Command, tmp_path: Path) -> None:
    """Both centres lie at 1.5 widths; the legacy tool makes boxes that end before they start and never match."""
    truth = write(tmp_path / "gt", {"a": "car 1.5 0.5 0.25 0.5"})
    detected = write(tmp_path / "det", {"a": "car 0.9 1.5 0.5 0.25 0.5"})
    options = ["--gt-coords", "rel", "--det-coords", "rel", "--img-size", "100,100"]
    assert voc.report(truth, detected, *options)["mAP"] == 1.0


def test_v10_less_than_a_pixel_apart(voc: Command, tmp_path: Path) -> None:
    """0..9 and 9.5..18.5 as pixels reach 10 and 19.5: by the definition they share half a column of 19.5."""
    truth = write(tmp_path / "gt", {"a": "car 0 0 9 9"})
    detected = write(tmp_path / "det", {"a": "car 0.9 9.5 0 9 9"})
    for threshold, found in (("0.0256", 1), ("0.0257", 0)):
        (car,) = voc.report(truth, detected, "--threshold", threshold)["classes"]
        assert car["total TP"] == found, 0.5 / 19.5


def test_v11_ties_across_images_by_stem(voc: Command, tmp_path: Path) -> None:
    """`a` stands before `a-b`, though `a-b.txt` stands before `a.txt`: the false positive comes second."""
    truth = write(tmp_path / "gt", {"a": "car 0 0 9 9", "a-b": ""})
    detected = write(tmp_path / "det", {"a": "car 0.5 0 0 9 9", "a-b": "car 0.5 0 0 9 9"})
    assert voc.report(truth, detected)["classes"][0]["precision"] == [1.0, 0.5]


def test_every_row_has_its_test() -> None:
    rows = re.findall(r"^\| (V\d+) \|.*\| `(test_\w+)` \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    tests: dict[str, Callable[..., None]] = {
        name: value for name, value in globals().items() if name.startswith("test_v")
    }
    assert {test for _, test in rows} == set(tests)
    assert all(test.startswith(f"test_{row.lower()}_") for row, test in rows)
