"""What tests need beside the package: where it is missing they are skipped, or fail where all must be there (CI)."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

EVERYTHING = os.environ.get("BOXSCORE_REQUIRE_DATA") == "1"


def module(name: str) -> Any:
    """A module of an extra."""
    return importlib.import_module(name) if EVERYTHING else pytest.importorskip(name)


def tool(name: str) -> str:
    """The path of a command that comes with the tools of development."""
    found = Path(sys.executable).with_name(name)
    if not found.exists() and not EVERYTHING:
        pytest.skip(f"{name} is a tool of development, not of every test environment")
    return str(found)


NO_RENDERING = "PyBullet renders: pip install 'boxscore[scenes]'"
# Of PyBullet there are wheels for one Python alone.
RENDERS = importlib.util.find_spec("pybullet") is not None or (EVERYTHING and sys.version_info[:2] == (3, 11))

rendering = pytest.mark.skipif(not RENDERS, reason=NO_RENDERING)
"""Marks tests that render scenes."""
