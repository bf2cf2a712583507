"""Ways in which a part of a cluster ends, at a stage of the work."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

_WORKERS = (b"ray::run", b"ray::IDLE")
"""Titles of processes that run tasks; the agents of a node have such titles too, and the node ends with them."""


class At:
    """Progress that does something once, when so many of a stage are done."""

    def __init__(self, stage: str, done: int, action: Callable[[], None]) -> None:
        self._when = stage, done
        self._action = action
        self.happened = False

    def __call__(self, stage: str, done: int, total: int) -> None:
        assert done <= total
        if not self.happened and stage == self._when[0] and done >= self._when[1]:
            self.happened = True
            self._action()


def kill_workers(cluster: Any) -> None:
    """End all processes that run tasks, as a system short of memory does."""
    raylets = {raylet_of(node) for node in cluster.list_all_nodes()}
    killed = [pid for pid in _pids() if _parent(pid) in raylets and _title(pid).startswith(_WORKERS)]
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)


def raylet_of(node: Any) -> int:
    return int(node.all_processes["raylet"][0].process.pid)


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def _title(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return -1
