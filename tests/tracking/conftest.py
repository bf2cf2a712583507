"""The run that is logged, and how it is."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.command import Finished
from tests.tracking import made, server

Log = Callable[..., Finished]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder, with a report in it."""
    found = made.run_folder(tmp_path_factory.mktemp("runs") / "night shift")
    (found / "report.html").write_text("<title>vélo</title>", encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """`boxscore log` in a process of its own, for which nothing outside of a folder is there: no account, no cache."""
    home = tmp_path_factory.mktemp("home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WANDB_", "MLFLOW_"))}
    places = {f"WANDB_{kind}_DIR": str(home / kind) for kind in ("CACHE", "CONFIG", "DATA")}
    env = kept | server.QUIET | places | {"HOME": str(home), "NETRC": str(home / "netrc"), "PYTHONIOENCODING": "utf-8"}

    def run(*arguments: str | Path, **variables: str) -> Finished:
        done = subprocess.run(
            [sys.executable, "-m", "boxscore", "log", *map(str, arguments)],
            capture_output=True,
            cwd=home,
            env=env | variables,
            timeout=120,
            check=False,
        )
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(scope="module")
def mlflow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[server.Server]:
    """A server of this module's own."""
    if sys.platform == "win32":
        pytest.skip("MLflow's server needs a system that gunicorn runs on")
    lacking = [name for name in server.NEEDED if find_spec(name) is None]
    assert not lacking, "the pinned test tools hold what the server needs"
    with server.running(tmp_path_factory.mktemp("mlflow")) as found:
        yield found
