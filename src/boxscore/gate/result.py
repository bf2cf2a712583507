"""What a gate found."""

from __future__ import annotations

from collections import Counter

from boxscore.gate.rules import FAIL, FIXED, PASS, SIGNIFICANT
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.gate.checks import Check
    from boxscore.gate.power import Power
    from boxscore.gate.rules import Rules
    from boxscore.model.notes import Note


class GateResult:
    """Checks and the verdict.

    - `checks`: all of them; `failed`: those by which the gate fails.
    - `current`, `baseline`: how the two are called; `rules`: what was asked.
    - `drawn`: how noise was found (`unit`, `units`, `replicates`, `seed`, `group`), None where no rule asks for it.
    - `power`: what the rules can tell (None: not asked for); `notes`: what is worth knowing.
    """

    def __init__(
        self,
        checks: Sequence[Check],
        rules: Rules,
        *,
        current: str,
        baseline: str,
        drawn: Mapping[str, Any] | None = None,
        power: Power | None = None,
        notes: Sequence[Note] = (),
    ) -> None:
        self.checks = list(checks)
        self.rules = rules
        self.current = current
        self.baseline = baseline
        self.drawn = None if drawn is None else dict(drawn)
        self.power = power
        self.notes = list(notes)

    @property
    def failed(self) -> list[Check]:
        """In the order of the checks."""
        return [check for check in self.checks if check.failed]

    @property
    def passes(self) -> bool:
        """Whether no check fails."""
        return not self.failed

    @property
    def verdict(self) -> str:
        """`pass` or `fail`."""
        return PASS if self.passes else FAIL

    @property
    def headline(self) -> str:
        """`gate: FAIL: 1 of 46 checks fails (46 fixed)`."""
        judged = Counter(check.rule.judge for check in self.checks)
        kinds = ", ".join(f"{count} {judge}" for judge, count in sorted(judged.items()))
        checks = counted(len(self.checks), "check")
        which = f"{len(self.failed)} of {checks} fail{'' if len(self.failed) > 1 else 's'}" if self.failed else checks
        return f"gate: {self.verdict.upper()}: {which} ({kinds})"

    @property
    def noisy(self) -> bool:
        """Whether any check takes noise into account."""
        return any(check.rule.judge != FIXED for check in self.checks)

    @property
    def family(self) -> int:
        """Number of checks that are tested together."""
        return sum(check.rule.judge == SIGNIFICANT and check.p is not None for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "verdict": self.verdict,
            "failed": len(self.failed),
            "current": self.current,
            "baseline": self.baseline,
            "rules": self.rules.source,
            "level": self.rules.level,
            "drawn": self.drawn,
            "checks": [check.to_dict() for check in self.checks],
            **({} if self.power is None else {"power": self.power.to_dict()}),
            "notes": [note.to_dict() for note in self.notes],
        }
