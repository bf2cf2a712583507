"""Whatever is wrong, the command ends with status 2 and one paragraph that names it and says what to do."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import command

BOX = {"image_id": 1, "category_id": 1, "bbox": [10, 10, 40, 40]}
GROUND_TRUTH: dict[str, Any] = {
    "images": [{"id": 1, "file_name": "a.jpg", "width": 640, "height": 480}],
    "annotations": [BOX | {"id": 1, "area": 1600, "iscrowd": 0}],
    "categories": [{"id": 1, "name": "screw"}, {"id": 2, "name": "washer"}],
}
RESULTS: list[dict[str, Any]] = [BOX | {"score": 0.5}, BOX | {"score": 0.25}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good pair of files, gt.json and pred.json."""
    (tmp_path / "gt.json").write_text(json.dumps(GROUND_TRUTH))
    (tmp_path / "pred.json").write_text(json.dumps(RESULTS))
    return tmp_path


def refused(folder: Path, *arguments: str, words: tuple[str, ...]) -> None:
    """`boxscore eval ARGUMENTS` is refused with a message that holds all the words."""
    message = command.refusal(command.boxscore("eval", *arguments, cwd=folder))
    missing = [word for word in words if word.lower() not in message.lower()]
    assert not missing, f"{missing} not in: {message}"
    assert len(message) < 700, message


def test_the_good_pair_is_good(folder: Path) -> None:
    done = command.boxscore("eval", "gt.json", "pred.json", cwd=folder)
    assert done.status == 0, done.errors


