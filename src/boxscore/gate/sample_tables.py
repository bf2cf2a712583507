"""Tables with one row a sample and a column an outcome, as the sides of a gate, paired sample by sample."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.gate import draws, sample_slices
from boxscore.gate.sample_rows import aligned, outcome
from boxscore.gate.sides import Drawn, Sides, described
from boxscore.gate.statistic import Statistic
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from boxscore.gate.checks import Key, Point
    from boxscore.gate.rules import Rule
    from boxscore.pipeline.resampling import Resampling
    from boxscore.slices.slicing import Slicing

    Values = NDArray[np.float64]
    Numbers = NDArray[np.uint32]
    Mask = NDArray[np.bool_]
    Figure = tuple[Values, Numbers | None]
    Both = tuple[Values, Values]
    Change = Callable[[Numbers, Both], tuple[Figure, Figure]]

_NO_SAMPLE = "no sample has a value"


class SampleSides(Sides):
    """Two tables of samples. `sample_id` names the column that says which sample a row is of.

    Raises InputError for columns that are missing, samples that stand twice, and samples that only the current table
    has.
    """

    def __init__(
        self,
        frames: tuple[pl.DataFrame, pl.DataFrame],
        names: tuple[str, str],
        sample_id: str,
        slicing: Slicing,
        resampling: Resampling,
    ) -> None:
        self._frames, self._absent = aligned(frames, names, sample_id)
        self._names = names
        self._sample_id = sample_id
        self._resampling = resampling
        self._masks = [sample_slices.cut(frame, slicing) for frame in self._frames]
        self._columns: list[dict[str, Values]] = [{}, {}]
        if not self._absent:
            sample_slices.refuse_other(self._masks[0], self._masks[1], self._frames[0][sample_id].to_list())
        self._units, self._num_units, self._unit = sample_slices.grouped(self._frames[1], resampling, names[1])

    @property
    def labels(self) -> tuple[Sequence[str], Sequence[str]]:
        """None: samples have no labels; a column of labels is a slice."""
        return [], []

    @property
    def slices(self) -> tuple[Sequence[str], Sequence[str]]:
        """Slices of both tables."""
        return list(self._masks[0]), list(self._masks[1])

    @property
    def unpaired(self) -> str | None:
        """Samples that the current table lacks."""
        lacks = counted(len(self._absent), "sample")
        return f"the tables can't be paired: the current one lacks {lacks}" if self._absent else None

    @property
    def lacking(self) -> list[tuple[str, str, int, int]]:
        """Samples that the current table lacks."""
        if not self._absent:
            return []
        heights = self._frames[0].height, self._frames[1].height
        return [("samples", f"the current table lacks samples {listed(self._absent)}", *heights)]

    def check(self, rule: Rule) -> None:
        """Raises InputError for a rule on labels, or on a column that both tables lack or that holds no numbers."""
        if rule.labels is not None:
            raise InputError(f"{rule.place}: a table of samples has no labels; make the column a slice: `by: [label]`")
        column = Statistic.parse(rule.measure).column
        if all(column not in frame.columns for frame in self._frames):
            known = [name for name in self._frames[0].columns if name != self._sample_id]
            raise InputError(f"{rule.place}: neither table has a column {column!r}; they have {listed(known, 20)}")

    def missing(self, key: Key) -> str | None:
        """A column that one of the tables lacks."""
        column = Statistic.parse(key[0]).column
        return next(
            (
                f"{name} has no column {column!r}"
                for name, frame in zip(self._names, self._frames, strict=True)
                if column not in frame.columns
            ),
            None,
        )

    def point(self, side: int, key: Key) -> Point:
        """The figure of a side."""
        statistic = Statistic.parse(key[0])
        if statistic.column not in self._frames[side].columns:
            return None, f"{self._names[side]} has no column {statistic.column!r}"
        outcomes = self._outcomes(side, statistic.column)
        found = statistic.of(outcomes if key[2] is None else outcomes[self._masks[side][key[2]]])
        return found, None if found is not None else _NO_SAMPLE

    def basis(self, key: Key) -> int:
        """Units of the slice."""
        import numpy as np

        return len(np.unique(self._units if key[2] is None else self._units[self._masks[1][key[2]]]))

    def resampled(self, keys: Sequence[Key]) -> Drawn:
        """Figures of both under the same copies of units."""

        def copied(weights: Numbers, values: Both) -> tuple[Figure, Figure]:
            return (values[0], weights), (values[1], weights)

        return self._drawn(keys, copied, swaps=False)

    def swapped(self, keys: Sequence[Key]) -> Drawn:
        """Figures of both with the outcomes of some units swapped."""
        import numpy as np

        def swapped(weights: Numbers, values: Both) -> tuple[Figure, Figure]:
            turned, (baseline, current) = weights > 0, values
            return (np.where(turned, current, baseline), None), (np.where(turned, baseline, current), None)

        return self._drawn(keys, swapped, swaps=True)

    @property
    def unit(self) -> str:
        """`sample`, or `group`."""
        return self._unit

    @property
    def drawn(self) -> dict[str, Any]:
        """What is drawn, and how often."""
        return described(self._unit, self._num_units, self._resampling)

    def drawable(self, key: Key) -> bool:
        """All figures."""
        del key
        return True

    def _drawn(self, keys: Sequence[Key], change: Change, *, swaps: bool) -> Drawn:
        import numpy as np

        plan = draws.plan_of(self._units, self._num_units, self._resampling, swaps=swaps)
        statistics = [Statistic.parse(key[0]) for key in keys]
        held = [self._held(key, one.column) for key, one in zip(keys, statistics, strict=True)]
        values = np.full((plan.replicates, 2, len(keys)), np.nan)
        for replicate, of_unit in enumerate(draws.each(plan, swaps=swaps)):
            for at, (statistic, (units, outcomes)) in enumerate(zip(statistics, held, strict=True)):
                for side, (changed, weights) in enumerate(change(of_unit[units], outcomes)):
                    figure = statistic.of(changed, weights)
                    values[replicate, side, at] = np.nan if figure is None else figure
        return Drawn(values, exact=plan.exact)

    def _held(self, key: Key, column: str) -> tuple[Numbers, tuple[Values, Values]]:
        """Units and outcomes of both sides in a slice."""
        baseline, current = self._outcomes(0, column), self._outcomes(1, column)
        if key[2] is None:
            return self._units, (baseline, current)
        mask = self._masks[1][key[2]]
        return self._units[mask], (baseline[mask], current[mask])

    def _outcomes(self, side: int, column: str) -> Values:
        if column not in self._columns[side]:
            self._columns[side][column] = outcome(self._frames[side], column, self._names[side])
        return self._columns[side][column]
