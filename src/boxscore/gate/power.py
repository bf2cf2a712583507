"""What a gate can tell: which drop each check would catch, and how often it lets an equal model pass."""

from __future__ import annotations

from boxscore.gate.rules import FIXED, NON_INFERIOR, SIGNIFICANT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.gate.checks import Check
    from boxscore.gate.sides import Sides
    from boxscore.stats.one_sided import Null

    Values = NDArray[np.float64]

CAUGHT = 0.8


class Power:
    """Chances that an equal model passes: by all checks together, and by those of each way to judge."""

    __slots__ = ("equal_passes",)

    def __init__(self, equal_passes: dict[str, float]) -> None:
        self.equal_passes = equal_passes

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"caught": CAUGHT, "equal_passes": self.equal_passes}


def power(checks: Sequence[Check], sides: Sides, level: float) -> Power:
    """Fill in `detectable` and `equal_passes` of the checks whose figures exist.

    Both follow from the standard error of the paired difference, as these two runs have it, and from the distribution
    of its resamples about their centre. A drop is caught where it is beyond what is allowed by the critical value and
    by how far 8 of 10 draws reach. An equal model's drops scatter about 0.
    """
    from boxscore.gate.noise import resampled_null

    there = [check for check in checks if check.baseline is not None and check.current is not None]
    there = [check for check in there if sides.drawable(check.key)]
    null = None if sides.unpaired is not None else resampled_null(there, sides)
    if null is None:
        return Power({})
    passes = _passing(there, null, level)
    for at, check in enumerate(there):
        check.equal_passes = float(passes[:, at].mean())
        check.std_error = float(null.std_error[at])
    found = {"all": float(passes.all(axis=1).mean())}
    for judge in (FIXED, SIGNIFICANT, NON_INFERIOR):
        of_judge = [at for at, check in enumerate(there) if check.rule.judge == judge]
        if of_judge:
            found[judge] = float(passes[:, of_judge].all(axis=1).mean())
    return Power(found)


def _passing(checks: Sequence[Check], null: Null, level: float) -> NDArray[np.bool_]:
    """Whether each check lets each replicate pass, [replicates, checks], if the model is as good as the baseline."""
    import numpy as np

    from boxscore.stats import one_sided

    family = [at for at, check in enumerate(checks) if check.rule.judge == SIGNIFICANT]
    together = one_sided.critical(null.of(family), level)
    passes = np.ones(null.statistics.shape, dtype=bool)
    for at, check in enumerate(checks):
        error, drops = null.std_error[at], null.statistics[:, at]
        allowed = _allowed(check)
        if check.rule.judge == FIXED:
            limit, reach = 0.0, _reach(drops)
        elif check.rule.judge == SIGNIFICANT:
            limit, reach = together, _reach(drops)
        else:
            limit, reach = -one_sided.critical(null.turned.of([at]), check.rule.level), _reach(drops)
        # Caught where drop + noise > allowed + limit · error.
        passes[:, at] = ~(drops * error > allowed + limit * error + 1e-12)
        if np.isfinite(limit + reach + allowed):
            check.detectable = allowed + (limit + reach) * error
    return passes


def _allowed(check: Check) -> float:
    """The drop from the baseline's figure that is allowed, hard floors included."""
    if check.baseline is None or check.limit is None:
        return float("inf")
    return check.rule.drop(check.baseline, check.limit)


def _reach(drops: Values) -> float:
    """By how many standard errors 8 of 10 draws lie above minus this."""
    import numpy as np

    there = drops[~np.isnan(drops)]
    return -float(np.quantile(there, 1.0 - CAUGHT)) if len(there) else float("nan")
