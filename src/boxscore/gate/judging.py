"""From planned checks to verdicts."""

from __future__ import annotations

from boxscore.gate.rules import FIXED, NON_INFERIOR, SIGNIFICANT
from boxscore.gate.sides import BASELINE, CURRENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.gate.checks import Check
    from boxscore.gate.sides import Sides

ZERO = 1e-12
"""Beyond a floor by no more than this is rounding."""


def judge(checks: Sequence[Check], sides: Sides, *, level: float) -> None:
    """Fill in figures, limits and verdicts of the checks that are open."""
    for check in checks:
        if not check.failed:
            _look_up(check, sides)
    # What does not exist has followed its rule's word by now.
    there = [check for check in checks if not check.failed and check.reason is None]
    for check in there:
        if check.rule.judge == FIXED:
            _hold(check)
    noisy = [check for check in there if check.rule.judge != FIXED]
    if not noisy:
        return
    if sides.unpaired is not None:
        for check in noisy:
            check.fail(sides.unpaired)
        return

    from boxscore.gate import noise

    noise.significant([check for check in noisy if check.rule.judge == SIGNIFICANT], sides, level)
    noise.non_inferior([check for check in noisy if check.rule.judge == NON_INFERIOR], sides)


def _look_up(check: Check, sides: Sides) -> None:
    rule = check.rule
    check.baseline, no_baseline = sides.point(BASELINE, check.key)
    check.current, no_current = sides.point(CURRENT, check.key)
    if check.baseline is not None:
        check.limit = rule.limit(check.baseline)
    elif rule.judge == FIXED:
        check.limit = rule.bound
    if check.current is None:
        check.leave_undefined(f"the current figure does not exist: {no_current}")
    elif check.limit is None:
        check.leave_undefined(f"the baseline's figure does not exist: {no_baseline}")


def _hold(check: Check) -> None:
    """To its floor, or ceiling."""
    if check.limit is None or check.current is None:
        return
    if check.rule.drop(check.limit, check.current) > ZERO:
        check.fail()