@pytest.mark.parametrize("wrong", ["gt.json", "pred.json"])
class TestFiles:
    """Faults of either file as a whole."""

    def put(self, folder: Path, wrong: str, content: bytes) -> None:
        (folder / wrong).write_bytes(content)

    def test_missing(self, folder: Path, wrong: str) -> None:
        (folder / wrong).unlink()
        refused(folder, "gt.json", "pred.json", words=(wrong, "no such file", "check"))

    def test_directory(self, folder: Path, wrong: str) -> None:
        (folder / wrong).unlink()
        (folder / wrong).mkdir()
        refused(folder, "gt.json", "pred.json", words=(wrong, "folder"))

    def test_no_bytes(self, folder: Path, wrong: str) -> None:
        self.put(folder, wrong, b"")
        refused(folder, "gt.json", "pred.json", words=(wrong, "empty"))

    def test_blanks_alone(self, folder: Path, wrong: str) -> None:
        self.put(folder, wrong, b" \n\t\n")
        refused(folder, "gt.json", "pred.json", words=(wrong, "blanks"))

    def test_lfs_pointer(self, folder: Path, wrong: str) -> None:
        self.put(folder, wrong, b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
        refused(folder, "gt.json", "pred.json", words=(wrong, "git lfs pull"))

    def test_gzip_cut_short(self, folder: Path, wrong: str) -> None:
        whole = gzip.compress((folder / wrong).read_bytes())
        self.put(folder, wrong, whole[: len(whole) // 2])
        refused(folder, "gt.json", "pred.json", words=(wrong, "gzip", "cut off"))

    def test_gzip_damaged(self, folder: Path, wrong: str) -> None:
        whole = bytearray(gzip.compress((folder / wrong).read_bytes()))
        whole[len(whole) // 2] ^= 0xFF
        self.put(folder, wrong, bytes(whole))
        refused(folder, "gt.json", "pred.json", words=(wrong, "gzip", "damaged"))

    def test_gzip_inside_which_is_no_json(self, folder: Path, wrong: str) -> None:
        self.put(folder, wrong, gzip.compress(b"not json"))
        refused(folder, "gt.json", "pred.json", words=(wrong,))

    def test_json_cut_short(self, folder: Path, wrong: str) -> None:
        whole = (folder / wrong).read_bytes()
        self.put(folder, wrong, whole[:-20])
        refused(folder, "gt.json", "pred.json", words=(wrong, "ends", f"byte {len(whole) - 20}"))

    @pytest.mark.parametrize(
        "content",
        [
            b"image,label,x\n1,2,3\n",
            b"<annotation/>",
            b"PK\x03\x04rest",
            b"\x89PNG\r\n",
            b"\xff\xfe[\x00]\x00",
            b"\x00" * 9,
        ],
        ids=["csv", "xml", "zip", "png", "utf-16", "zeros"],
    )
    def test_another_kind_of_file(self, folder: Path, wrong: str, content: bytes) -> None:
        self.put(folder, wrong, content)
        refused(folder, "gt.json", "pred.json", words=(wrong,))

    @pytest.mark.parametrize("content", [b"null", b"3", b'"text"', b"true", b"[[]]", b"[3]", b"[null]"])
    def test_json_of_another_kind(self, folder: Path, wrong: str, content: bytes) -> None:
        self.put(folder, wrong, content)
        refused(folder, "gt.json", "pred.json", words=(wrong,))


def test_swapped_files(folder: Path) -> None:
    refused(folder, "pred.json", "gt.json", words=("pred.json", "ground truth", "swap"))


def test_ground_truth_as_results(folder: Path) -> None:
    refused(folder, "gt.json", "gt.json", words=("gt.json", "results"))


def test_results_as_ground_truth(folder: Path) -> None:
    refused(folder, "pred.json", "pred.json", words=("pred.json", "ground truth"))


@pytest.mark.parametrize("section", ["images", "annotations", "categories"])
def test_missing_section(folder: Path, section: str) -> None:
    rest = {key: rows for key, rows in GROUND_TRUTH.items() if key != section}
    (folder / "gt.json").write_text(json.dumps(rest))
    refused(folder, "gt.json", "pred.json", words=("gt.json", section, "missing"))


@pytest.mark.parametrize("section", ["images", "annotations", "categories"])
def test_section_of_another_kind(folder: Path, section: str) -> None:
    (folder / "gt.json").write_text(json.dumps(GROUND_TRUTH | {section: {"1": {}}}))
    refused(folder, "gt.json", "pred.json", words=("gt.json", section, "array"))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("score", "high"),
        ("score", None),
        ("bbox", [1, 2, 3]),
        ("bbox", "1 2 3 4"),
        ("image_id", None),
        ("category_id", 1.5),
    ],
)
def test_wrong_type_in_results(folder: Path, field: str, value: object) -> None:
    (folder / "pred.json").write_text(json.dumps([RESULTS[0], RESULTS[1] | {field: value}]))
    refused(folder, "gt.json", "pred.json", words=("pred.json", "entry 1", field))


@pytest.mark.parametrize("field", ["score", "bbox", "image_id", "category_id"])
def test_missing_field_in_results(folder: Path, field: str) -> None:
    row = {key: value for key, value in RESULTS[1].items() if key != field}
    (folder / "pred.json").write_text(json.dumps([RESULTS[0], row]))
    refused(folder, "gt.json", "pred.json", words=("pred.json", "entry 1", field, "missing"))


@pytest.mark.parametrize(
    ("field", "value"), [("bbox", [1, 2]), ("image_id", []), ("category_id", None), ("area", "big"), ("iscrowd", "no")]
)
def test_wrong_type_in_annotations(folder: Path, field: str, value: object) -> None:
    rows = [GROUND_TRUTH["annotations"][0], GROUND_TRUTH["annotations"][0] | {"id": 2, field: value}]
    (folder / "gt.json").write_text(json.dumps(GROUND_TRUTH | {"annotations": rows}))
    refused(folder, "gt.json", "pred.json", words=("gt.json", "annotation", "1", field))


def test_category_declared_twice(folder: Path) -> None:
    rows = [{"id": 1, "name": "screw"}, {"id": 2, "name": "screw"}]
    (folder / "gt.json").write_text(json.dumps(GROUND_TRUTH | {"categories": rows}))
    refused(folder, "gt.json", "pred.json", words=("gt.json", "screw", "2 times"))


def test_unknown_image(folder: Path) -> None:
    (folder / "pred.json").write_text(json.dumps([*RESULTS, RESULTS[0] | {"image_id": 99}]))
    refused(folder, "gt.json", "pred.json", words=("pred.json", "entry 2", "99", "gt.json", "--unknown-images"))


def test_unknown_category(folder: Path) -> None:
    (folder / "pred.json").write_text(json.dumps([*RESULTS, RESULTS[0] | {"category_id": 77}]))
    refused(folder, "gt.json", "pred.json", words=("pred.json", "entry 2", "77", "--unknown-labels"))


def test_unknown_category_of_an_annotation(folder: Path) -> None:
    rows = [*GROUND_TRUTH["annotations"], GROUND_TRUTH["annotations"][0] | {"id": 2, "category_id": 77}]
    (folder / "gt.json").write_text(json.dumps(GROUND_TRUTH | {"annotations": rows}))
    refused(folder, "gt.json", "pred.json", words=("gt.json", "77", "categor"))


def test_unknown_image_of_an_annotation(folder: Path) -> None:
    rows = [*GROUND_TRUTH["annotations"], GROUND_TRUTH["annotations"][0] | {"id": 2, "image_id": 77}]
    (folder / "gt.json").write_text(json.dumps(GROUND_TRUTH | {"annotations": rows}))
    refused(folder, "gt.json", "pred.json", words=("gt.json", "77", "images"))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("name", ["gt.json", "pred.json"])
def test_numbers_that_are_not_finite(folder: Path, name: str, word: str) -> None:
    text = (folder / name).read_text()
    (folder / name).write_text(text.replace("[10,", f"[{word},", 1))
    refused(folder, "gt.json", "pred.json", words=(name, "bbox", "--non-finite drop"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--labels", "scrw"], ("scrw", 'did you mean "screw"')),
        (["--labels", "aeroplane"], ("aeroplane", "screw", "washer")),
        (["--iou", "1.5"], ("1.5", "iou")),
        (["--iou", "0"], ("0", "iou")),
        (["--iou", "half"], ("half", "iou")),
        (["--iou", ""], ("iou",)),
        (["--iou", "nan"], ("nan", "iou")),
        (["--max-detections", "0"], ("0", "max")),
        (["--max-detections", "-3"], ("max",)),
        (["--max-detections", "ten"], ("ten", "max")),
        (["--max-detections", "5000000000"], ("5000000000", "max")),
        (["--threads", "0"], ("threads", "0")),
        (["--threads", "many"], ("threads", "many")),
        (["--protocol", "pascal"], ("pascal", "coco")),
        (["--protocol", "missing.toml"], ("missing.toml",)),
        (["--unknown-images", "perhaps"], ("perhaps", "drop", "background")),
        (["--boxes", "ltrb"], ("ltrb", "xyxy")),
        (["--no-such-option"], ("--no-such-option",)),
        (["--iou", ",".join(f"{step / 100}" for step in range(1, 90))], ("64",)),
        (["--pr-points", "0.42"], ("0.42",)),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_options(folder: Path, options: list[str], words: tuple[str, ...]) -> None:
    refused(folder, "gt.json", "pred.json", *options, words=words)


@pytest.mark.parametrize("arguments", [[], ["gt.json"], ["gt.json", "pred.json", "third.json"]], ids=len)
def test_wrong_number_of_files(folder: Path, arguments: list[str]) -> None:
    refused(folder, *arguments, words=())


def test_unknown_command(folder: Path) -> None:
    message = command.refusal(command.boxscore("evaluate", "gt.json", "pred.json", cwd=folder))
    assert "eval" in message


@pytest.mark.parametrize(
    "content", ["[broken", 'name = "x"\n', "format = 9\n", ""], ids=["syntax", "fields", "version", "empty"]
)
def test_bad_protocol_file(folder: Path, content: str) -> None:
    (folder / "own.toml").write_text(content)
    refused(folder, "gt.json", "pred.json", "--protocol", "own.toml", words=("own.toml",))


def test_folder_that_cannot_be_written(folder: Path) -> None:
    (folder / "taken").write_text("a file")
    refused(folder, "gt.json", "pred.json", "--out", "taken", words=("taken",))


def test_output_that_nobody_reads(folder: Path) -> None:
    """`boxscore … | head -1` must not end in a traceback."""
    import subprocess
    import sys

    program = [sys.executable, "-m", "boxscore", "eval", "gt.json", "pred.json", "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read().decode()
    assert "Traceback" not in errors, errors
    assert "Exception ignored" not in errors, errors


def test_file_names_with_blanks_and_accents(folder: Path) -> None:
    refused(folder, "gt.json", "prédictions 1.json", words=("prédictions 1.json", "no such file"))
