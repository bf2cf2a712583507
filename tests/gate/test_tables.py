"""Tables without a run: figures, and samples."""

import json
import shutil
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.gate import opened, rule_files
from boxscore.gate.gating import gate
from boxscore.gate.result import GateResult
from tests.support.command import boxscore, refusal
from tests.support.shared import folder_or_skip


def pilot(current: Path, baseline: str = "baseline") -> GateResult:
    home = folder_or_skip("data") / "perceptorguard"
    rules = rule_files.read(home / "configs" / "gate_thresholds.yml")
    sides = opened.figures(str(current), str(home / "artifacts" / baseline))
    return gate(sides, rules)


def evaluated(tmp_path: Path) -> Path:
    source = folder_or_skip("data") / "perceptorguard" / "artifacts" / "eval"
    return Path(shutil.copytree(source, tmp_path / "eval"))


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_pilot_has_46_checks(tmp_path: Path) -> None:
    found = pilot(evaluated(tmp_path))
    by_rule = [
        (check.rule.measure, check.label is not None, check.slice and check.slice.split("=")[0])
        for check in found.checks
    ]
    assert len(by_rule) == 46
    assert found.passes
    counts = {one: by_rule.count(one) for one in by_rule}
    overall = dict.fromkeys([(one, False, None) for one in ("AP", "recall", "precision", "FP")], 1)
    labels = dict.fromkeys([("AP", True, None), ("recall", True, None)], 9)
    sizes = {"profile": 6, "distance_bin": 3, "lighting_bin": 3}
    slices = {(one, False, column): size for column, size in sizes.items() for one in ("recall", "FP")}
    assert counts == overall | labels | slices
    small = folder_or_skip("data") / "perceptorguard" / "artifacts" / "ci_eval"
    assert len(pilot(small, "ci_baseline").checks) == 46


def test_a_label_that_is_lost_fails_one_check(tmp_path: Path) -> None:
    current = evaluated(tmp_path)
    changed(current / "metrics_class.csv", "0.009090909090909092", "0.0")
    found = pilot(current)
    (check,) = found.failed
    assert (check.label, check.rule.measure, check.slice) == ("sports ball", "AP", None)
    numbers = (check.baseline, check.current, check.limit, check.delta)
    assert [f"{one:.4f}" for one in numbers if one is not None] == ["0.0091", "0.0000", "0.0041", "-0.0091"]


def test_more_false_positives_than_the_ceiling_fail(tmp_path: Path) -> None:
    current = evaluated(tmp_path)
    changed(current / "metrics_profile.csv", "dark,0,5,", "dark,0,7,")
    (check,) = pilot(current).failed
    assert (check.slice, check.limit, check.current) == ("profile=dark", 6.5, 7.0)
    changed(current / "metrics_profile.csv", "dark,0,7,", "dark,0,6,")
    assert pilot(current).passes


def test_p04_what_the_current_tables_lack_fails(tmp_path: Path) -> None:
    current = evaluated(tmp_path)
    (current / "metrics_lighting_bin.csv").unlink()
    lines = (current / "metrics_class.csv").read_text().splitlines()
    (current / "metrics_class.csv").write_text("\n".join(line for line in lines if not line.startswith("cube")))
    failed = pilot(current).failed
    assert [check.name for check in failed[:2]] == ["AP of cube", "recall of cube"]
    assert {check.slice for check in failed[2:]} == {
        f"lighting_bin={name}" for name in ("dark (≤0.25)", "normal (0.25-0.7)", "bright (>0.7)")
    }
    assert len(failed) == 2 + 6
    (current / "metrics_overall.csv").unlink()
    assert len(pilot(current).failed) == 2 + 6 + 4


def test_a_tidy_table_and_json_are_one(tmp_path: Path) -> None:
    rows = [("AP", "", "", "0.5", ""), ("AP", "car", "night", "", "no ground truth"), ("AP", "car", "", "0.4", "")]
    text = "measure,label,slice,value,reason\n" + "".join(",".join(row) + "\n" for row in rows)
    (tmp_path / "a.csv").write_text(text)
    fields = ("measure", "label", "slice", "value", "reason")
    named: list[dict[str, object]] = [dict(zip(fields, [cell or None for cell in row], strict=True)) for row in rows]
    for row in named:
        row["value"] = None if row["value"] is None else float(str(row["value"]))
    (tmp_path / "b.json").write_text(json.dumps({"metrics": named}))
    rules = rule_files.parse({"rules": [{"measure": "AP", "label": "car", "slice": "night"}, {"measure": "AP"}]}, "r")
    for names in (("a.csv", "b.json"), ("b.json", "a.csv")):
        night, overall = gate(opened.figures(*(str(tmp_path / name) for name in names)), rules).checks
        assert night.reason == "the current figure does not exist: no ground truth"
        assert (overall.baseline, overall.current, overall.verdict) == (0.5, 0.5, "pass")


