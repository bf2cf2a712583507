"""Rules: names and patterns, floors and ceilings, files and what is wrong with them."""

from pathlib import Path
from typing import Any

import pytest

from boxscore.errors import InputError
from boxscore.gate import rule_files
from boxscore.gate.rules import Rule, chosen, fits


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("*", "weather=rain & distance=(3,5]", True),
        ("weather=*", "weather=rain", True),
        ("weather=*", "weather=rain & distance=(3,5]", False),
        ("weather=* & distance=*", "weather=rain & distance=(3,5]", True),
        ("weather=*", "other weather=rain", False),
        ("distance=(3,5]", "distance=(3,5]", True),
        ("distance=(3,5]", "distance=3", False),
        ("*light", "traffic light", True),
        ("t*f*t", "traffic light", True),
        ("t*x*t", "traffic light", False),
        ("a*a", "a", False),
    ],
)
def test_patterns(pattern: str, name: str, expected: bool) -> None:
    assert fits(pattern, name) is expected


def test_what_is_meant_and_missing_is_still_meant() -> None:
    names = ["car", "van", "a*b"]
    assert chosen(["*"], names) == [("car", True), ("van", True), ("a*b", True)]
    assert chosen(["van", "bus", "c*"], names) == [("van", True), ("bus", False), ("car", True)]
    assert chosen(["x*"], names) == [("x*", False)]
    assert chosen(["a*b"], names) == [("a*b", True)]  # a name before a pattern


def test_floors_and_ceilings() -> None:
    higher, lower = Rule("r", "AP", slack=0.02, bound=0.4), Rule("r", "FP", better="lower", fraction=0.3, bound=20.0)
    assert higher.limit(0.5) == pytest.approx(0.48)
    assert higher.limit(0.41) == 0.4
    assert lower.limit(10.0) == pytest.approx(13.0)
    assert lower.limit(18.0) == 20.0
    assert higher.drop(0.5, 0.3) == pytest.approx(0.2)
    assert lower.drop(10.0, 12.0) == 2.0


def read(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "gate.yaml"
    path.write_text(text)
    return rule_files.read(path)


def test_a_whole_file(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        """
level: 0.1
slices: {by: [weather, "distance:0,3,inf"], where: "night = hour > 20", metadata: m.csv, support: 5}
resampling: {replicates: 300, group_by: clip}
rules:
  - {measure: AP, label: each, judge: significant, slack: 0.01}
  - {measure: "FP[conf=0.3]@0.5", slice: "weather=*", fraction: 0.3, ceiling: 9}
  - {measure: recall, judge: non-inferior, margin: 0.02, level: 0.1, undefined: pass}
  - {measure: "latency[p95]", slack: 3}
  - {measure: score, better: lower, slack: 1}
""",
    )
    ap, wrong, recall, latency, score = found.rules
    assert (ap.labels, ap.slack, ap.judge, ap.better) == (("*",), 0.01, "significant", "higher")
    assert (wrong.slices, wrong.fraction, wrong.bound, wrong.better) == (("weather=*",), 0.3, 9.0, "lower")
    assert (recall.slack, recall.level, recall.undefined) == (0.02, 0.1, "pass")
    assert (latency.better, score.better) == ("lower", "lower")
    assert (found.level, found.by, found.where) == (0.1, ("weather", "distance:0,3,inf"), ("night = hour > 20",))
    assert (found.metadata, found.support) == ("m.csv", 5)
    assert found.resampling == {"replicates": 300, "group_by": "clip"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "it must be a mapping"),
        ("rules: []", "rules must be a list of one rule or more"),
        ("rule: []", "rule is not known; did you mean rules?"),
        ("rules: [AP]", "rules[0] is 'AP'; it must be a mapping"),
        ("rules: [{label: car}]", "rules[0].measure is missing"),
        ("rules: [{measure: AP, slak: 1}]", "rules[0].slak is not known; did you mean slack?"),
        ("rules: [{measure: AP, judge: strict}]", "it must be one of fixed, significant, non-inferior"),
        ("rules: [{measure: AP, slack: -1}]", "rules[0].slack is -1.0; it must be 0 or more"),
        ("rules: [{measure: AP, slack: a}]", "rules[0].slack is 'a'; it must be a number"),
        ("rules: [{measure: AP, slack: 1, fraction: 1}]", "slack and fraction both say what is allowed"),
        ("rules: [{measure: AP, ceiling: 1}]", "rules[0].ceiling can't be, where higher is better"),
        ("rules: [{measure: FP, floor: 1}]", "rules[0].floor can't be, where lower is better"),
        ("rules: [{measure: AP, judge: significant, floor: 1}]", "floor is no part of a rule judged significant"),
        ("rules: [{measure: AP, judge: significant, level: 0.1}]", "significant rules share the file's level"),
        ("rules: [{measure: AP, judge: non-inferior}]", "rules[0].margin is missing, or 0"),
        ("rules: [{measure: AP, judge: non-inferior, slack: 0.1}]", "rules[0].slack is no part of"),
        ("rules: [{measure: AP, margin: 0.1}]", "rules[0].margin is no part of a rule judged fixed; write slack"),
        ("rules: [{measure: AP, undefined: skip}]", "it must be one of fail, pass"),
        ("rules: [{measure: AP, label: 3}]", "rules[0].label is 3; it must be a text"),
        ("rules: [{measure: AP}, {measure: AP, slack: 1}]", "rules[1] is about the same figures as rules[0]"),
        ("level: 2\nrules: [{measure: AP}]", "level is 2.0; it must lie between 0 and 1"),
        ("slices: {columns: a}\nrules: [{measure: AP}]", "slices.columns is not known"),
        ("resampling: {confidence: 0.9}\nrules: [{measure: AP}]", "resampling.confidence is not known"),
        ("rules: [{measure: AP}]\nrules: [{measure: AP}]", "rules is given twice"),
    ],
)
def test_files_that_can_not_be_used(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "gate.yaml"))
    assert words in str(caught.value)
