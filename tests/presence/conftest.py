"""The film of twenty seconds in a folder, and the command run in it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore.cli import main
from tests.presence.written import movienet, prediction, xray


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    xray(tmp_path / "xray")
    movienet(tmp_path / "movienet")
    prediction(tmp_path / "pred.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def score(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, dict[str, Any]]]:
    """`boxscore presence score --pred pred.json --json OPTIONS`, by source."""
    assert home.is_dir()

    def run(*options: str) -> dict[str, dict[str, Any]]:
        capsys.readouterr()
        status = main(["presence", "score", "--pred", "pred.json", "--json", *options])
        told = capsys.readouterr()
        assert status == 0, told.err
        return {one["source"]: one for one in json.loads(told.out)["sources"]}

    return run
