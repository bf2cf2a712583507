"""Small cases worked by hand (`tests/cases`, each with its reasoning), by the oracle and by the command line."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import evaluation
from tests.support import command

FOLDER = Path(__file__).parent / "cases"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/expected.json"))
each_case = pytest.mark.parametrize("name", NAMES)


def content(name: str, file: str) -> Any:
    """A file of a case."""
    return json.loads((FOLDER / name / file).read_text())


def number(value: Any) -> float | None:
    """A value as `expected.json` writes it: null, a number, or a fraction as text."""
    return None if value is None else float(Fraction(value))


def is_near(found: float | None, value: Any) -> bool:
    """Equal but for the rounding of sums of a few hundred terms."""
    expected = number(value)
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) < 1e-12


def test_every_folder_is_whole() -> None:
    assert len(NAMES) >= 6
    for name in NAMES:
        assert {path.name for path in (FOLDER / name).iterdir()} == {
            "README.md",
            "gt.json",
            "pred.json",
            "expected.json",
        }


@each_case
def test_the_oracle(name: str) -> None:
    expected = content(name, "expected.json")
    ground_truth = content(name, "gt.json")
    limits = tuple(map(int, expected["options"][1].split(","))) if expected["options"] else (1, 10, 100)
    found = evaluation.evaluate(
        [image["id"] for image in ground_truth["images"]],
        ground_truth["annotations"],
        content(name, "pred.json"),
        sorted(category["id"] for category in ground_truth["categories"]),
        limits=limits,
    )
    assert is_near(evaluation.mean(found["precision"][:, 0, -1]), expected["summary"]["AP"])
    assert is_near(evaluation.mean(found["recall"][:, 0, -1]), expected["summary"]["AR"])
    assert is_near(evaluation.mean(found["recall"][:, 0, 0]), expected["summary"]["AR[max=1]"])
    for area, size in enumerate(("small", "medium", "large"), start=1):
        assert is_near(evaluation.mean(found["precision"][:, area, -1]), expected["summary"][f"AP[area={size}]"])


@each_case
def test_the_command(name: str) -> None:
    expected = content(name, "expected.json")
    folder = FOLDER / name
    report = command.evaluate(folder / "gt.json", folder / "pred.json", "--per-label", *expected["options"]).report
    assert list(report["summary"]) == list(expected["summary"])
    for measure, value in expected["summary"].items():
        assert is_near(report["summary"][measure], value), f"{measure}: {report['summary'][measure]}, not {value}"
    by_label = {row["label"]: row["value"] for row in report["metrics"] if row["measure"] == "AP" and row["label"]}
    for label, value in expected.get("labels", {}).items():
        assert is_near(by_label[label], value), label
    messages = " ".join(note["message"] for note in report["notes"])
    assert all(words in messages for words in expected.get("notes", []))
