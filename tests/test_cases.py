"""Cases from public bug reports, through the command line: right values, and words where words are due."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.support import bug_cases, command, shared
from tests.support.bug_cases import MEASURES, Case, Check

CASES = [case for case in bug_cases.read(shared.folder("cases")) if case.pairs]
CHECKS = [check for case in CASES for check in case.checks]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
each_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)


def run(case: Case, ground_truth: str, predictions: str, *options: str) -> command.Finished:
    """Evaluate two files of the case, named as the case names them."""
    return command.evaluate(ground_truth, predictions, *options, cwd=case.folder)


def notes(finished: command.Finished) -> str:
    """All notes of a run that gave values; they must also have gone to standard error."""
    messages = [note["message"] for note in finished.report["notes"]]
    for message in messages:
        assert f"note: {message}" in finished.errors
    return "\n".join(messages)


def label_values(report: dict[str, Any], measure: str) -> dict[str, float | None]:
    """A measure by label."""
    rows = [row for row in report["metrics"] if row["measure"] == measure and row["label"] is not None]
    return {row["label"]: row["value"] for row in rows}


def found_value(report: dict[str, Any], key: str, threshold_count: int) -> Any:
    """What the report says for a key of `expected.json`."""
    if key == "AP_by_class":
        return label_values(report, "AP")
    if key == "AR_by_threshold":
        thresholds = [0.5 + 0.05 * step for step in range(threshold_count)]
        return [overall(report, f"AR@{threshold:.9g}") for threshold in thresholds]
    return report["summary"][MEASURES[key]]


def overall(report: dict[str, Any], measure: str) -> float | None:
    """A measure over all labels, from the tidy rows."""
    rows = [row for row in report["metrics"] if row["measure"] == measure and row["label"] is None]
    assert len(rows) == 1, f"{len(rows)} rows of {measure}"
    value = rows[0]["value"]
    assert value is None or isinstance(value, float)
    return value


def equal(found: Any, expected: Any, tolerance: float) -> bool:
    """Equal within the case's tolerance; null is only equal to null."""
    if isinstance(expected, dict):
        return set(found) == set(expected) and all(equal(found[key], expected[key], tolerance) for key in expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(equal, found, expected, [tolerance] * len(expected)))
    if expected is None or found is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=0, abs_tol=tolerance)


def test_no_case_is_lost(cases_folder: Path) -> None:
    """Counted again from the files, so that a case that is not read can't go unseen."""
    texts = [path.read_text() for path in cases_folder.glob("*/expected.json")]
    checks = [check for text in texts for check in json.loads(text)["checks"]]
    wanted = [check for check in checks if (check["files"]["type"], check["engine"]) == ("coco", "coco")]
    assert len(CHECKS) == len(wanted) > 0
    # The files alone tell of pairs too: two lists of annotations, in a folder that is no text format's.
    with_json = {path.parents[0].relative_to(cases_folder).parts[0] for path in cases_folder.glob("**/gt*.json")}
    assert {case.name for case in CASES} == with_json


@each_check
def test_value(check: Check) -> None:
    files = check.files
    finished = run(check.case, files["gt"], files["dt"], *check.options)
    assert finished.status == 0, finished.errors
    for key, expected in check.values.items():
        found = found_value(finished.report, key, len(expected) if isinstance(expected, list) else 0)
        assert equal(found, expected, check.case.expected["tolerance"]), f"{key}: {found}, not {expected}"
    if None in check.values.values():
        undefined = [row for row in finished.report["metrics"] if row["value"] is None]
        assert undefined
        assert all(row["reason"] for row in undefined)


@each_case
def test_outcome(case: Case) -> None:
    """The files as they are, without options: refused, or evaluated with a note, as the case asks."""
    outcome = case.expected["outcome"]
    finished = [run(case, *pair) for pair in case.pairs]
    refused = [one for one in finished if one.status != 0]
    for one in refused:
        message = command.refusal(one)
        assert "error" in outcome, message
        assert all(word in message for word in case.must_name), message
    if outcome.startswith("error_for_json") or outcome == "error":
        assert len(refused) == len(finished)
    if refused:
        return
    words = "\n".join(map(notes, finished))
    assert all(word in words for word in case.must_name), words
    if "warning" in outcome:
        assert words
    if "state_rule" in outcome:
        assert words or states_rule(finished[0].report)


def states_rule(report: dict[str, Any]) -> bool:
    """Whether the output says by which rule its values were found."""
    protocol = report["protocol"]
    return (protocol["name"], protocol["rule"]) == ("coco", "coco")


@each_case
def test_no_tempting_value_without_a_word(case: Case) -> None:
    for tempting in case.expected["tempting_wrong_values"]:
        for pair in case.pairs:
            finished = run(case, *pair)
            right = [check.values for check in case.checks if (check.files["gt"], check.files["dt"]) == pair]
            if finished.status != 0 or any(is_among(tempting["values"], values) for values in right):
                continue
            found = {key: found_value(finished.report, key, 0) for key in tempting["values"] if key in MEASURES}
            if equal(found, tempting["values"], case.expected["tolerance"]):
                assert notes(finished), f"{tempting['what']}: {found}"


def is_among(values: dict[str, Any], others: dict[str, Any]) -> bool:
    """Whether the values are those of a right answer."""
    return all(key in others and others[key] == value for key, value in values.items())
