"""Text folders of the VOC tools, written and evaluated."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from boxscore import cli
from tests.support.command import Finished, refuse_constant


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """A folder of text files, by stem."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, text in files.items():
        (folder / f"{stem}.txt").write_text(text, encoding="utf-8")
    return folder


def run(truth: Path, detected: Path, *options: str | Path) -> list[str]:
    """The command line, without the program's name."""
    return ["voc", "--gt-folder", str(truth), "--det-folder", str(detected), *map(str, options)]


class Command:
    """`boxscore voc` inside this process, its streams caught."""

    def __init__(self, streams: pytest.CaptureFixture[str]) -> None:
        self._streams = streams

    def __call__(self, truth: Path, detected: Path, *options: str | Path) -> Finished:
        self._streams.readouterr()
        status = cli.main(run(truth, detected, *options))
        output, errors = self._streams.readouterr()
        return Finished(status, output, errors)

    def report(self, truth: Path, detected: Path, *options: str | Path) -> dict[str, Any]:
        """What `--json` prints."""
        finished = self(truth, detected, "--json", *options)
        assert finished.status == 0, finished.errors
        found = json.loads(finished.output, parse_constant=refuse_constant)
        assert isinstance(found, dict)
        return found
