"""`boxscore voc`: the figures of the old tools, their keys and lines, and what it refuses or warns of."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.io.voc_boxes import BoxForm, in_pixels, lie_like_corners
from tests.support import command
from tests.support.voc import Command, run, write

SIZE = ("--img-size", "200,200")
# Published with the sample: AP by every point and by eleven, TP and FP, by threshold.
PADILLA = {
    0.1: (0.3371980676, 0.3333333333, 9, 15),
    0.2: (0.2801328502, 0.3024538867, 8, 16),
    0.3: (0.2456866805, 0.2683982684, 7, 17),
    0.4: (0.0529914530, 0.0722610723, 3, 21),
    0.5: (0.0222222222, 0.0303030303, 1, 23),
    0.75: (0.0, 0.0, 0, 24),
}
PAIRINGS = [(truth, detected) for truth in ("abs", "rel") for detected in ("abs", "rel")]
KEYS = {"metric", "threshold", "classes", "valid_classes", "ignored_classes", "mAP", "mAP_percent", "warnings"}
CLASS_KEYS = {
    *("class", "AP", "AP_percent", "precision", "recall", "interpolated_precision", "interpolated_recall"),
    *("total positives", "total TP", "total FP"),
}


@pytest.fixture
def voc(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def padilla(data_folder: Path) -> Path:
    return data_folder / "padilla_voc"


@pytest.fixture
def two_classes(tmp_path: Path) -> tuple[Path, Path]:
    """A car found, a bus missed, a bus where there is none; files on one side only; a tram that nobody marked."""
    truth = write(tmp_path / "gt", {"a": "car 0 0 9 9\nbus 50 50 20 20\n", "b": "car 5 5 10 10\n", "c": ""})
    detected = write(tmp_path / "det", {"a": "car 0.9 0 0 9 9\ntram 0.5 1 1 5 5\n", "z": "bus 0.4 0 0 9 9\n"})
    return truth, detected


def folders(padilla: Path, truth: str, detected: str) -> tuple[Path, Path, list[str]]:
    """The sample's folders for a pairing, and the options that it needs."""
    ends = {"abs": "", "rel": "_rel"}
    paths = padilla / f"groundtruths{ends[truth]}", padilla / f"detections{ends[detected]}"
    return *paths, ["--gt-coords", truth, "--det-coords", detected, *SIZE]


@pytest.mark.parametrize(("truth", "detected"), PAIRINGS)
@pytest.mark.parametrize("threshold", PADILLA)
def test_published_figures(voc: Command, padilla: Path, truth: str, detected: str, threshold: float) -> None:
    every, eleven, true, false = PADILLA[threshold]
    gt, det, options = folders(padilla, truth, detected)
    for points, expected in (("every", every), ("11", eleven)):
        report = voc.report(gt, det, *options, "--threshold", str(threshold), "--points", points)
        (person,) = report["classes"]
        assert person["AP"] == pytest.approx(expected, abs=5e-11)
        assert report["mAP"] == person["AP"]
        assert (person["total TP"], person["total FP"], person["total positives"]) == (true, false, 15)
        assert report["warnings"] == []


def test_the_sample_s_own_results(voc: Command, padilla: Path) -> None:
    """Their `results.txt` was made at 0.3; the same lines come out."""
    finished = voc(padilla / "groundtruths", padilla / "detections", "--threshold", "0.3")
    kept = [line for line in finished.output.splitlines() if line.startswith(("Class", "AP:", "Prec", "Rec", "mAP"))]
    stated = (padilla / "results" / "results.txt").read_text().splitlines()
    assert kept == [line for line in stated if line.startswith(("Class", "AP:", "Prec", "Rec", "mAP"))]
    assert "Total positives: 15\nTotal TP: 7\nTotal FP: 17\n" in finished.output
    assert (finished.status, finished.errors) == (0, "")


def test_json_by_hand(voc: Command, two_classes: tuple[Path, Path]) -> None:
    report = voc.report(*two_classes)
    assert set(report) == KEYS
    assert (report["metric"], report["threshold"]) == ("PASCAL VOC every-point AP", 0.5)
    assert (report["valid_classes"], report["ignored_classes"]) == (2, ["tram"])
    bus, car = report["classes"]
    assert set(bus) == set(car) == CLASS_KEYS
    # One of two cars is found at precision 1; the one bus is not, and the detection of z is false.
    assert car["AP"] == 0.5
    assert (car["precision"], car["recall"]) == ([1.0], [0.5])
    assert (car["interpolated_precision"], car["interpolated_recall"]) == ([1.0, 1.0], [0.0, 0.5])
    assert (bus["AP"], bus["precision"], bus["recall"], bus["total FP"]) == (0.0, [0.0], [0.0], 1)
    assert (report["mAP"], report["mAP_percent"], car["AP_percent"]) == (0.25, 25.0, 50.0)


