"""What became of a fault: the gate with it, what triage says, and the gate without it again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.triage.breakdown import MISS

if TYPE_CHECKING:
    from typing import Any

    from boxscore.gate.checks import Check
    from boxscore.gate.result import GateResult
    from boxscore.planted.faults import Planted
    from boxscore.triage import Triage

    Row = dict[str, Any]


@dataclass(frozen=True)
class Sorted:
    """What triage says of a run with a fault, beside the run without.

    `kinds`: of missed objects by kind, how many before and after; `kind`: the one that grew most (None: none grew);
    `row`: triage's own row of that kind.
    """

    kinds: dict[str, tuple[int, int]]
    kind: str | None
    row: Row | None


@dataclass(frozen=True)
class Shown:
    """A fault that was planted and undone.

    `missing`: names of checks that should have failed and didn't; `wrongly`: of those that it doesn't touch and that
    failed; `kind`: what triage says; `undone`: the gate afterwards.
    """

    name: str
    planted: Planted
    gate: GateResult
    missing: list[str]
    wrongly: list[str]
    triage: Sorted
    undone: GateResult
    commands: list[str]

    @property
    def naming(self) -> list[Check]:
        """The failed checks that name the fault."""
        return [check for check in self.gate.failed if check.key in self.planted.must]

    @property
    def named(self) -> list[str]:
        """The names of those checks."""
        return [check.name for check in self.naming]

    @property
    def ok(self) -> bool:
        """Whether the gate failed by the right checks, triage told the kind, and the gate passed afterwards."""
        told = self.triage.kind == self.planted.kind
        return not (self.gate.passes or self.missing or self.wrongly) and told and self.undone.passes


@dataclass(frozen=True)
class NotShown:
    """A fault that could not be shown, and why."""

    name: str
    reason: str
    ok: bool = False


def sorted_kinds(before: Triage, after: Triage) -> Sorted:
    """Missed objects by kind, of the run without fault and of the one with it."""
    counts = [
        Counter({row["mode"]: row["count"] for row in one.breakdown.rows if row["of"] == MISS})
        for one in (before, after)
    ]
    kinds = {kind: (counts[0][kind], counts[1][kind]) for kind in counts[1]}
    grown = {kind: now - was for kind, (was, now) in kinds.items()}
    kind = max(grown, key=lambda one: grown[one], default="")
    if grown.get(kind, 0) <= 0:
        return Sorted(kinds, None, None)
    row = next(row for row in after.breakdown.rows if row["of"] == MISS and row["mode"] == kind)
    return Sorted(kinds, kind, row)
