"""A gate's verdict for people."""

from __future__ import annotations

from boxscore.cli.tables import aligned
from boxscore.gate import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.gate.result import GateResult


def told_lines(result: GateResult, *, everything: bool = False) -> list[str]:
    """The verdict, the checks that fail (or all), why, and what the checks could tell."""
    shown = result.checks if everything else result.failed
    lines = [result.headline]
    if shown:
        lines += ["", *aligned(told.head(shown), [told.cells(check) for check in shown])]
        lines += told.reasons(shown)
    method = told.method(result)
    lines += ["", *method] if method else []
    return lines + _power(result)


def _power(result: GateResult) -> list[str]:
    if result.power is None:
        return []
    resampled = [check for check in result.checks if check.equal_passes is not None]
    table = []
    if resampled:
        head = ["slice", "label", "measure", "judged", *told.POWER_HEAD]
        rows = [
            [check.slice or "all", check.label or "all", check.rule.measure, check.rule.judge, *told.power_cells(check)]
            for check in resampled
        ]
        table = ["", *aligned(head, rows)]
    return [*table, *told.power_lines(result)]
