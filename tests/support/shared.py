"""Folders of files that the repository does not hold: real data, and cases from bug reports."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VARIABLES = {"data": "BOXSCORE_DATA", "cases": "BOXSCORE_CASES"}


def folder(name: str) -> Path:
    """Where `data` or `cases` should be: beside the repository, unless its variable says otherwise."""
    return Path(os.environ.get(VARIABLES[name]) or ROOT.parent / "shared" / name)


def folder_or_skip(name: str) -> Path:
    """The folder; where it is missing the test is skipped, or fails when `BOXSCORE_REQUIRE_DATA` is 1."""
    path = folder(name)
    if path.is_dir():
        return path
    reason = f"{path} is missing; set {VARIABLES[name]} to the folder"
    if os.environ.get("BOXSCORE_REQUIRE_DATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