def test_warnings(voc: Command, two_classes: tuple[Path, Path]) -> None:
    finished = voc(*two_classes)
    warnings = voc.report(*two_classes)["warnings"]
    assert [f"note: {warning}" for warning in warnings] == finished.errors.splitlines()
    assert all(f"- {warning}" in finished.output.splitlines() for warning in warnings)
    missing, extra, ignored = warnings
    assert "b, c; nothing was detected in them" in missing
    assert ": z; each detection there is a false positive" in extra
    assert ignored == "1 class has detections but no ground truth, so that it is ignored: tram"


def test_many_stems_are_cut(voc: Command, tmp_path: Path) -> None:
    truth = write(tmp_path / "gt", {f"{number:02}": "car 0 0 9 9" for number in range(12)})
    detected = write(tmp_path / "det", {"00": "car 1 0 0 9 9"})
    (warning,) = voc.report(truth, detected)["warnings"]
    assert "01, 02, 03, 04, 05 ... (+6 more)" in warning


def test_a_folder_without_files(voc: Command, tmp_path: Path) -> None:
    truth = write(tmp_path / "gt", {"a": "car 0 0 9 9"})
    (tmp_path / "det").mkdir()
    report = voc.report(truth, tmp_path / "det")
    assert report["mAP"] == 0.0
    assert report["classes"][0]["interpolated_recall"] == [0.0]
    assert report["warnings"] == [f"{tmp_path / 'det'}: there is no .txt file in this folder"]


def test_keys_are_sorted_and_indented_on_request(voc: Command, two_classes: tuple[Path, Path]) -> None:
    plain, pretty = voc(*two_classes, "--json").output, voc(*two_classes, "--json", "--pretty").output
    assert plain.count("\n") == 1
    assert pretty.startswith('{\n  "classes": [')
    assert json.loads(plain) == json.loads(pretty)
    assert list(json.loads(plain)) == sorted(KEYS)


def test_only_the_files_named_are_written(voc: Command, two_classes: tuple[Path, Path], tmp_path: Path) -> None:
    printed, as_json = voc(*two_classes).output, voc(*two_classes, "--json", "--pretty").output
    before = set(tmp_path.rglob("*"))
    text, content = tmp_path / "out.txt", tmp_path / "out.json"
    finished = voc(*two_classes, "--output-text", text, "--output-json", content, "--pretty")
    assert finished.output == "Evaluated 2 class(es); mAP=25.00%\n"
    assert set(tmp_path.rglob("*")) - before == {text, content}
    assert (text.read_text(), content.read_text()) == (printed, as_json)


def test_no_files_are_written_unasked(two_classes: tuple[Path, Path], tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert command.boxscore(*run(*two_classes), cwd=tmp_path).status == 0
    assert sorted(tmp_path.rglob("*")) == before


REFUSED: list[tuple[list[str], str]] = [
    (["--gt-coords", "rel", "--gt-format", "xyrb", *SIZE], "rel coordinates with xyrb"),
    (["--det-coords", "rel", "--det-format", "xyrb", *SIZE], "rel coordinates with xyrb"),
    (["--gt-coords", "rel"], "--img-size"),
    (["--det-coords", "rel", "--img-size", "200"], "'200'"),
    (["--det-coords", "rel", "--img-size", "0,200"], "'0,200'"),
    (["--threshold", "1.5"], "from 0 to 1"),
    (["--threshold", "-0.1"], "from 0 to 1"),
    (["--threshold", "nan"], "from 0 to 1"),
    (["--threshold", "half"], "'half'"),
    (["--det-format", "xyxy"], "'xyxy'"),
    (["--output-text", "no/such/folder.txt"], "there is no folder"),
    (["--output-json", "."], "is a folder"),
]


@pytest.mark.parametrize(("options", "words"), REFUSED)
def test_options_that_are_refused(voc: Command, two_classes: tuple[Path, Path], options: list[str], words: str) -> None:
    assert words in command.refusal(voc(*two_classes, *options))


def test_output_never_replaces_input(voc: Command, two_classes: tuple[Path, Path], tmp_path: Path) -> None:
    truth, detected = two_classes
    assert "among the .txt files" in command.refusal(voc(truth, detected, "--output-text", truth / "a.txt"))
    assert (truth / "a.txt").read_text().startswith("car 0 0 9 9")
    both = tmp_path / "out"
    assert "name two files" in command.refusal(voc(truth, detected, "--output-text", both, "--output-json", both))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("car 0 0 9", "line 2: expected a label and four numbers, found 4 fields"),
        ("car 0 0 9 x", 'line 2: expected a number ("x")'),
        ("car 0 0 9,5 9", "line 2"),
        ("car 0 0 inf 9", "line 2: a number is not finite"),
        ("car 0 0 -9 9", "line 2: width or height is negative (0 0 -9 9)"),
        ("car 0.9 0 0 9 9", "line 2: 6 fields, ground truth has 5"),
    ],
)
def test_lines_that_are_refused(voc: Command, tmp_path: Path, line: str, words: str) -> None:
    truth = write(tmp_path / "gt", {"a": f"car 0 0 9 9\n{line}\n"})
    message = command.refusal(voc(truth, write(tmp_path / "det", {"a": "car 1 0 0 9 9"})))
    assert f"{truth}/a.txt {words}" in message