def test_figures_alone_have_no_noise(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("measure,value\nAP,0.5\n")
    sides = opened.figures(str(tmp_path / "a.csv"), str(tmp_path / "a.csv"))
    for rule, words in (
        ({"measure": "AP", "judge": "significant"}, "needs the images behind the figures"),
        ({"measure": "AQ"}, r"rules\[0\]: no table has a measure 'AQ'; there are AP|neither table has a measure"),
    ):
        with pytest.raises(InputError, match=words):
            gate(sides, rule_files.parse({"rules": [rule]}, "r"))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "measure,value\nAP,0.5\nAP,0.6\n", "two rows of AP"),
        ("a.csv", "measure,value\nAP,much\n", "a.csv line 2: value is 'much'"),
        ("a.csv", "measure,value\n,1\n", "line 2: measure is missing"),
        ("a.json", "[1]", "has no list of metrics"),
        ("metrics_class.csv", "label,ap\ncar,1\n", "class"),
        ("metrics_class.csv", "class,ap\ncar,1\ncar,2\n", "must be named, and once"),
        ("metrics_overall.csv", "map\n1\n2\n", "has 2 rows"),
    ],
)
def test_tables_that_can_not_be_used(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    place = tmp_path if name.startswith("metrics_") else tmp_path / name
    with pytest.raises(InputError, match=words):
        opened.figures(str(place), str(place))


def samples(folder: Path, name: str, lost: int = 0, slow: float = 1.0, skip: int = -1) -> Path:
    """200 tasks of two kinds: of the first kind `lost` more fail."""
    lines = ["task,kind,success,latency"]
    for at in range(200):
        kind = "plan" if at % 2 else "act"
        good = at % 5 != 0 and not (kind == "act" and at < 2 * lost)
        if at != skip:
            lines.append(f"t{at},{kind},{str(good).lower()},{slow * (100 + at % 17)}")
    path = folder / f"{name}.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


RULES = """
slices: {by: [kind], where: ["quick = latency < 0"]}
rules:
  - {measure: success, slice: kind=*, judge: significant}
  - {measure: success, judge: non-inferior, margin: 0.05}
  - {measure: "latency[p95]", fraction: 0.2}
"""


def test_samples_are_sliced_paired_and_gated(tmp_path: Path) -> None:
    (tmp_path / "gate.yaml").write_text(RULES)
    base = samples(tmp_path, "base")

    def verdicts(current: Path) -> list[str]:
        done = boxscore(
            "gate", current, "--baseline", base, "--sample-id", "task", "--rules", tmp_path / "gate.yaml", "--json"
        )
        assert done.status == (1 if done.report["verdict"] == "fail" else 0)
        return [f"{one['slice']} {one['measure']} {one['verdict']}" for one in done.report["checks"]]

    assert verdicts(base) == [
        "kind=act success pass",
        "kind=plan success pass",
        "None success pass",
        "None latency[p95] pass",
    ]
    assert verdicts(samples(tmp_path, "worse", lost=30, slow=1.3)) == [
        "kind=act success fail",
        "kind=plan success pass",
        "None success fail",
        "None latency[p95] fail",
    ]
    assert verdicts(samples(tmp_path, "few", skip=3))[:2] == ["None samples fail", "kind=act success fail"]


def test_other_samples_are_refused(tmp_path: Path) -> None:
    (tmp_path / "gate.yaml").write_text(RULES)
    base, few = samples(tmp_path, "base"), samples(tmp_path, "few", skip=3)
    asked = ("--sample-id", "task", "--rules", tmp_path / "gate.yaml")
    assert "has samples that" in refusal(boxscore("gate", base, "--baseline", few, *asked))
    assert "t3" in refusal(boxscore("gate", base, "--baseline", few, *asked))
    assert "there is no column 'id'" in refusal(
        boxscore("gate", base, "--baseline", base, "--sample-id", "id", *asked[2:])
    )
    assert "name its column of ids with --sample-id" in refusal(boxscore("gate", base, "--baseline", base))
    assert "say what they are held to with --rules" in refusal(boxscore("gate", base, "--baseline", base, *asked[:2]))
    for rule, words in (
        ("{measure: speed}", "neither table has a column 'speed'"),
        ("{measure: kind}", "column kind holds 'act'; it must hold numbers"),
        ("{measure: success, label: a}", "a table of samples has no labels"),
    ):
        (tmp_path / "gate.yaml").write_text(f"rules: [{rule}]")
        assert words in refusal(boxscore("gate", base, "--baseline", base, *asked))
