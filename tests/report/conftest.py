"""Run folders and reports, made once for all tests of this folder."""

from pathlib import Path

import pytest

from boxscore.cli import main
from tests.report import made


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Simulated scenes, two models, metadata and pictures."""
    return made.demo(tmp_path_factory.mktemp("report-scenes"))


@pytest.fixture(scope="session")
def runs(scenes: Path) -> Path:
    """`candidate` and `baseline`, with slices and intervals, and `point`, the candidate at an operating point."""
    home = scenes / "runs"
    made.sliced(scenes, "candidate", home / "candidate")
    made.sliced(scenes, "baseline", home / "baseline")
    made.evaluated(scenes, "candidate", home / "point", "--protocol", "operating-point")
    return home


@pytest.fixture(scope="session")
def page(scenes: Path, runs: Path) -> Path:
    """The report of the candidate, with all that there is to show."""
    assert main(["gate", str(runs / "candidate"), "--baseline", str(runs / "baseline")]) in (0, 1)
    out = scenes / "report.html"
    arguments = ["--baseline", str(runs / "baseline"), "--images", str(scenes / "images")]
    assert main(["report", str(runs / "candidate"), *arguments, "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="session")
def point_page(scenes: Path, runs: Path) -> Path:
    """The report of the run at an operating point."""
    out = scenes / "point.html"
    assert main(["report", str(runs / "point"), "--out", str(out)]) == 0
    return out
