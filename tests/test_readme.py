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


def test_the_example_prints_what_it_shows(tmp_path: Path) -> None:
    assert cli.main(["demo", "--out", str(tmp_path / "boxscore-demo")]) == 0
    commands = shown()
    assert [command.split()[0] for command, _ in commands] == ["boxscore", "head", "boxscore"]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command, text in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        printed = done.stderr if done.returncode else done.stdout
        assert " ".join(printed.split()) == text
        assert done.returncode == (2 if "error:" in text else 0)
