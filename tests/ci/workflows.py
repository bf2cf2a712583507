"""Workflows as a server would run them, as far as a shell goes: their `run` steps, or scripts, one after another."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

Row = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A step that was run: its name, status and what it printed."""

    name: str
    status: int
    output: str


def load(path: Path) -> Row:
    content = yaml.safe_load(path.read_text())
    assert isinstance(content, dict)
    return content


def shell(script: str, folder: Path, **variables: str) -> tuple[int, str]:
    """Status and output of a script under bash as both servers start it: it ends at the first command that fails."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    environment = os.environ | {"PATH": tools} | variables
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, done.stdout + done.stderr


def github(path: Path, job: str, folder: Path, *, skip: Sequence[str] = (), **variables: str) -> list[Step]:
    """The `run` steps of a job, but for installing and what is to be skipped. After one that fails only those that say
    so are run.
    """
    done: list[Step] = []
    files = {"GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "GITHUB_OUTPUT": str(folder / "outputs")}
    for step in load(path)["jobs"][job]["steps"]:
        failed = any(one.status for one in done)
        if (
            "run" not in step
            or step["name"] in ("Install", *skip)
            or (failed and "!cancelled()" not in step.get("if", ""))
        ):
            continue
        status, output = shell(step["run"], folder, **files, **variables)
        done.append(Step(step["name"], status, output))
    return done


def gitlab(path: Path, job: str, folder: Path, **variables: str) -> Step:
    """The whole script of a job, but for its first part, which installs."""
    parts = load(path)[job]["script"]
    assert "pip install" in parts[0]
    status, output = shell("\n".join(parts[1:]), folder, **variables)
    return Step(job, status, output)


def scripts(content: object) -> Iterator[str]:
    """Every piece of shell in a workflow."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key == "run":
                yield value
            elif key == "script":
                yield from value
            else:
                yield from scripts(value)
    elif isinstance(content, list):
        for value in content:
            yield from scripts(value)
