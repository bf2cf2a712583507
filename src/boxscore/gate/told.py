"""Checks in words and cells, the same for terminals, Markdown, JUnit and annotations."""

from __future__ import annotations

from boxscore.gate.rules import FIXED, SIGNIFICANT
from boxscore.model.measure import COUNTS, TALLIES
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.gate.checks import Check
    from boxscore.gate.result import GateResult

UNDEFINED = "n/a"
_MOST = 5
_WHOLE = (*TALLIES, *COUNTS, "labels", "samples")
POWER_HEAD = ("allowed drop", "caught 8 of 10", "equal model passes")


def head(checks: Sequence[Check]) -> list[str]:
    """Heads of the columns of `cells`."""
    limit = "floor, ≤ ceiling" if any(check.ceiling for check in checks) else "floor"
    return ["slice", "label", "measure", "baseline", "current", limit, "delta", "judged", "p", "verdict"]


def cells(check: Check) -> list[str]:
    """A check as a row."""
    measure = check.rule.measure
    limit = figure(check.limit, measure)
    return [
        check.slice or "all",
        check.label or "all",
        measure,
        figure(check.baseline, measure),
        figure(check.current, measure),
        f"≤ {limit}" if check.ceiling and check.limit is not None else limit,
        figure(check.delta, measure, sign="+"),
        check.rule.judge,
        _p(check),
        check.verdict,
    ]


def power_cells(check: Check) -> list[str]:
    """What a check can tell, behind its name."""
    measure = check.rule.measure
    allowed = None
    if check.baseline is not None and check.limit is not None:
        allowed = check.rule.drop(check.baseline, check.limit)
    passes = UNDEFINED if check.equal_passes is None else f"{100 * check.equal_passes:.1f} %"
    caught = "any" if check.detectable is not None and check.detectable <= 0.0 else figure(check.detectable, measure)
    return [figure(allowed, measure), caught, passes]


def sentence(check: Check, level: float) -> str:
    """A check in one sentence, for places that have no table."""
    measure, rule = check.rule.measure, check.rule
    limit = "ceiling" if check.ceiling else "floor"
    numbers = (
        f"baseline {figure(check.baseline, measure)}, current {figure(check.current, measure)}, "
        f"{limit} {figure(check.limit, measure)}, delta {figure(check.delta, measure, sign='+')}"
    )
    how = "" if rule.judge == FIXED or check.p is None else f" ({rule.judge}, {_p_words(check, level)})"
    why = "" if check.reason is None else f"; {check.reason}"
    return f"{check.name}: {numbers}{how}{why}"


def reasons(checks: Sequence[Check]) -> list[str]:
    """Why checks fail or pass where numbers don't say it, each reason once."""
    found: dict[str, list[str]] = {}
    for check in checks:
        if check.reason is not None:
            found.setdefault(check.reason, []).append(check.name)
    return [f"{reason}: {joined(names)}" for reason, names in found.items()]


def joined(names: Sequence[str]) -> str:
    """Names of checks, which hold commas: `AP of car; AP of van (+3 more)`."""
    return "; ".join(names[:_MOST]) + (f" (+{len(names) - _MOST} more)" if len(names) > _MOST else "")


def method(result: GateResult) -> list[str]:
    """How noise was taken into account; nothing where it wasn't."""
    drawn = result.drawn
    if drawn is None:
        return []
    lines = [
        f"{drawn['units']:,} {drawn['unit']}s, {drawn['replicates']:,} draws for both sides alike, seed {drawn['seed']}"
    ]
    if result.family:
        lines.append(
            f"significant: a model as good as the rules allow fails with a chance of {100 * result.rules.level:g} % "
            f"(max-T over {counted(result.family, 'check')}); p is adjusted"
        )
    return lines


def power_lines(result: GateResult) -> list[str]:
    """The chances that an equal model passes."""
    if result.power is None:
        return []
    chances = result.power.equal_passes
    if not chances:
        return ["power: no check has figures on both sides that can be resampled"]
    told = ", ".join(f"{name} {100 * chance:.1f} %" for name, chance in chances.items())
    return [f"an equal model passes: {told}"]


def figure(value: float | None, measure: str, *, sign: str = "") -> str:
    """Four places; counts whole where they are, large figures one place; n/a where there is none.

    What is above 0 never reads as 0: the floor of a count may be a small part of one.
    """
    if value is None or value != value:  # noqa: PLR0124  NaN
        return UNDEFINED
    kind = measure.partition("[")[0].partition("@")[0]
    if kind in _WHOLE:
        if float(value).is_integer():
            return f"{value:{sign},.0f}"
        return f"{value:{sign},.1f}" if abs(value) >= 0.05 else f"{value:{sign}.1g}"
    return f"{value:{sign}.4f}" if abs(value) < 100 else f"{value:{sign},.1f}"


def _p(check: Check) -> str:
    p = check.p_adjusted if check.rule.judge == SIGNIFICANT else check.p
    return "" if p is None else f"{p:.4f}"


def _p_words(check: Check, level: float) -> str:
    if check.rule.judge == SIGNIFICANT:
        return f"adjusted p {check.p_adjusted:.4f}, level {level:g}"
    return f"p {check.p:.4f}, level {check.rule.level:g}"
