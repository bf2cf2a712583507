"""From replicates to intervals, p and verdicts."""

from __future__ import annotations

from boxscore.compare.results import SEPARATED, TIE, UNDECIDABLE, ModelFigure, PairResult
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.compare.asked import Point
    from boxscore.compare.replicates import Replicates, Values
    from boxscore.pipeline.resampling import Resampling
    from boxscore.stats.intervals import Interval


class Contest:
    """Two models (positions, `a` and `b`) in one figure (position), the points of both, and the units it rests on."""

    __slots__ = ("basis", "figure", "models", "points")

    def __init__(self, models: tuple[int, int], figure: int, points: tuple[Point, Point], basis: int) -> None:
        self.models = models
        self.figure = figure
        self.points = points
        self.basis = basis


class Judge:
    """Reads intervals and tests off replicates. `names` are those of the models, `unit` the word for what is drawn."""

    __slots__ = ("_names", "_replicates", "_resampling", "_unit")

    def __init__(self, names: Sequence[str], replicates: Replicates, resampling: Resampling, unit: str) -> None:
        self._names = names
        self._replicates = replicates
        self._resampling = resampling
        self._unit = unit

    def model(self, model: int, figure: int, point: Point) -> ModelFigure:
        """One model's figure (positions of both) with its interval."""
        value, reason = point
        found = ModelFigure(self._names[model], value, reason)
        if value is None:
            return found
        left = self._replicates.left_out
        bounds = self._interval(
            self._replicates.values[:, model, figure], value, None if left is None else left[:, model, figure]
        )
        found.mean, found.std_error, found.bias = bounds.mean, bounds.std_error, bounds.bias
        found.low, found.high, found.reason = bounds.low, bounds.high, bounds.reason
        return found

    def family(self, contests: Sequence[Contest]) -> list[PairResult]:
        """Contests that are tested together."""
        found = [self._difference(contest) for contest in contests]
        tested = [(pair, contest) for pair, contest in zip(found, contests, strict=True) if pair.difference is not None]
        if tested:
            self._test(tested)
        return found

    def _difference(self, contest: Contest) -> PairResult:
        from boxscore.stats import power

        (a, b), figure, (one, other) = contest.models, contest.figure, contest.points
        names = self._names[a], self._names[b]
        if one[0] is None or other[0] is None:
            lacking, reason = (names[0], one[1]) if one[0] is None else (names[1], other[1])
            return PairResult(*names, None, f"there is no figure of {lacking}: {reason}")
        found = PairResult(*names, one[0] - other[0])
        values, left = self._replicates.values, self._replicates.left_out
        without = None if left is None else left[:, a, figure] - left[:, b, figure]
        bounds = self._interval(values[:, a, figure] - values[:, b, figure], found.difference, without)
        found.mean, found.std_error = bounds.mean, bounds.std_error
        found.low, found.high, found.reason = bounds.low, bounds.high, bounds.reason
        if found.low is not None and found.high is not None:
            found.excludes_zero = found.low > 0.0 or found.high < 0.0
        confidence = self._resampling.confidence
        found.detectable = power.detectable(bounds.std_error, confidence)
        found.units_to_separate = power.units_to_separate(
            found.difference, bounds.std_error, self._replicates.plan.num_units, confidence
        )
        return found

    def _interval(self, values: Values, point: float | None, left_out: Values | None) -> Interval:
        from boxscore.stats.intervals import interval

        plan, asked = self._replicates.plan, self._resampling
        return interval(
            values,
            point,
            method=asked.interval,
            confidence=asked.confidence,
            num_units=plan.num_units,
            probabilities=plan.probabilities,
            left_out=left_out,
        )

    def _test(self, tested: Sequence[tuple[PairResult, Contest]]) -> None:
        import numpy as np

        from boxscore.stats.swap_tests import max_t

        under_swaps = self._replicates
        position = {pair: place for place, pair in enumerate(under_swaps.pairs)}
        columns = [under_swaps.swapped[:, position[one.models], one.figure] for _, one in tested]
        single, adjusted = max_t(
            np.array([pair.difference for pair, _ in tested], dtype=np.float64),
            np.stack(columns, axis=1),
            exact=under_swaps.swap_plan.exact,
        )
        for (pair, contest), p, p_adjusted in zip(tested, single.tolist(), adjusted.tolist(), strict=True):
            pair.p, pair.p_adjusted = p, p_adjusted
            self._decide(pair, contest.basis, p_adjusted)

    def _decide(self, pair: PairResult, basis: int, p_adjusted: float) -> None:
        """`separated` follows the adjusted p alone, where the units are enough for any p to be that small.

        Units without objects of the figure's labels don't count: swaps in them move false positives alone.
        """
        from boxscore.stats.swap_tests import least_p

        level = 1.0 - self._resampling.confidence
        least = least_p(basis)
        if least > level:
            pair.verdict = UNDECIDABLE
            few = counted(basis, self._unit)
            where = "with" if basis == self._replicates.plan.num_units else "with objects in"
            pair.reason = f"{where} {few} no p can be below {least:.4g}, and the verdict needs {level:.4g}"
            return
        pair.separated = p_adjusted <= level
        pair.verdict = SEPARATED if pair.separated else TIE
