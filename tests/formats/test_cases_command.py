"""Cases from public bug reports in YOLO's text and in text folders, through the command line."""

from typing import Any

import pytest

from tests.support import bug_cases, command, shared
from tests.support.bug_cases import MEASURES, Case

REFUSED = ("76", "78", "80")
"""Boxscore stops at these and names the line, which is a right answer."""
CASES = [
    case
    for case in bug_cases.read(shared.folder("cases"))
    if any(check["files"]["type"] in ("yolo", "ltrb") for check in case.expected["checks"]) or case.name[:2] == "76"
]
CHECKS = [
    pytest.param(case, check, id=f"{case.name}: {check['what']}")
    for case in CASES
    for check in case.expected["checks"]
    if check["files"]["type"] in ("yolo", "ltrb") and case.name[:2] not in REFUSED
]


def arguments(files: dict[str, Any]) -> list[str]:
    """The command line for the files of a check."""
    if files["type"] == "ltrb":
        return [files["gt"], files["dt"], "--gt-format", "text", "--gt-boxes", "xyxy", "--boxes", "xyxy"]
    options = ["--gt-format", "yolo", "--pred-format", "yolo"]
    if files.get("pred_format") == "c conf l t r b":
        options = ["--gt-format", "yolo", "--boxes", "xyxy", "--coords", "abs", "--score", "second"]
    return [files["labels"], files["preds"], *options]


def value(report: dict[str, Any], key: str) -> Any:
    """What the report says for a key of `expected.json`."""
    if key == "VOC_all_point":
        return report["summary"]["AP@0.5"]
    if key.endswith("_by_class"):
        measure = MEASURES[key.removesuffix("_by_class")]
        rows = [row for row in report["metrics"] if row["measure"] == measure and row["label"] is not None]
        return {row["label"]: row["value"] for row in rows}
    return report["summary"][MEASURES[key]]


def numbered(number: str) -> Case:
    """The case of a number."""
    shared.folder_or_skip("cases")
    return next(case for case in CASES if case.name.startswith(number))


@pytest.mark.parametrize(("case", "check"), CHECKS)
def test_values(case: Case, check: dict[str, Any]) -> None:
    protocol = "voc2012" if check["engine"] == "voc" else "coco"
    finished = command.evaluate(*arguments(check["files"]), "--protocol", protocol, cwd=case.folder)
    for key, expected in check["values"].items():
        assert value(finished.report, key) == pytest.approx(expected, abs=1e-6), key


@pytest.mark.parametrize("number", REFUSED)
def test_refusals_name_file_line_and_value(number: str) -> None:
    case = numbered(number)
    finished = command.evaluate("labels", "preds", "--gt-format", "yolo", cwd=case.folder)
    assert finished.status == 2
    for word in case.must_name:
        assert word in finished.errors


def test_an_empty_results_file_is_refused_by_name() -> None:
    case = numbered("18")
    finished = command.evaluate("json/gt.json", "json/dt.json", cwd=case.folder)
    assert finished.status == 2
    assert "json/dt.json" in finished.errors


def test_one_stem_for_two_pictures_is_refused() -> None:
    case = numbered("86")
    finished = command.evaluate("ext/labels", "ext/preds", cwd=case.folder)
    assert finished.status == 2
    assert "x.png" in finished.errors
    assert "x.jpg" in finished.errors


def test_a_wrong_encoding_is_named() -> None:
    case = numbered("88")
    finished = command.evaluate("cp1252/labels", "cp1252/preds", cwd=case.folder)
    assert "cp1252/classes.txt" in finished.errors
