"""The pytest plugin: a test a check, in runs of pytest of their own."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.gate import gate, opened, rule_files
from boxscore.gate.checks import Check
from boxscore.gate.rules import Rule
from boxscore.io import frames
from boxscore.pytest_plugin import _ids
from tests.gate import made

pytest_plugins = ["pytester"]

RULES = """\
resampling: {replicates: 200}
rules:
  - {measure: AP, slack: 0.02}
  - {measure: AP, label: each, slack: 0.02}
  - {measure: AR, slice: "weather=*", slack: 0.02}
"""
TEST = "def test_detector(boxscore_gate): ...\n"
NAMES = ["AP", "AP-car", "AP-van", "AR-weather=clear", "AR-weather=fog"]
FAULTY = ["AP", "AP-car", "AP-van", "AR-weather=fog"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A baseline, a run as good, one that loses half of its detections in fog, and rules."""
    folder = tmp_path_factory.mktemp("gate")
    made.folder(folder / "base", made.predictions())
    made.folder(folder / "same", made.predictions())
    made.folder(folder / "faulty", made.predictions(fog=0.5))
    (folder / "gate.yaml").write_text(RULES)
    # Imported once and for all: pytester forgets what its own runs import, and libraries don't bear that.
    rules = rule_files.read(folder / "gate.yaml")
    gate(opened.runs(str(folder / "same"), str(folder / "base"), rules)[0], rules)
    frames.head(folder / "none.csv")
    return folder


@pytest.fixture
def site(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Pytest with this plugin alone, wherever the package is installed with its entry point or without."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(TEST)
    return pytester


def options(folders: Path, run: str, **more: str) -> list[str]:
    given = {"run": run, "baseline": "base", "rules": "gate.yaml"} | more
    return ["-p", "boxscore.pytest_plugin", *(f"--boxscore-{name}={folders / path}" for name, path in given.items())]


def outcomes(result: pytest.RunResult) -> dict[str, str]:
    """By the id of each test, what became of it; of `-v`."""
    rows = [line.split(" ") for line in result.outlines if "::test_detector[" in line and "%]" in line]
    return {row[0].split("test_detector[")[1].removesuffix("]"): row[1] for row in rows}


def test_each_check_is_a_test_with_its_name(site: pytest.Pytester, folders: Path) -> None:
    result = site.runpytest(*options(folders, "same"), "-v")
    assert outcomes(result) == dict.fromkeys(NAMES, "PASSED")


def test_a_check_that_fails_fails_its_test_whatever_the_body_does(site: pytest.Pytester, folders: Path) -> None:
    result = site.runpytest(*options(folders, "faulty"), "-v")
    assert outcomes(result) == {name: "FAILED" if name in FAULTY else "PASSED" for name in NAMES}
    result.assert_outcomes(passed=1, failed=4)
    told = result.stdout.str()
    assert "AR, weather=fog: baseline 0." in told
    assert "floor 0." in told
    assert "pytest_plugin.py" not in told
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_the_fixture_is_the_check(site: pytest.Pytester, folders: Path) -> None:
    site.makepyfile(
        """
        def test_detector(boxscore_gate):
            check = boxscore_gate.check
            assert check.current is not None and check.limit is not None
            assert boxscore_gate.passes == (check.current >= check.limit)
            assert boxscore_gate.message.startswith(check.name)
            assert boxscore_gate.passes, "said in words of my own"
        """
    )
    result = site.runpytest(*options(folders, "faulty"))
    result.assert_outcomes(passed=1, failed=4)
    assert result.stdout.str().count("Error: said in words of my own") >= 4


def test_an_expected_failure_is_one(site: pytest.Pytester, folders: Path) -> None:
    site.makepyfile("import pytest\n\n@pytest.mark.xfail\ndef test_detector(boxscore_gate): ...\n")
    site.runpytest(*options(folders, "faulty")).assert_outcomes(xfailed=4, xpassed=1)


def test_one_check_is_chosen_by_its_id(site: pytest.Pytester, folders: Path) -> None:
    node = "test_one_check_is_chosen_by_its_id.py::test_detector[AR-weather=fog]"
    site.runpytest(*options(folders, "faulty"), node).assert_outcomes(failed=1)


def test_the_ini_file_names_what_is_judged(site: pytest.Pytester, folders: Path) -> None:
    (site.path / "runs").symlink_to(folders)
    names = {"run": "same", "baseline": "base", "rules": "gate.yaml"}
    site.makeini("[pytest]\n" + "".join(f"boxscore_{name} = runs/{path}\n" for name, path in names.items()))
    inner = site.mkdir("inner")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "boxscore.pytest_plugin", "-q", ".."],
        cwd=inner, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "5 passed" in done.stdout, done.stdout + done.stderr
    over = site.runpytest("-p", "boxscore.pytest_plugin", f"--boxscore-run={folders / 'faulty'}")
    over.assert_outcomes(passed=1, failed=4)


