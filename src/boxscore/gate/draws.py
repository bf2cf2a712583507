"""Draws of units, replicate by replicate, as the kernel makes them: the same for runs, objects and samples."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from boxscore.pipeline.resampling import Resampling
    from boxscore.stats.plans import Plan


def plan_of(units: ArrayLike, count: int, how: Resampling, *, swaps: bool) -> Plan:
    """Resamples, or swaps, of `count` units; `units` is [images], the unit of each."""
    from boxscore.stats import plans

    if swaps:
        return plans.swaps(units, count, replicates=how.replicates, seed=how.seed)
    # Always drawn: of few units the studentised statistics need many replicates that are equally likely.
    return plans.bootstrap(units, count, replicates=how.replicates, seed=how.seed, most_exact=0)


def of_part(plan: Plan, units: NDArray[np.uint32]) -> Plan:
    """The same draws of the same units, of which a slice has some images: `units` is that of each."""
    from boxscore.stats.plans import Plan

    return Plan(units, plan.num_units, plan.replicates, seed=plan.seed, weights=plan.weights, exact=plan.exact)


def each(plan: Plan, *, swaps: bool) -> Iterator[NDArray[np.uint32]]:
    """Copies of each unit (swaps: 1 where it is swapped, else 0), [units], replicate by replicate."""
    import numpy as np

    from boxscore import _kernel

    weights = plan.weights
    draws = _kernel.Draws(
        memoryview(plan.units.tobytes()).cast("I"),
        plan.num_units,
        replicates=plan.replicates,
        seed=(plan.seed or 0) if weights is None else None,
        given=None if weights is None else memoryview(weights.tobytes()).cast("I"),
        swap=swaps,
    )
    for replicate in range(plan.replicates):
        yield np.array(draws.replicate(replicate), dtype=np.uint32)
