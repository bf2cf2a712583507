"""Who draws replicates: threads of this process, or whatever else gives the same figures for the same plan."""

from __future__ import annotations

from boxscore.measures.resampled import resample, swap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.measures.resampled import Model, Wanted
    from boxscore.stats.plans import Plan

    Values = NDArray[np.float64]

    class Drawing(Protocol):
        """Figures under a plan. The bytes are the plan's alone: no implementation may change one."""

        def resample(self, models: Sequence[Model], wanted: Sequence[Wanted], plan: Plan) -> Values:
            """[replicates, models, wanted], as `boxscore.measures.resampled.resample` gives them."""

        def swap(
            self, models: Sequence[Model], pairs: Sequence[tuple[int, int]], wanted: Sequence[Wanted], plan: Plan
        ) -> Values:
            """[replicates, pairs, 2, wanted], as `boxscore.measures.resampled.swap` gives them."""


class ThreadDrawing:
    """All replicates in this process."""

    __slots__ = ("_threads",)

    def __init__(self, threads: int) -> None:
        self._threads = threads

    def resample(self, models: Sequence[Model], wanted: Sequence[Wanted], plan: Plan) -> Values:
        """See `Drawing`."""
        return resample(models, wanted, plan, threads=self._threads)

    def swap(
        self, models: Sequence[Model], pairs: Sequence[tuple[int, int]], wanted: Sequence[Wanted], plan: Plan
    ) -> Values:
        """See `Drawing`."""
        return swap(models, pairs, wanted, plan, threads=self._threads)
