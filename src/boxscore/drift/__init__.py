"""The same files through other scorers, side by side with boxscore, and what explains the difference."""

from __future__ import annotations

from boxscore.drift.measured import Drift, drift

__all__ = ["Drift", "drift"]