def test_corners_in_the_wrong_order(voc: Command, tmp_path: Path) -> None:
    folder = write(tmp_path / "gt", {"a": "car 50 50 9 60"})
    message = command.refusal(voc(folder, folder, "--gt-format", "xyrb"))
    assert "right is less than left" in message
    assert "xywh" in message


def test_text_in_another_encoding(voc: Command, tmp_path: Path) -> None:
    truth = write(tmp_path / "gt", {})
    (truth / "a.txt").write_bytes("café 0 0 9 9".encode("cp1252"))
    assert "a.txt line 1: the label is not UTF-8" in command.refusal(voc(truth, truth))


def test_no_ground_truth_at_all(voc: Command, tmp_path: Path) -> None:
    detected = write(tmp_path / "det", {"a": "car 1 0 0 9 9"})
    for name, files in (("none", {}), ("empty", {"a": "\n"})):
        assert "no class has ground truth" in command.refusal(voc(write(tmp_path / name, files), detected))
    assert "there is no such folder" in command.refusal(voc(tmp_path / "absent", detected))


def scene(rng: random.Random) -> list[tuple[int, int, int, int]]:
    """Boxes inside an image of 400 x 300."""
    places = [(rng.randrange(300), rng.randrange(220)) for _ in range(4)]
    return [(x, y, rng.randrange(10, 100), rng.randrange(10, 80)) for x, y in places]


def line(box: tuple[int, int, int, int], form: str, score: str = "") -> str:
    """A box as a line of text in one of the forms."""
    x, y, w, h = box
    shares = ((x + w / 2) / 400, (y + h / 2) / 300, w / 400, h / 300)
    numbers = {"xywh": (x, y, w, h), "xyrb": (x, y, x + w, y + h), "rel": shares}[form]
    return f"car {score} {' '.join(map(str, numbers))}\n"


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """The same boxes as ground truth and detections in each form, in folders `gt_FORM` and `det_FORM`."""
    rng = random.Random(7)
    for stem in map(str, range(20)):
        boxes = scene(rng)
        for form in ("xywh", "xyrb", "rel"):
            write(tmp_path / f"gt_{form}", {stem: "".join(line(box, form) for box in boxes)})
            write(tmp_path / f"det_{form}", {stem: "".join(line(box, form, "0.5") for box in boxes)})
    return tmp_path


STATED = {"xywh": ("xywh", "abs"), "xyrb": ("xyrb", "abs"), "rel": ("xywh", "rel")}


def stated(side: str, form: str) -> list[str]:
    """The options that name a side's form."""
    return [f"--{side}-format", STATED[form][0], f"--{side}-coords", STATED[form][1]]


@pytest.mark.parametrize(("truth", "detected"), [(a, b) for a in STATED for b in STATED])
def test_the_right_reading_is_silent(voc: Command, scenes: Path, truth: str, detected: str) -> None:
    options = [*stated("gt", truth), *stated("det", detected), "--img-size", "400,300"]
    report = voc.report(scenes / f"gt_{truth}", scenes / f"det_{detected}", *options)
    assert report["warnings"] == []
    assert report["mAP"] == 1.0


