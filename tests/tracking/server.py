"""A real MLflow server on loopback, with its SQLite store, and what it holds by its REST interface."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

QUIET = {"DO_NOT_TRACK": "true", "MLFLOW_DISABLE_TELEMETRY": "true", "GIT_PYTHON_REFRESH": "quiet"}
NEEDED = ("mlflow", "sqlalchemy", "alembic", "flask", "flask_cors", "graphene", "gunicorn")
"""The slim client, and what its server takes besides: MLflow whole would hold pyarrow back."""

_PATIENCE = 90.0
_ATTEMPTS = 3


class Server:
    """A server that answers at `address`."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get(self, page: str, **query: str) -> Any:
        """What the REST interface says."""
        return json.loads(self.fetch(f"api/2.0/mlflow/{page}", **query))

    def post(self, page: str, **content: Any) -> Any:
        """The answer to a request with a body."""
        request = urllib.request.Request(
            f"{self.address}/api/2.0/mlflow/{page}",
            data=json.dumps(content).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def fetch(self, page: str, **query: str) -> bytes:
        """A page's bytes."""
        url = f"{self.address}/{page}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            data: bytes = answer.read()
            return data

    def runs(self, experiment: str) -> list[Any]:
        """All runs of an experiment."""
        found = self.get("experiments/get-by-name", experiment_name=experiment)["experiment"]
        runs: list[Any] = self.post("runs/search", experiment_ids=[found["experiment_id"]]).get("runs", [])
        return runs

    def artifact(self, run_id: str, path: str) -> bytes:
        """An artifact's bytes, as the server hands them out."""
        return self.fetch("get-artifact", run_id=run_id, path=path)

    def artifacts(self, run_id: str, under: str = "") -> list[str]:
        """Paths of all its files."""
        listed = self.get("artifacts/list", run_id=run_id, path=under).get("files", [])
        found: list[str] = []
        for entry in listed:
            found += self.artifacts(run_id, entry["path"]) if entry.get("is_dir") else [entry["path"]]
        return sorted(found)


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """Start a server that keeps all it has in a folder; it is gone afterwards, its workers too."""
    log = folder / "server.log"
    for _ in range(_ATTEMPTS):
        port = _free_port()
        process = _start(folder, port, log)
        try:
            if _answers(f"http://127.0.0.1:{port}", process):
                yield Server(f"http://127.0.0.1:{port}")
                return
        finally:
            _stop(process)
    message = f"MLflow's server did not start:\n{log.read_text()}"
    raise AssertionError(message)


def _start(folder: Path, port: int, log: Path) -> subprocess.Popen[bytes]:
    store = f"sqlite:///{folder / 'mlflow.db'}"
    # gunicorn, as MLflow's other server imports its gateway and with it pandas; jobs would start workers of their own.
    command = [
        *(sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"),
        *("--backend-store-uri", store, "--artifacts-destination", str(folder / "artifacts")),
        *("--gunicorn-opts", "--no-control-socket --graceful-timeout 1"),
    ]
    env = os.environ | QUIET | {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "HOME": str(folder)}
    with log.open("wb") as output:
        return subprocess.Popen(command, cwd=folder, env=env, stdout=output, stderr=output, start_new_session=True)


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
        return port


def _answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until it does; False where the process ended before, as when someone else took the port."""
    until = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/health", timeout=5) as answer:
            # Another program may have the port: what is asked next only MLflow answers.
            if answer.read() == b"OK":
                return True
        time.sleep(0.1)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    """The server's session: what `mlflow` started, and what gunicorn did."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        if process.poll() is not None and number == signal.SIGTERM and not _members(process.pid):
            return


def _members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
