"""A scorer's figures against boxscore's: differences, and the switch that accounts for them, if one alone does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.drift.switches import Figures, Switched

CLOSE = 1e-6
"""Figures this near to each other are one figure, computed in another order."""


class Explanation:
    """What a comparison found.

    `agrees`: all figures are within CLOSE. `explains`: switches that alone bring boxscore to all of the scorer's
    figures; `explains_ap`: those that bring it to AP, which differs, though not to all. Where there is neither,
    `nearest` is the switch that leaves the smallest sum of differences, None where none leaves less than there is.
    """

    __slots__ = ("agrees", "explains", "explains_ap", "left", "nearest")

    def __init__(self, plain: Figures, scorer: Figures, switches: Sequence[Switched]) -> None:
        self.agrees = matches(plain, scorer)
        self.explains: list[Switched] = []
        self.explains_ap: list[Switched] = []
        self.nearest: Switched | None = None
        self.left: Figures = {}
        if self.agrees:
            return
        self.explains = [one for one in switches if matches(one.figures, scorer)]
        if not matches(plain, scorer, ("AP",)):
            near = [one for one in switches if matches(one.figures, scorer, ("AP",))]
            self.explains_ap = [one for one in near if one not in self.explains]
        if not self.explains and not self.explains_ap:
            nearest = min(switches, key=lambda one: _apart(one.figures, scorer), default=None)
            if nearest is not None and _apart(nearest.figures, scorer) < _apart(plain, scorer):
                self.nearest, self.left = nearest, differences(nearest.figures, scorer)

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        nearest = None if self.nearest is None else {**_named(self.nearest), "left": self.left}
        return {
            "agrees": self.agrees,
            "explains": [_named(one) for one in self.explains],
            "explains_ap_alone": [_named(one) for one in self.explains_ap],
            "nearest": nearest,
        }


def differences(plain: Figures, scorer: Figures) -> Figures:
    """The scorer's figure less boxscore's, for all that it gives; None where exactly one of the two exists."""
    found: Figures = {}
    for name, value in scorer.items():
        ours = plain.get(name)
        if value is None and ours is None:
            found[name] = 0.0
        else:
            found[name] = None if value is None or ours is None else value - ours
    return found


def matches(figures: Figures, scorer: Figures, names: Sequence[str] | None = None) -> bool:
    """Whether the figures (all that the scorer gives, or some) are the scorer's."""
    apart = differences(figures, scorer)
    wanted = [apart[name] for name in names or apart if name in apart]
    return bool(wanted) and all(value is not None and abs(value) <= CLOSE for value in wanted)


def _apart(figures: Figures, scorer: Figures) -> float:
    """Sum of all differences; a figure that one side lacks counts 1, the most that figures can differ by."""
    return sum(1.0 if value is None else abs(value) for value in differences(figures, scorer).values())


def _named(one: Switched) -> dict[str, str]:
    return {"switch": one.switch, "setting": one.setting}