@pytest.mark.parametrize(
    ("truth", "detected", "read", "words"),
    [
        ("xywh", "xyrb", ["--det-format", "xywh"], "give --det-format xyrb"),
        ("xyrb", "xywh", ["--gt-format", "xywh"], "give --gt-format xyrb"),
        ("xywh", "rel", ["--img-size", "400,300"], "give --det-format xywh --det-coords rel"),
        ("rel", "xywh", ["--img-size", "400,300"], "give --gt-format xywh --gt-coords rel"),
        ("xywh", "rel", [], "no number is larger than 1"),
        ("xywh", "xywh", ["--det-coords", "rel", "--img-size", "400,300"], "give --det-format xywh --det-coords abs"),
    ],
)
def test_a_wrong_reading_is_told(
    voc: Command, scenes: Path, truth: str, detected: str, read: list[str], words: str
) -> None:
    report = voc.report(scenes / f"gt_{truth}", scenes / f"det_{detected}", *read)
    assert report["mAP"] < 0.5
    (warning,) = report["warnings"]
    assert words in warning


def test_corners_read_as_sizes_on_both_sides(voc: Command, scenes: Path) -> None:
    """Both folders misread fit each other well: only the numbers themselves tell."""
    warnings = voc.report(scenes / "gt_xyrb", scenes / "det_xyrb")["warnings"]
    assert ["give --gt-format xyrb" in warnings[0], "give --det-format xyrb" in warnings[1]] == [True, True]


def test_boxes_that_do_not_lie_like_corners() -> None:
    assert not lie_like_corners(np.array([[1.0, 1.0, 5.0, 5.0]] * 20))
    # Objects that fill their images: wide throughout, but the wider, the further left.
    wide = np.array([[x, x, 200 - 2 * x, 200 - 2 * x] for x in range(5, 45)], dtype=float)
    assert not lie_like_corners(wide)


def test_sizes_from_a_table(voc: Command, tmp_path: Path) -> None:
    """Images of different sizes, which the legacy tool can't have."""
    truth = write(tmp_path / "gt", {"a": "car 0 0 50 50", "b": "car 0 0 50 50"})
    detected = write(tmp_path / "det", {"a": "car 1 0.25 0.25 0.5 0.5", "b": "car 1 0.125 0.125 0.25 0.25"})
    (tmp_path / "sizes.csv").write_text("name,width,height\na,100,100\nb,200,200\n")
    report = voc.report(truth, detected, "--det-coords", "rel", "--images", tmp_path / "sizes.csv")
    assert (report["mAP"], report["warnings"]) == (1.0, [])


def legacy_box(share: tuple[float, ...], extent: int) -> tuple[int, int]:
    """First and last pixel of one axis, from centre and size, with Python's own `round`."""
    centre, size = share
    first = round((2 * centre - size) * extent / 2)
    last = first + round(size * extent)
    return max(first, 0), extent - 1 if last >= extent else last


shares = st.one_of(st.integers(0, 16).map(lambda step: step / 16), st.floats(-0.2, 1.2))


@given(shares, shares, st.one_of(st.integers(0, 16).map(lambda n: n / 16), st.floats(0, 1)), st.integers(1, 700))
def test_shares_become_pixels_as_in_the_legacy_tool(x: float, y: float, size: float, extent: int) -> None:
    stated = np.array([[x, y, size, size]])
    found = in_pixels(stated, BoxForm("xywh", "rel"), np.array([[extent, extent]], dtype=float))[0]
    for axis, centre in enumerate((x, y)):
        first, last = legacy_box((centre, size), extent)
        # Beyond the image the legacy tool ends before it starts: here one pixel is left.
        assert (found[axis], found[axis] + found[axis + 2]) == (first, max(first, last))


def test_halves_are_rounded_to_even() -> None:
    # 0.25 and 0.75 of 10 pixels are 2.5 and 7.5: 2 and 8.
    box = in_pixels(np.array([[0.375, 0.875, 0.25, 0.25]]), BoxForm("xywh", "rel"), np.array([[10.0, 10.0]]))
    assert box.tolist() == [[2.0, 8.0, 2.0, 1.0]]


def of_class(report: dict[str, Any], name: str) -> dict[str, Any]:
    """One class of a report."""
    (found,) = [one for one in report["classes"] if one["class"] == name]
    return dict(found)


def test_eleven_points(voc: Command, two_classes: tuple[Path, Path]) -> None:
    report = voc.report(*two_classes, "--points", "11")
    assert report["metric"] == "PASCAL VOC 11-point AP"
    car = of_class(report, "car")
    assert car["AP"] == pytest.approx(6 / 11)
    assert car["interpolated_precision"] == [1.0] * 6 + [0.0] * 5
    assert car["interpolated_recall"] == pytest.approx([step / 10 for step in range(11)])
