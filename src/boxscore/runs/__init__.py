"""The run folder: written in one piece, read back, verified. The one home of polars' files."""

from __future__ import annotations

from boxscore.runs.read import SavedRun, read_run
from boxscore.runs.verify import verify
from boxscore.runs.write import check_target, write_run

__all__ = ["SavedRun", "check_target", "read_run", "verify", "write_run"]
