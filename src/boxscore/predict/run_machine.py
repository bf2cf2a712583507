"""On what a run ran: processor, system, versions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from boxscore.model.versions import versions

if TYPE_CHECKING:
    from typing import Any


@cache
def processor() -> str:
    """The processor's name as the system has it; the architecture where it doesn't say."""
    import platform
    from pathlib import Path

    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name" and value.strip():
                return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def machine() -> dict[str, Any]:
    """Processor, how many of it this process may use, and the system."""
    import platform

    from boxscore.predict.session import processors

    return {
        "processor": processor(),
        "processors": processors(),
        "system": platform.system(),
        "release": platform.release(),
        "architecture": platform.machine(),
    }


def packages() -> dict[str, str]:
    """Versions of boxscore, Python and the packages that pictures and models go through, where they are installed."""
    from importlib.metadata import PackageNotFoundError, version

    found = versions()
    for name in ("numpy", "onnxruntime", "opencv-python-headless", "opencv-python", "pillow"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
