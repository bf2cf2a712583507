"""Studies: one file that declares a whole comparison, and the figures it must give again.

>>> from boxscore.study import check, read, write
>>> study = read("study.yaml")
>>> write(study)          # results.json, report.md, documents
>>> check(study).findings
"""

from __future__ import annotations

from boxscore.study.checked import check
from boxscore.study.read import read
from boxscore.study.written import write

__all__ = ["check", "read", "write"]
