"""The hooks that this repository offers to others, as pre-commit runs them."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ci import workflows
from tests.compare import made
from tests.support import command, needs

ROOT = Path(__file__).resolve().parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
STUDY, REPORT = "boxscore-study-check", "boxscore-report-check"
ARGUMENTS = {STUDY: ["study.yaml"], REPORT: ["runs/new", "--out", "page.md"]}


def hooks() -> dict[str, dict[str, Any]]:
    return {hook["id"]: hook for hook in yaml.safe_load(HOOKS.read_text())}


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of a team's: a study that was run, a run folder and its report."""
    folder = tmp_path_factory.mktemp("site")
    made.files(folder, 20)
    for arguments in (
        ("study", "init", "study.yaml", "gt.json", "good.json", "fair.json"),
        ("study", "run", "study.yaml"),
        ("eval", "gt.json", "good.json", "--out", "runs/new"),
        ("report", "runs/new", "--out", "page.md"),
    ):
        done = command.boxscore(*arguments, cwd=folder)
        assert done.status == 0, done.errors
    return folder


@pytest.fixture
def site(made_once: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    copied: Path = shutil.copytree(made_once, tmp_path / "site")
    return copied


def make_stale(site: Path, hook: str) -> None:
    """Change what the hook watches."""
    (changed,) = [site / "page.md"] if hook == REPORT else [site / "good.json"]
    changed.write_text(changed.read_text().replace("0.9", "0.8") + "\n")


def test_the_entries_find_what_is_stale(site: Path) -> None:
    for name, hook in hooks().items():
        line = f"{hook['entry']} {shlex.join(ARGUMENTS[name])}"
        status, output = workflows.shell(line, site)
        assert status == 0, output
    for name, hook in hooks().items():
        make_stale(site, name)
        line = f"{hook['entry']} {shlex.join(ARGUMENTS[name])}"
        status, output = workflows.shell(line, site)
        assert status == 1, output


def test_the_manifest_is_valid() -> None:
    assert set(hooks()) == set(ARGUMENTS)
    done = subprocess.run(
        [needs.tool("pre-commit"), "validate-manifest", str(HOOKS)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pre_commit_runs_them(site: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """From a repository that holds the hooks alone, into another one."""
    tool, home = needs.tool("pre-commit"), tmp_path_factory.mktemp("home")
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    author = {f"GIT_{who}_{what}": "tests" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = inherited | author | {"PATH": tools, "HOME": str(home), "PRE_COMMIT_HOME": str(home / "store")}

    def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=120)

    offered = tmp_path_factory.mktemp("hooks")
    shutil.copy(HOOKS, offered)
    for folder in (offered, site):
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all", "--no-verify"]):
            assert run("git", *words, cwd=folder).returncode == 0
    commit = run("git", "rev-parse", "HEAD", cwd=offered).stdout.strip()
    asked = [{"id": name, "args": arguments} for name, arguments in ARGUMENTS.items()]
    config = {"repos": [{"repo": str(offered), "rev": commit, "hooks": asked}]}
    (site / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    good = run(tool, "run", "--all-files", cwd=site)
    assert good.returncode == 0, good.stdout + good.stderr
    assert good.stdout.count("Passed") == 2
    make_stale(site, REPORT)
    bad = run(tool, "run", "--all-files", cwd=site)
    assert (bad.returncode, bad.stdout.count("Passed"), bad.stdout.count("Failed")) == (1, 1, 1)
