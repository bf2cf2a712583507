"""The command line as a user runs it: a process of its own, its two streams and its status."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Finished:
    """A command that has ended."""

    status: int
    output: str
    errors: str

    @property
    def report(self) -> dict[str, Any]:
        """What `--json` printed."""
        found = json.loads(self.output, parse_constant=refuse_constant)
        assert isinstance(found, dict)
        return found


def refuse_constant(word: str) -> None:
    """NaN and Infinity are no JSON: a value that does not exist is null."""
    message = f"{word} in the JSON output"
    raise AssertionError(message)


def boxscore(*arguments: str | Path, cwd: Path | None = None) -> Finished:
    """Run `boxscore ARGUMENTS` and wait for it."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "boxscore", *map(str, arguments)],
        capture_output=True,
        cwd=cwd,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        timeout=120,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def evaluate(ground_truth: str | Path, predictions: str | Path, *options: str, cwd: Path | None = None) -> Finished:
    """Run `boxscore eval GT PRED --json OPTIONS`."""
    return boxscore("eval", ground_truth, predictions, "--json", *options, cwd=cwd)


def refusal(finished: Finished) -> str:
    """The message of a refused command, after checking that it is one: status 2, one paragraph, no traceback."""
    assert finished.status == 2, finished
    assert finished.output == "", finished.output
    assert "Traceback" not in finished.errors, finished.errors
    lines = [line for line in finished.errors.splitlines() if not line.startswith("note: ")]
    message = "\n".join(lines).strip()
    assert message.startswith("error: "), finished.errors
    assert "\n\n" not in message, "more than one paragraph: " + message
    assert message.count("error: ") == 1, message
    return message
