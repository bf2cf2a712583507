"""Each kind of finding, on a data set made for it; nothing on one that is well."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from boxscore.audit.examine import audit
from boxscore.audit.found import Found, Report
from tests.audit import made
from tests.support import command

GROUND_TRUTH, RESULTS = made.pair()


def changed(**fields: Any) -> dict[str, Any]:
    """The ground truth with other sections."""
    return copy.deepcopy(GROUND_TRUTH) | fields


def rows(results: list[dict[str, Any]], position: int, **fields: Any) -> list[dict[str, Any]]:
    """The rows with one of them changed."""
    other = copy.deepcopy(results)
    other[position] |= fields
    return other


def only(report: Report, code: str) -> Found:
    """The one finding of a code."""
    found = [finding for finding in report.findings if finding.code == code]
    assert len(found) == 1, report.codes()
    return found[0]


def test_nothing_is_found_where_all_is_well() -> None:
    assert audit(GROUND_TRUTH, RESULTS).findings == []
    assert audit(GROUND_TRUTH).findings == []


CASES: dict[str, tuple[Any, Any, int, str]] = {
    "duplicate-annotation-id": (
        changed(annotations=rows(GROUND_TRUTH["annotations"], 3, id=2)),
        RESULTS,
        1,
        "entries 2 and 3",
    ),
    "duplicate-box": (
        changed(annotations=[*GROUND_TRUTH["annotations"], GROUND_TRUTH["annotations"][7] | {"id": 99}]),
        RESULTS,
        1,
        "entries 7 and 40",
    ),
    "duplicate-detection": (GROUND_TRUTH, [*RESULTS, RESULTS[5], RESULTS[6]], 2, "entries 5 and 40"),
    "degenerate": (GROUND_TRUTH, rows(RESULTS, 4, bbox=[1, 1, 0, 5]), 1, "predictions entry 4"),
    "outside-image": (GROUND_TRUTH, rows(RESULTS, 4, bbox=[-40, -40, 200, 200]), 1, "predictions entry 4"),
    "label-without-objects": (
        changed(categories=[*GROUND_TRUTH["categories"], {"id": 9, "name": "never"}]),
        RESULTS,
        1,
        '"never"',
    ),
    "label-without-detections": (GROUND_TRUTH, [r for r in RESULTS if r["category_id"] != 3], 1, '"car"'),
    "image-without-objects": (
        changed(images=[*GROUND_TRUTH["images"], {"id": 77, "width": 640, "height": 480}]),
        RESULTS,
        1,
        "77",
    ),
    "image-without-detections": (GROUND_TRUTH, [r for r in RESULTS if r["image_id"] != 2], 1, ": 2"),
    "unknown-image": (GROUND_TRUTH, rows(RESULTS, 4, image_id=99), 1, "image_id 99"),
    "unknown-label": (GROUND_TRUTH, rows(RESULTS, 4, category_id=99), 1, "category_id 99"),
    "non-finite": (GROUND_TRUTH, rows(RESULTS, 4, score=float("nan")), 1, "score is NaN"),
    "score-range": (GROUND_TRUTH, [r | {"score": r["score"] * 100} for r in RESULTS], 39, "outside 0..1"),
    "scores-equal": (GROUND_TRUTH, [r | {"score": 0.5} for r in RESULTS], 40, "all scores are equal"),
    "scores-cut": (GROUND_TRUTH, [r for r in RESULTS if r["score"] > 0.4], 24, "smallest score is 0.4"),
    "box-reading": (GROUND_TRUTH, made.as_corners(RESULTS), 40, "boxes as corners"),
    "unit-boxes": (GROUND_TRUTH, made.as_shares(RESULTS), 40, "shares of the image's size"),
    "class-order": (GROUND_TRUTH, made.renumbered(RESULTS, [1, 2, 3, 4, 0]), 40, "labels in another order"),
    "many-detections": (
        GROUND_TRUTH,
        [*RESULTS, *(RESULTS[0] | {"bbox": [1 + i, 1, 9, 9], "score": 0.001} for i in range(100))],
        1,
        "image 0 (105)",
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_finding(code: str) -> None:
    ground_truth, results, count, words = CASES[code]
    found = only(audit(ground_truth, results), code)
    assert words in found.message
    assert found.remedy
    assert found.bound
    assert 0 <= found.moves <= 1
    if code not in ("score-range", "scores-cut"):  # how many draws lie on one side is no matter
        assert found.count == count


def test_order_is_by_effect_with_what_stops_or_was_measured_first() -> None:
    results = rows(made.as_corners(RESULTS), 0, image_id=99)
    report = audit(GROUND_TRUTH, results)
    first = [found.stops or found.measured for found in report.findings]
    assert first == sorted(first, reverse=True)
    for group in (True, False):
        moves = [found.moves for found, flag in zip(report.findings, first, strict=True) if flag is group]
        assert moves == sorted(moves, reverse=True)


def test_a_faulty_file_is_a_finding_and_a_missing_one_an_error(tmp_path: Path) -> None:
    (tmp_path / "gt.json").write_text(json.dumps(GROUND_TRUTH))
    (tmp_path / "dt.json").write_text("[{")
    found = only(audit(tmp_path / "gt.json", tmp_path / "dt.json"), "unreadable")
    assert found.stops
    assert "dt.json" in found.message
    refused = command.boxscore("audit", "gt.json", "none.json", cwd=tmp_path)
    assert "no such file" in command.refusal(refused)


def test_git_lfs_pointers_are_counted_in_files_and_folders(tmp_path: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    (tmp_path / "gt.json").write_text(pointer)
    report = audit(tmp_path / "gt.json")
    assert report.codes() == ["git-lfs-pointer"]
    folder = tmp_path / "labels"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text(pointer)
    found = only(audit(GROUND_TRUTH, folder), "git-lfs-pointer")
    assert found.count == 2
    assert "a.txt, b.txt" in found.message


def test_pictures(tmp_path: Path) -> None:
    """Of 8 images one has no picture, one is cut off, one is no picture, one is turned, one has another size."""
    for i in range(7):
        size = {4: (480, 640), 5: (320, 240)}.get(i, (640, 480))
        Image.new("RGB", size, (i, 0, 0)).save(tmp_path / f"{i}.jpg")
    whole = (tmp_path / "2.jpg").read_bytes()
    (tmp_path / "2.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "3.jpg").write_bytes(b"no picture")
    report = audit(GROUND_TRUTH, RESULTS, images=tmp_path)
    assert only(report, "picture-missing").count == 1
    assert only(report, "picture-damaged").count == 2
    sizes = only(report, "picture-size")
    assert sizes.count == 2
    assert "4.jpg is 480 x 640, stated are 640 x 480; 1 with width and height exchanged" in sizes.message
    assert sizes.moves == 10 / 40


class TestCommand:
    """`boxscore audit`."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "gt.json").write_text(json.dumps(GROUND_TRUTH))
        (tmp_path / "good.json").write_text(json.dumps(RESULTS))
        (tmp_path / "bad.json").write_text(json.dumps(made.as_corners(RESULTS)))
        return tmp_path

    def test_text(self, folder: Path) -> None:
        done = command.boxscore("audit", "gt.json", "bad.json", cwd=folder)
        assert done.status == 0
        assert "1. box-reading (measured: AP@0.5 " in done.output
        assert "-> read them so with --boxes xyxy" in done.output
        assert "no findings" in command.boxscore("audit", "gt.json", "good.json", cwd=folder).output

    def test_the_remedy_is_one(self, folder: Path) -> None:
        done = command.boxscore("audit", "gt.json", "bad.json", "--boxes", "xyxy", cwd=folder)
        assert "no findings" in done.output

    @pytest.mark.parametrize(("pred", "status"), [("bad.json", 1), ("good.json", 0)])
    def test_strict(self, folder: Path, pred: str, status: int) -> None:
        assert command.boxscore("audit", "gt.json", pred, "--strict", cwd=folder).status == status

    def test_json(self, folder: Path) -> None:
        report = command.boxscore("audit", "gt.json", "bad.json", "--json", cwd=folder).report
        assert report["counts"] == {"images": 8, "labels": 5, "objects": 40, "detections": 40}
        fields = {"code", "message", "remedy", "count", "moves", "bound", "measured", "stops"}
        assert all(set(found) == fields for found in report["findings"])
