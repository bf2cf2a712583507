"""Runs one process and measures all of it: wall time from start to exit, and peak memory.

Imports little on purpose: on Linux a child's peak counts the memory its parent held when it was started.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from engines import Engine

RSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Sample:
    """One process: seconds of wall and of all its threads together, bytes, and the figures it printed."""

    engine: str
    workload: str
    wall: float
    cpu: float
    peak: int
    figures: list[float | None]


def run_once(engine: Engine, folder: Path) -> Sample:
    """Run an engine on a workload. Raises RuntimeError with what the process said when it fails."""
    command = engine.command(folder)
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        output, complaint = _drain(process)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{engine.name} ended with {process.returncode} on {folder}:\n{complaint or output}")
    cpu = usage.ru_utime + usage.ru_stime
    return Sample(engine.name, folder.name, wall, cpu, usage.ru_maxrss * RSS_UNIT, engine.figures(output))


def _drain(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """All it prints. Standard error is short here (a few notes), so it can wait in its pipe until the rest is read."""
    # Both were asked for above.
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdout.read(), process.stderr.read()
