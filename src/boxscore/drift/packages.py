"""What makes an environment: Python's venv and pip, and their errors in one paragraph."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boxscore.drift.scorers import Asked, Scorer

_MOST_OFFERED = 5
_MOST_TOLD = 500


def make(environment: Path) -> None:
    """An empty environment with pip, of the Python that runs here. Raises InputError."""
    done = _run([sys.executable, "-I", "-m", "venv", str(environment)])
    if done.returncode:
        raise InputError(
            f"Python's venv can't make an environment: {_end(done.stdout + done.stderr)}; install what it asks for "
            "(on Debian and Ubuntu: python3-venv)"
        )


def newest(python: Path, scorer: Scorer, kept: Sequence[str]) -> str:
    """The newest version that pip would install. Raises InputError."""
    done = _pip(python, "--dry-run", "--no-deps", "--ignore-installed", "--report", "-", scorer.name)
    if done.returncode:
        raise InputError(_worded(scorer.name, done.stderr, scorer, kept))
    version: str = json.loads(done.stdout)["install"][0]["metadata"]["version"]
    return version


def install(python: Path, asked: Asked, kept: Sequence[str]) -> None:
    """Install a scorer with what it needs. Raises InputError."""
    done = _pip(python, asked.scorer.requirement(asked.version))
    if done.returncode:
        raise InputError(_worded(str(asked), done.stderr, asked.scorer, kept))


def _pip(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return _run(
        [str(python), "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", *arguments]
    )


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)


def _worded(what: str, said: str, scorer: Scorer, kept: Sequence[str]) -> str:
    """One paragraph of what pip said at length."""
    offered = re.search(r"\(from versions: ([^)]*)\)", said)
    versions = [] if offered is None or offered[1] == "none" else offered[1].split(", ")
    if versions:
        last = ", ".join(versions[-_MOST_OFFERED:])
        return f"{what}: pip finds no such version for this Python and platform; the last of {len(versions)} are {last}"
    if offered is not None:
        # Each scorer has releases: an index that answers would offer some.
        there = ", ".join(f"{scorer.name}=={version}" for version in kept)
        remedy = f"; environments made before, which need no network: {there}" if kept else ""
        return (
            f"{what}: pip finds no release of it at all: check that the network is there, and that the settings of pip "
            f"name an index that has it{remedy}"
        )
    errors = [line.removeprefix("ERROR:").strip() for line in said.splitlines() if line.startswith("ERROR:")]
    told = "; ".join(dict.fromkeys(errors)) or _end(said)
    return f"{what}: pip can't install it: {told[:_MOST_TOLD]}"


def _end(said: str) -> str:
    return " ".join(said.split())[-_MOST_TOLD:] or "it said nothing"
