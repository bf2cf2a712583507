"""Workflows for a team's own continuous integration: what they run, and the files they are written to."""

from boxscore.ci.asked import Asked, Data
from boxscore.ci.written import SERVERS, Written, write

__all__ = ["SERVERS", "Asked", "Data", "Written", "write"]
