"""Reports of run folders: one HTML file that works offline, or Markdown, from the same sections."""

from __future__ import annotations

from boxscore.report.contents import Contents, read_contents
from boxscore.report.making import check, render

__all__ = ["Contents", "check", "read_contents", "render"]
