"""Rules: which figures are held to what, and how that is judged."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FIXED = "fixed"
SIGNIFICANT = "significant"
NON_INFERIOR = "non-inferior"
JUDGES = (FIXED, SIGNIFICANT, NON_INFERIOR)

HIGHER = "higher"
LOWER = "lower"

FAIL = "fail"
PASS = "pass"  # noqa: S105  a verdict

REFUSE = "refuse"

EACH = "*"
"""What any run of letters stands for in the names of labels and slices; alone: each of them."""

LEVEL = 0.05
"""Chance of error where nothing else is said: of all significant rules together, of a non-inferior one alone."""

_BOTH = " & "
"""Between the parts of a slice of several columns."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, which may stand for many checks.

    - `place`: where it stands, such as `rules[2]`; `measure` as the run, or the table, calls it.
    - `labels`, `slices`: names, or patterns with `*`; None: the figure over all labels, over all images.
    - `judge`: one of JUDGES.
    - `slack`: the drop that is allowed, in the measure's unit (a non-inferior rule's margin); with `fraction`, that
      share of the baseline's figure instead.
    - `bound`: a hard floor (`better` higher) or ceiling (lower) whatever the baseline has.
    - `level`: of a non-inferior rule.
    - `undefined`: whether a figure that does not exist fails the check or passes it.
    """

    place: str
    measure: str
    judge: str = FIXED
    labels: tuple[str, ...] | None = None
    slices: tuple[str, ...] | None = None
    better: str = HIGHER
    slack: float = 0.0
    fraction: float | None = None
    bound: float | None = None
    level: float = LEVEL
    undefined: str = FAIL

    def allowed(self, baseline: float) -> float:
        """The drop that is allowed from a baseline's figure (a rise, where lower is better)."""
        return self.slack if self.fraction is None else self.fraction * abs(baseline)

    def drop(self, baseline: float, current: float) -> float:
        """By how much the current figure is worse."""
        return current - baseline if self.better == LOWER else baseline - current

    def limit(self, baseline: float) -> float:
        """The floor, or where lower is better the ceiling, that a baseline's figure sets."""
        if self.better == LOWER:
            ceiling = baseline + self.allowed(baseline)
            return ceiling if self.bound is None else min(ceiling, self.bound)
        floor = baseline - self.allowed(baseline)
        return floor if self.bound is None else max(floor, self.bound)


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of a gate.

    `level`: the chance that the significant rules together fail an equal model. `by`, `where`, `metadata`, `support`:
    how slices are cut. `resampling`: what is drawn for the rules that take noise into account. `other_protocol`:
    whether a current run of another protocol than the baseline's fails the gate (FAIL) or is an error (REFUSE).
    """

    rules: tuple[Rule, ...]
    level: float = LEVEL
    by: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    metadata: str | None = None
    support: int | None = None
    resampling: dict[str, Any] = field(default_factory=dict)
    other_protocol: str = REFUSE
    source: str | None = None


def fits(pattern: str, name: str) -> bool:
    """Whether a name is one that a pattern stands for: `*` is any run of letters within a part of it.

    `weather=*` stands for the slices of the column weather, and not for those of weather and another column together.
    """
    if pattern == EACH:
        return True
    parts, names = pattern.split(_BOTH), name.split(_BOTH)
    return len(parts) == len(names) and all(map(_part_fits, parts, names))


def is_pattern(text: str) -> bool:
    """Whether it stands for names that have to be looked for."""
    return EACH in text


def chosen(patterns: Sequence[str], names: Sequence[str]) -> list[tuple[str, bool]]:
    """Names that are meant, each once, and whether each is there: a name that is missing is still meant.

    So is a pattern that fits nothing.
    """
    found: dict[str, bool] = {}
    for pattern in patterns:
        fitting = [name for name in names if fits(pattern, name)] if is_pattern(pattern) else []
        if pattern in names:
            fitting = [pattern]
        for name in fitting or [pattern]:
            found.setdefault(name, bool(fitting))
    return list(found.items())


def _part_fits(pattern: str, name: str) -> bool:
    first, *rest = pattern.split(EACH)
    if not rest:
        return pattern == name
    if not name.startswith(first):
        return False
    at = len(first)
    for middle in rest[:-1]:
        found = name.find(middle, at)
        if found < 0:
            return False
        at = found + len(middle)
    return len(name) - at >= len(rest[-1]) and name.endswith(rest[-1])
