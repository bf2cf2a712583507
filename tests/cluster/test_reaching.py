"""What is said where Ray is missing, nothing answers, or versions differ: one paragraph, in seconds."""

import socket
import subprocess
import sys
import threading
from typing import Any

import pytest

from boxscore.cluster import knocking, reaching
from boxscore.cluster.engine import ray_engine
from boxscore.cluster.session import connect
from boxscore.errors import InputError
from tests.cluster.conftest import RAY
from tests.support import command, needs

pytestmark = RAY


def test_without_ray(monkeypatch: pytest.MonkeyPatch, shards: tuple[str, str]) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'boxscore\[ray\]', or leave out --engine"):
        ray_engine("ray")
    monkeypatch.undo()
    hidden = "import sys; sys.modules['ray'] = None; from boxscore.cli import main; sys.exit(main(sys.argv[1:]))"
    asked = [sys.executable, "-c", hidden, "eval", *shards, "--engine", "ray"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60)
    message = command.refusal(command.Finished(done.returncode, done.stdout, done.stderr))
    assert "pip install 'boxscore[ray]'" in message


def test_the_command_line_imports_no_ray_for_threads(shards: tuple[str, str]) -> None:
    looked = "import sys; from boxscore.cli import main; main(sys.argv[1:]); assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", looked, "eval", *shards], check=True, capture_output=True, timeout=60)


@pytest.mark.parametrize("address", ["ray://", "ray://host", "ray://host:port", "ray://:1"])
def test_no_address(address: str) -> None:
    with pytest.raises(InputError, match="no address of a Ray cluster; give ray://HOST:PORT"):
        connect(address)


def test_nothing_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(InputError, match=rf"ray://127\.0\.0\.1:{port}: no Ray cluster answers there \(.*refused\)"):
        connect(f"ray://127.0.0.1:{port}")


def test_something_else_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knocking, "_PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        def take() -> None:
            other.accept()[0].close()

        taken = threading.Thread(target=take, daemon=True)
        taken.start()
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{port}")
        with pytest.raises(InputError, match="something listens there that speaks otherwise"):
            connect("ray")
        taken.join()


def test_a_cluster_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = needs.module("ray")
    from ray._private.utils import check_version_info

    def differs(**_: Any) -> None:
        check_version_info({"ray_version": "2.9.3", "python_version": "3.10.4"}, "127.0.0.1")

    monkeypatch.setattr(ray, "init", differs)
    monkeypatch.setattr(reaching, "_of_this_host", lambda: None)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(InputError) as refused:
        connect("ray")
    message = str(refused.value)
    assert message.startswith(
        "the cluster of this host: the cluster runs Ray 2.9.3 with Python 3.10.4, and this is Ray "
    )
    assert "install ray==2.9.3 here under Python 3.10.4" in message
    assert "\n" not in message


def test_what_a_host_says_of_a_cluster_that_is_gone_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    needs.module("ray")
    monkeypatch.setattr("ray._private.utils.read_ray_address", lambda: "127.0.0.1:1")
    assert reaching._of_this_host() == "local"
    monkeypatch.setattr("ray._private.utils.read_ray_address", lambda: None)
    assert reaching._of_this_host() == "local"
    monkeypatch.setattr(reaching, "knock", lambda _: None)
    assert reaching._of_this_host() is None


ENDED = """Initialization failure from server:
Traceback (most recent call last):
  File "client/server/proxier.py", line 764, in Datapath
    if not self.proxy_manager.start_specific_server(
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "client/server/proxier.py", line 396, in start_specific_server
    cmd = psutil_proc.cmdline()
          ^^^^^^^^^^^^^^^^^^^^^
psutil.ZombieProcess: PID still exists but it's a zombie (pid=71)
"""
"""What Ray's client raises where the server that was forked for it has ended at once."""


def _raising(monkeypatch: pytest.MonkeyPatch, errors: list[str]) -> list[str]:
    """Let Ray raise these, one a connection, and then connect; the addresses that it was asked for."""
    ray = needs.module("ray")
    asked = []

    def init(address: str, **_: Any) -> None:
        asked.append(address)
        if len(asked) <= len(errors):
            raise ConnectionAbortedError(errors[len(asked) - 1])

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(reaching, "knock", lambda _: None)
    return asked


@pytest.mark.parametrize("told", [ENDED, "RuntimeError: Starting Ray client server failed. See its logs."])
def test_a_server_of_a_client_that_ends_at_once_is_started_again(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    asked = _raising(monkeypatch, [told] * 2)
    connect("ray://127.0.0.1:1")
    assert len(asked) == 3


def test_a_server_of_a_client_that_never_starts_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    _raising(monkeypatch, [ENDED] * 9)
    with pytest.raises(InputError) as refused:
        connect("ray://127.0.0.1:1")
    assert str(refused.value) == (
        "ray://127.0.0.1:1: no connection to Ray (psutil.ZombieProcess: PID still exists but it's a zombie (pid=71)); "
        "start its head with GRPC_ENABLE_FORK_SUPPORT=0 in the environment, and run the command again"
    )


def test_other_errors_of_a_cluster_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _raising(monkeypatch, ["the token is\nnot that of the cluster"] * 9)
    with pytest.raises(InputError, match=r"\(the token is not that of the cluster\); see that it runs: `ray status`"):
        connect("ray://127.0.0.1:1")
    assert len(asked) == 1
