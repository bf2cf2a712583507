"""The run folder: written in one piece, read back, verified. The one home of polars' files."""

from __future__ import annotations

from boxscore.runs.derived import list_derived, read_derived, read_derived_table, run_digest, write_derived
from boxscore.runs.read import SavedRun, read_run
from boxscore.runs.verify import verify
from boxscore.runs.write import check_target, write_run

__all__ = [
    "SavedRun",
    "check_target",
    "list_derived",
    "read_derived",
    "read_derived_table",
    "read_run",
    "run_digest",
    "verify",
    "write_derived",
    "write_run",
]
