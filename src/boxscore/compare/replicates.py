"""Replicates of all figures of all models, drawn once: under resamples, without blocks, and under swaps of pairs."""

from __future__ import annotations

from boxscore.measures.resampled import Model, Wanted
from boxscore.pipeline import operating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.compare.asked import Question
    from boxscore.compare.drawing import Drawing
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.units import Units
    from boxscore.stats.plans import Plan

    Values = NDArray[np.float64]


class Replicates:
    """One plan of resamples serves all models, one of swaps all pairs, so that all that is compared is paired.

    - `values`: [replicates, models, figures], NaN where a figure does not exist.
    - `left_out`: [blocks, models, figures], where the interval needs them; else None.
    - `swapped`: [swaps, pairs, figures], differences under swaps.
    """

    __slots__ = ("left_out", "pairs", "plan", "swap_plan", "swapped", "values")

    def __init__(
        self,
        plan: Plan,
        swap_plan: Plan,
        pairs: Sequence[tuple[int, int]],
        *,
        values: Values,
        swapped: Values,
        left_out: Values | None,
    ) -> None:
        self.plan = plan
        self.swap_plan = swap_plan
        self.pairs = list(pairs)
        self.values = values
        self.swapped = swapped
        self.left_out = left_out


def replicate(
    runs: Sequence[Run],
    asked: Sequence[Question],
    resampling: Resampling,
    plan: Plan,
    units: Units,
    drawing: Drawing,
) -> Replicates:
    """Everything that is random, or enumerated, of a comparison. Raises MeasureError."""
    from boxscore.stats.intervals import LEAST_UNITS_BCA
    from boxscore.stats.plans import blocks, swaps

    models = [Model(run.matches, run.labels.names, operating.floors_of(run), overlaps=run.overlaps) for run in runs]
    wanted = [Wanted(question.measure, _positions(runs[0], question.label)) for question in asked]
    pairs = list(dict.fromkeys(pair for question in asked for pair in question.pairs))
    swap_plan = swaps(plan.units, plan.num_units, replicates=resampling.replicates, seed=resampling.seed)
    left_out: Values | None = None
    if resampling.interval == "bca" and units.count >= LEAST_UNITS_BCA:
        without = blocks(units.of_image, plan.num_units, seed=resampling.seed)
        left_out = drawing.resample(models, wanted, without)
    sides = drawing.swap(models, pairs, wanted, swap_plan)
    return Replicates(
        plan,
        swap_plan,
        pairs,
        values=drawing.resample(models, wanted, plan),
        swapped=sides[:, :, 0] - sides[:, :, 1],
        left_out=left_out,
    )


def _positions(run: Run, label: str | None) -> list[int]:
    return list(range(len(run.labels))) if label is None else [run.labels.index(label)]
