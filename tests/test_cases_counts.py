"""Cases from public bug reports that ask for counts, macro averages or a confusion matrix, through the command line."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.support import bug_cases, command, shared
from tests.support.bug_cases import Case, Check

ENGINES = ("counts", "macro", "confusion")
CHECKS = [
    Check(case, check)
    for case in bug_cases.read(shared.folder("cases"))
    for check in case.expected["checks"]
    if check["engine"] in ENGINES and check["files"]["type"] == "coco"
]
MEASURES = {
    "TP": "TP",
    "FP": "FP",
    "FN": "FN",
    "P": "precision",
    "R": "recall",
    "F1": "F1",
    "macro_P": "precision[average=macro]",
    "macro_R": "recall[average=macro]",
    "macro_F1": "F1[average=macro]",
}
EVERY_SCORE = ("--protocol", "operating-point", "--conf=-1e9")
"""The cases count all detections, whatever their confidence."""


def evaluate(case: Case, files: dict[str, Any], *options: str) -> command.Finished:
    """At the operating point, everything counted."""
    return command.evaluate(files["gt"], files["dt"], *EVERY_SCORE, *options, cwd=case.folder)


def cells(report: dict[str, Any]) -> dict[str, int]:
    """`car -> truck` and its count, as the cases write them; cells without a count are left out."""
    names = [*report["confusion"]["labels"], "(none)"]
    counts = report["confusion"]["counts"]
    return {
        f"{names[row]} -> {names[column]}": count
        for row, line in enumerate(counts)
        for column, count in enumerate(line)
        if count
    }


def test_no_case_is_lost(cases_folder: Path) -> None:
    texts = [path.read_text() for path in cases_folder.glob("*/expected.json")]
    wanted = [check for text in texts for check in json.loads(text)["checks"] if check["engine"] in ENGINES]
    assert len(CHECKS) == len(wanted) > 0


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_value(check: Check) -> None:
    confused = check.content["engine"] == "confusion"
    finished = evaluate(check.case, check.files, *check.options, *(["--confusion"] if confused else []))
    assert finished.status == 0, finished.errors
    if confused:
        assert cells(finished.report) == check.values
        return
    for key, expected in check.values.items():
        found = finished.report["summary"][MEASURES[key]]
        assert math.isclose(found, expected, abs_tol=check.case.expected["tolerance"]), f"{key}: {found}"
    protocol = finished.report["protocol"]
    assert (protocol["rule"], protocol["iou_thresholds"]) == ("greedy", [0.5])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_words_where_words_are_due(check: Check) -> None:
    finished = evaluate(check.case, check.files, *check.options)
    messages = "\n".join(note["message"] for note in finished.report["notes"])
    assert all(word in messages for word in check.case.must_name), messages
    if "warning" in check.case.expected["outcome"]:
        assert messages


def test_a_crowd_is_neither_found_nor_missed(cases_folder: Path) -> None:
    folder = cases_folder / "30-crowd-region-absorbs-detections"
    finished = command.evaluate("gt.json", "dt.json", *EVERY_SCORE, cwd=folder)
    rows = {row["measure"]: row["value"] for row in finished.report["metrics"] if not row["label"] and not row["slice"]}
    assert [rows[kind] for kind in ("TP", "FP", "FN", "ignored")] == [1, 0, 0, 3]
