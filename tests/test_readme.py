"""The README's example: each command shown is run, and must print what is shown."""

import os
import subprocess
import sys
from pathlib import Path

from boxscore import cli

README = Path(__file__).parent.parent / "README.md"


def shown() -> list[tuple[str, str]]:
    """Commands of the indented blocks, each with the text shown beneath it (blanks and line breaks alike)."""
    found: list[tuple[str, list[str]]] = []
    for line in README.read_text(encoding="utf-8").splitlines():
        if line.startswith("    $ "):
            found.append((line.removeprefix("    $ "), []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line)
        elif line.strip() and found and found[-1][0] != "":
            found.append(("", []))
    return [(command, " ".join(" ".join(lines).split())) for command, lines in found if command]


def run(command: str, folder: Path) -> tuple[int, str]:
    """Status, and what is printed: the error where there is one."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, " ".join((done.stderr if done.returncode else done.stdout).split())


def test_the_commands_are_those_that_are_run_here() -> None:
    assert [command.split()[:2] for command, _ in shown()] == [
        ["boxscore", "eval"],
        ["head", "-c"],
        ["boxscore", "eval"],
        ["boxscore", "compare"],
    ]


def test_the_example_prints_what_it_shows(tmp_path: Path) -> None:
    assert cli.main(["demo", "--out", str(tmp_path / "boxscore-demo")]) == 0
    for command, text in shown()[:3]:
        assert run(command, tmp_path) == (2 if "error:" in text else 0, text)


def test_the_comparison_prints_what_it_shows(data_folder: Path) -> None:
    command, text = shown()[3]
    assert run(command, data_folder / "coco_val164") == (0, text)
