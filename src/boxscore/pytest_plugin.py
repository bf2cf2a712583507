"""Each check of a gate as a test with its own name, for pytest.

    def test_detector(boxscore_gate): ...

    $ pytest --boxscore-run runs/new --boxscore-baseline baseline --boxscore-rules gate.yaml
    FAILED test_model.py::test_detector[recall[conf=0.3]@0.5-light=dark] - Failed: …

The test fails where its check fails, whatever its body does. Options may stand in the ini-file as `boxscore_run` and so
on. docs/ci.md says more. Nothing is imported, and no gate computed, unless a test asks for the fixture.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from boxscore.errors import BoxscoreError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.gate.checks import Check
    from boxscore.gate.result import GateResult

FIXTURE = "boxscore_gate"
_OPTIONS = {
    "run": "run folder (or table of figures) that is held to the baseline",
    "baseline": "run folder (or table of figures) that it is held to",
    "rules": "YAML file of the gate's rules (default for run folders: the headline measure)",
    "metadata": "table of image metadata for slices (default: what the rules name)",
}
_NEEDED = ("run", "baseline")


@dataclass(frozen=True)
class GateCheck:
    """One check of the gate, as the fixture gives it.

    - `passes`: whether the gate lets it pass; `message`: the check in one sentence, with all its figures.
    - `check`: the check itself: `rule.measure`, `label`, `slice`, `baseline`, `current`, `limit`, `delta`, `p`, …
    """

    passes: bool
    message: str
    check: Check


_gate_key = pytest.StashKey[list[tuple[str, GateCheck]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, on the command line and in the ini-file."""
    group = parser.getgroup("boxscore", "gates of object detectors (fixture boxscore_gate)")
    for name, what in _OPTIONS.items():
        group.addoption(f"--boxscore-{name}", metavar="PATH", help=what)
        parser.addini(f"boxscore_{name}", f"{what}; relative to this file", default="")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test a check of each test that asks for the fixture."""
    if FIXTURE not in metafunc.fixturenames:
        return
    stash = metafunc.config.stash
    if _gate_key not in stash:
        try:
            stash[_gate_key] = _checks(metafunc.config)
        except BoxscoreError as error:
            # Told without a traceback; pytest then ends with status 2.
            raise pytest.Collector.CollectError(f"boxscore: {error}") from None
    found = stash[_gate_key]
    metafunc.parametrize(FIXTURE, [check for _, check in found], ids=[name for name, _ in found], indirect=True)


@pytest.fixture
def boxscore_gate(request: pytest.FixtureRequest) -> GateCheck:
    """One check of the gate; the test fails where it fails."""
    check: GateCheck = request.param
    return check


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Fail a test whose check failed; a test that failed already never comes here."""
    check = getattr(item, "funcargs", {}).get(FIXTURE)
    if isinstance(check, GateCheck) and not check.passes:
        pytest.fail(check.message, pytrace=False)


def _checks(config: pytest.Config) -> list[tuple[str, GateCheck]]:
    """All checks, once a session, each with its id. Raises BoxscoreError for what can't be judged."""
    from boxscore.gate.told import sentence

    found = _judged(config)
    names = _ids(found.checks)
    return [
        (name, GateCheck(not check.failed, sentence(check, found.rules.level), check))
        for name, check in zip(names, found.checks, strict=True)
    ]


def _judged(config: pytest.Config) -> GateResult:
    from boxscore.gate import gate, opened, rule_files
    from boxscore.gate.sides import Sides

    paths = {name: _path(config, name) for name in _OPTIONS}
    missing = [name for name in _NEEDED if paths[name] is None]
    if missing:
        raise InputError(
            f"a test asks for {FIXTURE}, and there is no {missing[0]}; give --boxscore-{missing[0]}, or "
            f"boxscore_{missing[0]} in the ini-file"
        )
    current, baseline = str(paths["run"]), str(paths["baseline"])
    rules = None if paths["rules"] is None else rule_files.read(paths["rules"])
    sides: Sides
    if opened.is_run(current) and opened.is_run(baseline):
        how = rule_files.RuleResampling(**({} if rules is None else dict(rules.resampling)))
        sides, rules = opened.runs(current, baseline, rules, how, metadata=paths["metadata"])
    else:
        opened.refuse_other_tables(current, baseline)
        sides = opened.figures(current, baseline)
        if rules is None:
            raise InputError("tables have no headline measure: say what they are held to with --boxscore-rules")
    return gate(sides, rules, current=current, baseline=baseline)


def _path(config: pytest.Config, name: str) -> str | None:
    """As the command line has it, else as the ini-file does, whose paths are relative to it."""
    given = config.getoption(f"--boxscore-{name}")
    if given is not None:
        return str(given)
    stated = config.getini(f"boxscore_{name}")
    if not stated:
        return None
    return str((config.inipath or config.rootpath / "ini").parent / str(stated))


def _ids(checks: Sequence[Check]) -> list[str]:
    """`AP`, `AP-person`, `recall@0.5-light=dark`; with how it is judged, and numbered, where two would be alike."""
    short = ["-".join(part for part in check.key if part is not None) for check in checks]
    alike = Counter(short)
    # How many ids are, or begin before a "#" with, a text.
    begun: Counter[str] = Counter()
    found: list[str] = []
    for name, check in zip(short, checks, strict=True):
        wanted = name if alike[name] == 1 else f"{name}-{check.rule.judge}"
        number = begun[wanted]
        given = wanted if number == 0 else f"{wanted}#{number + 1}"
        begun.update(given[:at] for at, sign in enumerate(f"{given}#") if sign == "#")
        found.append(given)
    return found
