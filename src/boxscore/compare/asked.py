"""Which figures are compared: measures, each over all labels and, where asked for, label by label."""

from __future__ import annotations

from boxscore.compare.pairing import pairs_of
from boxscore.errors import MeasureError
from boxscore.model.measure import COUNTS, Measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boxscore.compare.pairing import Pair
    from boxscore.pipeline.run import Run

    Point = tuple[float | None, str | None]
    """A figure, or the reason why it does not exist."""

_FEWER_IS_BETTER = ("FP", "FN", "FPPI")


def measures_of(run: Run, given: Sequence[str | Measure] | None) -> list[Measure]:
    """The measures asked for, once each; the protocol's first headline measure where none is.

    Raises MeasureError for what is no measure, or none that tells models apart, and ProtocolError for one that the
    protocol can't give.
    """
    if not given:
        return [run.protocol.headline[0]]
    found = [one if isinstance(one, Measure) else Measure.parse(one) for one in given]
    for measure in found:
        if measure.kind in COUNTS:
            known = ", ".join(map(str, run.protocol.headline))
            raise MeasureError(
                f"measure {measure} counts what is in the files: it says nothing of how good a model is; compare by "
                f"another, such as {known}"
            )
        run.explain(measure)  # raises where the protocol can't give it
    return list(dict.fromkeys(found))


class Question:
    """One figure that is compared: a measure over all labels (`label` None) or of one.

    `points` are the figures of the models, or the reasons why they don't exist; `order` is the leaderboard over all
    labels (positions of models, the best first), `pairs` those to be compared (positions of two models).
    """

    __slots__ = ("label", "measure", "order", "pairs", "points")

    def __init__(
        self, measure: Measure, label: str | None, points: Sequence[Point], order: list[int], pairs: list[Pair]
    ) -> None:
        self.measure = measure
        self.label = label
        self.points = list(points)
        self.order = order
        self.pairs = pairs


def questions(runs: Mapping[str, Run], measures: Sequence[Measure], pairs: str, *, per_label: bool) -> list[Question]:
    """All figures: each measure over all labels first, then label by label.

    A macro average is that of labels, and is left out there: of one label it is the figure without an average.
    """
    names, first = list(runs), next(iter(runs.values()))
    asked: list[Question] = []
    for measure in measures:
        points = _points(runs, measure, None)
        order = leaderboard(measure, [value for value, _ in points])
        asked.append(Question(measure, None, points, order, pairs_of(order, pairs, names)))
    if not per_label or first.label_agnostic:
        return asked
    by_label = [
        Question(overall.measure, label, _points(runs, overall.measure, label), overall.order, overall.pairs)
        for overall in asked
        if overall.measure.average != "macro"
        for label in first.labels
    ]
    return asked + by_label


def _points(runs: Mapping[str, Run], measure: Measure, label: str | None) -> list[Point]:
    return [run.explain(measure, label) for run in runs.values()]


def fewer_is_better(measure: Measure) -> bool:
    """Whether the best model has the smallest figure."""
    return measure.kind in _FEWER_IS_BETTER


def leaderboard(measure: Measure, points: Sequence[float | None]) -> list[int]:
    """Positions of models, the best first; among equals, and at the end those without a figure, in the order given."""
    sign = 1.0 if fewer_is_better(measure) else -1.0

    def key(position: int) -> tuple[bool, float]:
        point = points[position]
        return (True, 0.0) if point is None else (False, sign * point)

    return sorted(range(len(points)), key=key)
