"""Rules that take noise into account: significant drops, and non-inferiority (docs/gate.md)."""

from __future__ import annotations

import math

from boxscore.gate.rules import LOWER
from boxscore.gate.sides import BASELINE, CURRENT
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.gate.checks import Check
    from boxscore.gate.sides import Drawn, Sides
    from boxscore.stats.one_sided import Null

    Values = NDArray[np.float64]


def significant(checks: Sequence[Check], sides: Sides, level: float) -> None:
    """Let those fail whose drop is significantly larger than their slack, all of them one family of max-T."""
    from boxscore.stats import one_sided

    null = family_null(checks, sides)
    if null is None:
        return
    observed = null.observed([excess(check) for check in checks])
    alone, adjusted = one_sided.single(null, observed), one_sided.step_down(null, observed)
    for at, check in enumerate(checks):
        check.p, check.p_adjusted = float(alone[at]), float(adjusted[at])
        check.std_error = float(null.std_error[at])
        if check.p_adjusted <= level:
            check.fail()
        elif by_swaps(checks, sides) and 2.0 ** -(check.units or 0) > level:
            enough = math.ceil(-math.log2(level))
            check.reason = f"on fewer than {counted(enough, sides.unit)} no drop can be significant"


def non_inferior(checks: Sequence[Check], sides: Sides) -> None:
    """Let those fail whose drop is not significantly smaller than their margin, each at its own level."""
    from boxscore.stats import one_sided

    null = resampled_null(checks, sides)
    if null is None:
        return
    turned = null.turned
    observed = turned.observed([-excess(check) for check in checks])
    for at, (check, p) in enumerate(zip(checks, one_sided.single(turned, observed), strict=True)):
        check.p, check.std_error = float(p), float(null.std_error[at])
        if check.p > check.rule.level:
            check.fail(_too_few(check, sides.unit))


def family_null(checks: Sequence[Check], sides: Sides) -> Null | None:
    """What the significant rules are held against; None without any: swaps where no drop is allowed, else resamples."""
    from boxscore.stats import one_sided

    if not checks or not by_swaps(checks, sides):
        return resampled_null(checks, sides)
    _note_units(checks, sides)
    drawn = sides.swapped([check.key for check in checks])
    return one_sided.of_swaps(_excesses(checks, drawn), exact=drawn.exact)


def by_swaps(checks: Sequence[Check], sides: Sides) -> bool:
    """Whether swaps answer for all: no drop is allowed at all, and the figures are of what swaps."""
    return not any(check.rule.slack or check.rule.fraction or not sides.swappable(check.key) for check in checks)


def resampled_null(checks: Sequence[Check], sides: Sides) -> Null | None:
    """Recentred, studentised differences of the bootstrap; None without any check."""
    from boxscore.stats import one_sided

    if not checks:
        return None
    _note_units(checks, sides)
    drawn = sides.resampled([check.key for check in checks])
    # With one unit there is no telling: no drop is significant, and none small enough.
    return one_sided.of_resamples(_excesses(checks, drawn), [check.units or 0 for check in checks])


def excess(check: Check) -> float:
    """By how much the drop is larger than what is allowed."""
    if check.baseline is None or check.current is None:
        return float("nan")
    return check.rule.drop(check.baseline, check.current) - check.rule.allowed(check.baseline)


def _excesses(checks: Sequence[Check], drawn: Drawn) -> Values:
    """[replicates, checks]. A slack that is a share of the baseline's figure varies with it."""
    import numpy as np

    columns = []
    for at, check in enumerate(checks):
        rule = check.rule
        baseline, current = drawn.values[:, BASELINE, at], drawn.values[:, CURRENT, at]
        allowed = rule.slack if rule.fraction is None else rule.fraction * np.abs(baseline)
        columns.append((current - baseline if rule.better == LOWER else baseline - current) - allowed)
    return np.stack(columns, axis=1)


def _note_units(checks: Sequence[Check], sides: Sides) -> None:
    for check in checks:
        check.units = sides.basis(check.key)


def _too_few(check: Check, unit: str) -> str | None:
    return (
        None
        if (check.units or 0) > 1
        else f"it rests on {counted(check.units or 0, unit)}, which says nothing of noise"
    )