def test_workers_of_xdist_name_the_tests_alike(site: pytest.Pytester, folders: Path) -> None:
    pytest.importorskip("xdist")
    result = site.runpytest_subprocess("-p", "xdist.plugin", *options(folders, "faulty"), "-n", "2")
    result.assert_outcomes(passed=1, failed=4)


def test_the_gate_is_computed_once(site: pytest.Pytester, folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = opened.runs

    def counted(*given: Any, **named: Any) -> Any:
        calls.append(given)
        return real(*given, **named)

    monkeypatch.setattr(opened, "runs", counted)
    site.makepyfile(first=TEST, second="class TestAll:\n    def test_detector(self, boxscore_gate): ...\n")
    site.runpytest(*options(folders, "same"), "first.py", "second.py").assert_outcomes(passed=10)
    assert len(calls) == 1


@pytest.mark.usefixtures("folders")
def test_tables_of_figures_are_judged_too(site: pytest.Pytester, tmp_path: Path) -> None:
    (tmp_path / "base.csv").write_text("measure,label,slice,value\nAP,,,0.5\nAP,car,,0.5\n")
    (tmp_path / "new.csv").write_text("measure,label,slice,value\nAP,,,0.5\nAP,car,,0.3\n")
    (tmp_path / "rules.yaml").write_text("rules: [{measure: AP}, {measure: AP, label: each}]\n")
    given = options(tmp_path, "new.csv", baseline="base.csv", rules="rules.yaml")
    result = site.runpytest(*given, "-v")
    assert outcomes(result) == {"AP": "PASSED", "AP-car": "FAILED"}
    given = [one for one in given if "rules" not in one]
    assert "tables have no headline measure" in site.runpytest(*given).stdout.str()


def test_rules_that_would_share_a_name_are_told_apart(site: pytest.Pytester, folders: Path) -> None:
    rules = folders / "twice.yaml"
    rules.write_text("rules: [{measure: AP}, {measure: AP, judge: significant}]\n")
    result = site.runpytest(*options(folders, "same", rules="twice.yaml"), "-v")
    assert list(outcomes(result)) == ["AP-fixed", "AP-significant"]


def test_labels_whose_names_hold_hyphens_are_told_apart() -> None:
    rule = Rule("rules[0]", "AP")
    checks = [Check(rule, "a-b", None), Check(rule, "a", "b"), Check(rule, "a", "c")]
    assert _ids(checks) == ["AP-a-b-fixed", "AP-a-b-fixed#2", "AP-a-c"]


@given(st.lists(st.tuples(*[st.sampled_from([None, "a", "a-b", "b", "a-fixed", "a-fixed#2", "#", "#2"])] * 2)))
def test_checks_are_numbered_as_their_names_are_counted(parts: list[tuple[str | None, str | None]]) -> None:
    """Oracle: counting all names before, at every check."""
    rule = Rule("rules[0]", "AP")
    short = ["-".join(part for part in ("AP", *pair) if part is not None) for pair in parts]
    told: list[str] = []
    for name in short:
        wanted = name if short.count(name) == 1 else f"{name}-fixed"
        number = sum(one == wanted or one.startswith(f"{wanted}#") for one in told)
        told.append(wanted if number == 0 else f"{wanted}#{number + 1}")
    assert _ids([Check(rule, *pair) for pair in parts]) == told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"run": "nowhere"}, "nowhere: there is no such file or folder"),
        ({"rules": "nowhere.yaml"}, "nowhere.yaml"),
        ({"run": "gate.yaml"}, "gate.yaml is no run folder"),
    ],
)
def test_what_cannot_be_judged_is_told_in_one_paragraph(
    site: pytest.Pytester, folders: Path, given: dict[str, str], told: str
) -> None:
    result = site.runpytest(*options(folders, given.pop("run", "same"), **given))
    output = result.stdout.str()
    assert told in output
    assert "Traceback" not in output
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_without_anything_to_judge_the_option_is_named(site: pytest.Pytester) -> None:
    result = site.runpytest("-p", "boxscore.pytest_plugin")
    assert "there is no run; give --boxscore-run, or boxscore_run in the ini-file" in result.stdout.str()


def test_nothing_is_imported_where_no_test_asks() -> None:
    code = (
        "import sys, boxscore.pytest_plugin\n"
        "heavy = {'numpy', 'polars', 'scipy', 'yaml', 'boxscore.gate', 'boxscore.pipeline', 'boxscore._kernel'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
