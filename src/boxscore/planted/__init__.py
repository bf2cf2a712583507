"""Planted regressions: a gate that is seen to fail, by faults as they happen in a team's pipeline.

    demonstration = begin(Path("boxscore-regression"))
    demonstration.plant("labels-swapped").named  # the checks that name it

See "Seeing the gate fail" in docs/gate.md.
"""

from boxscore.planted.demonstration import Demonstration, begin
from boxscore.planted.faults import FAULTS
from boxscore.planted.results import NotShown, Shown

__all__ = ["FAULTS", "Demonstration", "NotShown", "Shown", "begin"]
