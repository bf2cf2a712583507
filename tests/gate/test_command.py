"""The command: what it prints and writes, its statuses, and making a baseline."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from boxscore.pipeline.saved import load_run
from boxscore.runs import read_derived, read_run
from tests.gate import made
from tests.support.command import boxscore, refusal

ROOT = Path(__file__).resolve().parents[2]
RULES = """
rules:
  - {measure: "recall[conf=0.2]@0.5", slice: weather=*, judge: significant}
  - {measure: "FP[conf=0.2]@0.5", fraction: 0.5}
  - {measure: AP, label: each, judge: non-inferior, margin: 0.2}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A baseline and two runs, `same` and `fogged`."""
    folder = tmp_path_factory.mktemp("gate")
    made.folder(folder / "base", made.predictions())
    made.folder(folder / "same", made.predictions(seed=2))
    made.folder(folder / "fogged", made.predictions(seed=2, fog=0.4))
    (folder / "gate.yaml").write_text(RULES)
    return folder


def test_pass_fail_and_what_is_written(home: Path) -> None:
    good = boxscore("gate", "same", "--baseline", "base", "--rules", "gate.yaml", cwd=home)
    assert good.status == 0
    assert good.output.startswith("gate: PASS: 5 checks (1 fixed, 2 non-inferior, 2 significant)\n")
    bad = boxscore(
        *("gate", "fogged", "--baseline", "base", "--rules", "gate.yaml"),
        *("--markdown", "o.md", "--junit", "o.xml", "--github", "--power"),
        cwd=home,
    )
    assert bad.status == 1
    assert bad.output.startswith("gate: FAIL: ")
    (line,) = (line for line in bad.output.splitlines() if line.startswith("weather=fog") and line.endswith("fail"))
    assert line.split()[:3] == ["weather=fog", "all", "recall[conf=0.2]@0.5"]
    assert "an equal model passes: all " in bad.output
    assert (
        "\n::error title=gate%3A recall[conf=0.2]@0.5%2C weather=fog::recall[conf=0.2]@0.5, weather=fog: " in bad.output
    )
    assert bad.output.rstrip().splitlines()[-1].startswith("::notice title=gate::gate: FAIL: ")
    markdown = (home / "o.md").read_text()
    assert markdown.startswith("### gate: FAIL: ")
    assert "| weather=fog | all | recall\\[conf=0.2\\]@0.5 |" in markdown
    suite = ET.fromstring((home / "o.xml").read_text()).find("testsuite")
    assert suite is not None
    saved = read_derived(home / "fogged", "gate")
    assert saved is not None
    failed = [check for check in saved["checks"] if check["verdict"] == "fail"]
    assert suite.get("failures") == str(len(failed)) == str(saved["failed"])
    assert len(suite.findall("testcase/failure")) == len(failed)
    assert len(suite.findall("testcase")) == len(saved["checks"]) == 5


def test_json_is_alone_on_standard_output_and_what_is_kept(home: Path) -> None:
    asked = ("gate", "fogged", "--baseline", "base", "--rules", "gate.yaml", "--json", "--github")
    done = boxscore(*asked, cwd=home)
    assert done.status == 1
    assert done.report == read_derived(home / "fogged", "gate")
    assert "::error" in done.errors
    assert boxscore(*asked, "--threads", "1", cwd=home).output == done.output
    other = boxscore(*asked, "--seed", "5", cwd=home).report
    assert other["drawn"] == {"unit": "image", "units": 60, "replicates": 1000, "seed": 5}


def test_without_rules_the_headline_is_held(home: Path) -> None:
    done = boxscore("gate", "fogged", "--baseline", "base", "--all", cwd=home)
    assert done.status == 1
    assert [line.split()[1:3] for line in done.output.splitlines()[3:6]] == [
        ["all", "AP"],
        ["car", "AP"],
        ["van", "AP"],
    ]


@pytest.mark.parametrize("slim", [False, True])
def test_a_promoted_baseline_judges_as_the_run_did(home: Path, slim: bool) -> None:
    base = f"promoted-{slim}"
    (home / "ms.json").write_text("[10, 11, 12, 13]")
    done = boxscore("gate", "--promote", "base", base, *(["--slim"] if slim else []), "--latency", "ms.json", cwd=home)
    assert done.status == 0
    original, kept = load_run(home / "base"), load_run(home / base)
    assert kept.summary == original.summary
    assert kept.data_identity == original.data_identity
    assert read_run(home / base).manifest["inputs"] == read_run(home / "base").manifest["inputs"]
    asked = ("gate", "fogged", "--rules", "gate.yaml", "--json")
    first, second = (boxscore(*asked, "--baseline", name, cwd=home).report for name in ("base", base))
    assert first["checks"] == second["checks"]
    again = refusal(boxscore("gate", "--promote", "base", base, cwd=home))
    assert "--overwrite" in again
    assert boxscore("gate", "--promote", "base", base, "--overwrite", cwd=home).status == 0


def test_the_slim_form_keeps_what_checks_need_alone(home: Path) -> None:
    assert boxscore("gate", "--promote", "base", "slim", "--slim", "--overwrite", cwd=home).status == 0
    saved = read_run(home / "slim")
    assert saved.table("images").columns == ["image", "image_id", "file_name", "group", "weather"]
    assert saved.table("ground_truth").columns == ["image", "label", "matched", "ignored"]
    assert saved.table("detections").columns == ["image", "label", "score", "rank", "matched", "ignored", "gt"]
    assert "pairs" not in saved.tables
    assert saved.manifest["not_kept"]["pairs"] == "the table: left out of the slim form"
    whole = sum(file.stat().st_size for file in (home / "base").glob("*.parquet"))
    assert sum(file.stat().st_size for file in (home / "slim").glob("*.parquet")) < whole


def test_what_can_not_be_verified_is_no_baseline(home: Path) -> None:
    made.folder(home / "damaged", made.predictions())
    path = home / "damaged" / "detections.parquet"
    pl.read_parquet(path).with_columns(pl.col("score") / 2).write_parquet(path)
    told = refusal(boxscore("gate", "--promote", "damaged", "new", cwd=home))
    assert "column score are not those that were written" in told
    assert not (home / "new").exists()
    assert "is the run itself" in refusal(boxscore("gate", "--promote", "base", "base", "--overwrite", cwd=home))
    assert "no such folder" in refusal(boxscore("gate", "--promote", "none", "new", cwd=home))


def test_latencies_are_ruled_on(home: Path) -> None:
    (home / "l.yaml").write_text(
        "rules: [{measure: 'latency[p95]', slack: 1}, {measure: 'latency[p50]', slice: device=b}]"
    )
    (home / "one.csv").write_text("latency_ms\n10\n12\n")
    (home / "two.json").write_text(json.dumps([{"device": "a", "ms": [10]}, {"device": "b", "ms": [11, 14]}]))

    def checks(latency: str, *options: str) -> list[list[object]]:
        asked = ("gate", "same", "--baseline", "base", "--rules", "l.yaml", "--latency", latency, "--json", *options)
        return [[one["verdict"], one["current"], one["reason"]] for one in boxscore(*asked, cwd=home).report["checks"]]

    lacks = "the baseline has no latencies; give them with --baseline-latency FILE"
    assert checks("one.csv") == [["fail", None, lacks], ["fail", None, "there is no slice 'device=b'"]]
    first, second = checks("one.csv", "--baseline-latency", "one.csv")
    assert first == ["pass", pytest.approx(11.9), None]
    assert second[2] == "there is no slice 'device=b'"
    first, second = checks("two.json", "--baseline-latency", "two.json")
    assert first[2] == "the baseline has latencies of several devices; name one in the rule: slice: device=NAME"
    assert second == ["pass", 12.5, None]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["same"], "give one run, and its baseline"),
        (["same", "fogged", "--baseline", "base"], "give one run, and its baseline"),
        (["none", "--baseline", "base"], "none: there is no such file or folder"),
        (["same", "--baseline", "none"], "error: none: there is no such file or folder"),
        (["same", "--baseline", "gate.yaml"], "same is a run folder, and gate.yaml is none"),
        (["same", "--baseline", "base", "--latency", "none.csv"], "none.csv: there is no such file of latencies"),
        (["same", "--baseline", "base", "--rules", "none.yaml"], "none.yaml can't be read"),
        (["same", "--baseline", "base", "--markdown", "none/o.md"], "none/o.md can't be written"),
        (["same", "--baseline", "base", "--metadata", "none.csv"], "none.csv"),
        (["gate.yaml", "--baseline", "base"], "is no run folder, and no table of figures"),
        (["--promote", "same", "b", "--baseline", "base"], "--promote takes a run and the folder to make"),
    ],
)
def test_mistakes(home: Path, arguments: list[str], words: str) -> None:
    done = boxscore("gate", *arguments, cwd=home)
    assert done.status == 2
    assert words in done.errors
    assert "Traceback" not in done.errors


def test_the_demonstration_passes_fails_and_passes(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "scripts" / "gate_demo.py"), str(tmp_path / "demo")]
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verdicts: pass, fail, pass" in done.stdout
    assert "light=dark     all  recall[conf=0.3]@0.5" in done.stdout
