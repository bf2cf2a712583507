"""Versions of what computes: provenance for whoever writes a result down."""

from __future__ import annotations

import sys


def versions() -> dict[str, str]:
    """Versions of boxscore, its kernel and Python."""
    import boxscore._kernel as kernel

    # The package's version is its kernel's: both are built from one number.
    python = ".".join(map(str, sys.version_info[:3]))
    return {"boxscore": kernel.__version__, "kernel": kernel.__version__, "python": python}
