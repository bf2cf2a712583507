"""A run that was evaluated otherwise: refused by name, or failed by name where the rules say so."""

from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.gate.checks import Check
from boxscore.gate.gating import gate
from boxscore.gate.rule_files import parse
from boxscore.gate.run_sides import RunSides
from boxscore.pipeline.run import Run
from tests.gate import made
from tests.support.command import boxscore, refusal

RULES = [
    {"measure": "AP", "judge": "significant"},
    {"measure": "recall[conf=0.2]@0.5", "slack": 0.5},
    {"measure": "AP", "label": "each", "undefined": "pass"},
]
LADDER = "[0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gate")
    made.folder(folder / "base", made.predictions())
    made.folder(folder / "same", made.predictions())
    made.folder(folder / "at90", made.predictions(), None, "--iou", "0.9")
    for word in ("refuse", "fail"):
        rules = f"other_protocol: {word}\nrules: [{{measure: AP}}, {{measure: 'recall[conf=0.2]@0.5'}}]\n"
        (folder / f"{word}.yaml").write_text(rules)
    return folder


def held(current: Run) -> list[Check]:
    sides = RunSides((made.run(made.predictions()), current), own_protocols=True)
    return gate(sides, parse({"rules": RULES}, "gate.yaml")).checks


def test_it_fails_by_a_check_of_its_own_and_nothing_is_held_to_the_baseline() -> None:
    # 0.5 alone makes every figure better: a gate that compared them would pass.
    protocol, *others = held(made.run(made.predictions(), iou=0.5))
    assert (protocol.name, protocol.verdict) == ("protocol", "fail")
    assert protocol.reason == (
        f"the current run was evaluated by another protocol: iou_thresholds is [0.5], and was {LADDER}"
    )
    assert [check.name for check in others] == ["AP", "recall[conf=0.2]@0.5", "AP of car", "AP of van"]
    for check in others:
        assert check.failed
        assert check.reason == "not held to the baseline, whose protocol is another"
        assert check.current is None
        assert check.baseline is not None


def test_a_measure_that_the_other_protocol_lacks_is_no_error() -> None:
    assert all(check.failed for check in held(made.run(made.predictions(), iou=0.9)))


def test_the_same_protocol_is_judged_as_ever() -> None:
    checks = held(made.run(made.predictions()))
    assert [check.name for check in checks] == ["AP", "recall[conf=0.2]@0.5", "AP of car", "AP of van"]
    assert not any(check.failed for check in checks)


def test_lost_images_are_told_beside_it() -> None:
    checks = held(made.run(made.predictions(58), made.truth(58), iou=0.9))
    assert [check.name for check in checks[:2]] == ["protocol", "images"]
    assert all(check.failed for check in checks)


def test_other_data_is_refused_all_the_same() -> None:
    with pytest.raises(InputError, match="number of images: 60 of the baseline, 62 of the current run"):
        held(made.run(made.predictions(62), made.truth(62), iou=0.9))
    with pytest.raises(InputError, match="label_agnostic"):
        held(made.run(made.predictions(), iou=0.9, label_agnostic=True))


def test_another_floor_of_the_protocol_fails_and_is_let_through_where_floors_are_own() -> None:
    runs = [made.run(made.predictions(), protocol="operating-point", confidence=floor) for floor in (0.2, 0.3)]
    rules = parse({"rules": [{"measure": "recall", "slack": 1}]}, "gate.yaml")
    protocol, recall = gate(RunSides((runs[0], runs[1]), own_protocols=True), rules).checks
    assert protocol.reason is not None
    assert protocol.reason.endswith("confidence is 0.3, and was 0.2")
    assert recall.failed
    assert gate(RunSides((runs[0], runs[1]), own_protocols=True, own_floors=True), rules).passes


def test_the_rules_say_which(home: Path) -> None:
    asked = ("gate", "at90", "--baseline", "base", "--rules")
    told = refusal(boxscore(*asked, "refuse.yaml", cwd=home))
    assert f"protocol field iou_thresholds is {LADDER} of the baseline and [0.9] of the current run" in told
    done = boxscore(*asked, "fail.yaml", "--markdown", "o.md", "--junit", "o.xml", "--github", cwd=home)
    assert done.status == 1
    assert done.output.startswith("gate: FAIL: 3 of 3 checks fail (3 fixed)\n")
    assert "iou_thresholds is [0.9], and was [0.5" in done.output
    for name in ("o.md", "o.xml"):
        assert "another protocol" in (home / name).read_text()
    assert "::error title=gate%3A protocol::protocol: " in done.output
    assert boxscore("gate", "same", "--baseline", "base", "--rules", "fail.yaml", cwd=home).status == 0


def test_another_word_is_refused() -> None:
    with pytest.raises(InputError, match="other_protocol"):
        parse({"other_protocol": "pass", "rules": RULES}, "gate.yaml")
