"""Checks: one figure each, held to a rule, with what was found."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.gate.rules import FAIL, FIXED, LOWER, PASS, SIGNIFICANT, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Key = tuple[str, str | None, str | None]
    """Measure, label and slice; None: over all."""

    Point = tuple[float | None, str | None]
    """A figure, or the reason why it does not exist."""


@dataclass(slots=True)
class Check:
    """One figure held to a rule.

    - `baseline`, `current`: the figures, None where they do not exist; `limit`: the floor (ceiling, where lower is
      better); `delta`: current minus baseline.
    - `verdict`: `pass` or `fail`; `reason`: why, in words, where numbers don't say it.
    - `p`, `p_adjusted`: of rules that take noise into account; `std_error`: of the drop; `units`: what it rests on.
    - `detectable`: the drop that would be caught 8 times in 10; `equal_passes`: the chance that an equal model passes.
    """

    rule: Rule
    label: str | None
    slice: str | None
    baseline: float | None = None
    current: float | None = None
    limit: float | None = None
    verdict: str = PASS
    reason: str | None = None
    p: float | None = None
    p_adjusted: float | None = None
    std_error: float | None = None
    units: int | None = None
    detectable: float | None = None
    equal_passes: float | None = None

    @property
    def key(self) -> Key:
        """Measure, label and slice."""
        return self.rule.measure, self.label, self.slice

    @property
    def name(self) -> str:
        """`AP of car, weather=rain`."""
        measure, label, part = self.key
        return (measure if label is None else f"{measure} of {label}") + ("" if part is None else f", {part}")

    @property
    def failed(self) -> bool:
        """Whether the gate fails by it."""
        return self.verdict == FAIL

    @property
    def delta(self) -> float | None:
        """Current minus baseline."""
        if self.baseline is None or self.current is None:
            return None
        return self.current - self.baseline

    @property
    def ceiling(self) -> bool:
        """Whether `limit` is one, and no floor."""
        return self.rule.better == LOWER

    def fail(self, reason: str | None = None) -> None:
        """Let it fail."""
        self.verdict, self.reason = FAIL, reason

    def leave_undefined(self, reason: str) -> None:
        """Let it follow its rule's word for what does not exist."""
        self.verdict, self.reason = self.rule.undefined, reason

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        rule = self.rule
        return {
            "verdict": self.verdict,
            "slice": self.slice,
            "label": self.label,
            "measure": rule.measure,
            "judge": rule.judge,
            "baseline": self.baseline,
            "current": self.current,
            "ceiling" if self.ceiling else "floor": self.limit,
            "delta": self.delta,
            "reason": self.reason,
            "rule": rule.place,
            "undefined": rule.undefined,
            **({} if rule.judge == FIXED else self._noise()),
            **({} if self.equal_passes is None else {"power": self._power()}),
        }

    def _noise(self) -> dict[str, Any]:
        """The level of significant rules is the file's, as they are judged together."""
        together = self.rule.judge == SIGNIFICANT
        own = {"adjusted_p": self.p_adjusted} if together else {"level": self.rule.level}
        return {"p": self.p, **own, "std_error": self.std_error, "units": self.units}

    def _power(self) -> dict[str, Any]:
        return {"detectable": self.detectable, "std_error": self.std_error, "equal_passes": self.equal_passes}
