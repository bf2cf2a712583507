"""Triage: which mistakes a model makes, what each kind costs, where they gather, and what to collect next.

    found = triage("runs/epoch-1", Options(confidence=0.25))
    found.breakdown.rows  # modes with counts, costs, labels, slices
    found.searched.findings  # conditions under which failures are more frequent

See docs/triage.md.
"""

from __future__ import annotations

from boxscore.triage.analysis import NAME, save, triage
from boxscore.triage.options import Options
from boxscore.triage.results import Triage
from boxscore.triage.suggest import Sampling, read_sampling

__all__ = ["NAME", "Options", "Sampling", "Triage", "read_sampling", "save", "triage"]
