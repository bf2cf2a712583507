"""`compare_unpaired`: one model on two data sets in, the gap of each figure out."""

from __future__ import annotations

from boxscore.compare.drawing import ThreadDrawing
from boxscore.compare.results import ModelFigure
from boxscore.compare.shared import refuse_other_floors, shared_labels, with_figure
from boxscore.compare.unpaired_results import Gap, Side, Unpaired
from boxscore.errors import InputError, MeasureError
from boxscore.measures.resampled import Model, Wanted
from boxscore.model.given import flag, shown
from boxscore.model.measure import COUNTS, TALLIES, Measure
from boxscore.pipeline import operating
from boxscore.pipeline.evaluate import thread_count
from boxscore.pipeline.identity import refuse_other_protocol
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.units import units_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boxscore.compare.drawing import Drawing
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.units import Units
    from boxscore.stats.plans import Plan
    from boxscore.stats.two_samples import Sample


def compare_unpaired(
    runs: Mapping[str, Run],
    *,
    measures: Sequence[str | Measure] | str | Measure | None = None,
    resampling: Resampling | None = None,
    per_label: bool = True,
    own_floors: bool = False,
    threads: int | None = None,
    drawing: Drawing | None = None,
) -> Unpaired:
    """How far a model's figures on one data set lie from those on another, by name, over the labels that both share.

    `measures` (None: the protocol's headline measures), `resampling` as in `compare`; each side's images (or groups)
    are drawn by themselves. `per_label` adds each shared label by itself; `own_floors` lets the two have different
    confidence floors. `drawing` draws the replicates (None: this process, in `threads`); the result depends on neither.

    Raises InputError for other than two runs, protocols that differ, and data sets that share no label; MeasureError
    and ProtocolError for measures that can't be had, or that grow with the data.
    """
    if not hasattr(runs, "items") or len(runs) != 2:
        raise InputError(f'runs is {shown(runs)}; give two runs by name, such as {{"rendered": one, "real": other}}')
    refuse_other_protocol(runs, own_floors=flag(own_floors, "own_floors"))
    how, workers = Resampling.of(resampling), thread_count(threads)
    single = [measures] if isinstance(measures, str | Measure) else measures
    chosen = _measures(next(iter(runs.values())), single)
    shared, left_out = shared_labels(runs)
    if not own_floors:
        refuse_other_floors(runs, shared)
    gaps = _asked(runs, chosen, shared, per_label=flag(per_label, "per_label"))
    drawn = [_Drawn(name, run, how, number) for number, (name, run) in enumerate(runs.items())]
    by = drawing or ThreadDrawing(workers)
    samples = [one.samples(gaps, how, by) for one in drawn]
    for place, gap in enumerate(gaps):
        _judge(gap, samples[0][place], samples[1][place], how)

    from boxscore.compare.unpaired_notes import notes

    return Unpaired(
        (drawn[0].side, drawn[1].side),
        gaps,
        labels=shared,
        left_out=left_out,
        protocol=drawn[0].run.protocol,
        resampling=how,
        notes=list(notes(runs, shared, gaps, [(one.units, one.plan) for one in drawn])),
    )


class _Drawn:
    """A side with its units and its own draws of them."""

    def __init__(self, name: str, run: Run, how: Resampling, number: int) -> None:
        from boxscore.stats import plans

        self.run = run
        try:
            self.units: Units = units_of(run, how)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        # Draws of the two must have nothing in common; they are never enumerated, so that there are as many of both.
        self.seed = plans.stream(how.seed, number)
        self.plan: Plan = plans.bootstrap(
            self.units.of_image, self.units.count, replicates=how.replicates, seed=self.seed, most_exact=0
        )
        self.side = Side(name, run.num_images, self.units.kind, self.units.count)

    def samples(self, gaps: Sequence[Gap], how: Resampling, drawing: Drawing) -> list[Sample]:
        """Replicates of all figures."""
        from boxscore.stats import plans
        from boxscore.stats.intervals import LEAST_UNITS_BCA
        from boxscore.stats.two_samples import Sample

        run = self.run
        model = Model(run.matches, run.labels.names, operating.floors_of(run), overlaps=run.overlaps)
        wanted = [Wanted(gap.measure, [run.labels.index(label) for label in gap.labels]) for gap in gaps]
        values = drawing.resample([model], wanted, self.plan)[:, 0]
        if how.interval != "bca" or self.units.count < LEAST_UNITS_BCA:
            return [Sample(values[:, place], self.units.count) for place in range(len(gaps))]
        blocks = plans.blocks(self.units.of_image, self.units.count, seed=self.seed)
        without = drawing.resample([model], wanted, blocks)[:, 0]
        return [Sample(values[:, place], self.units.count, without[:, place]) for place in range(len(gaps))]


def _measures(run: Run, given: Sequence[str | Measure] | None) -> list[Measure]:
    if not given:
        return [measure for measure in run.protocol.headline if measure.kind not in (*COUNTS, *TALLIES)]
    found = [one if isinstance(one, Measure) else Measure.parse(one) for one in given]
    for measure in found:
        if measure.kind in (*COUNTS, *TALLIES):
            raise MeasureError(
                f"measure {measure} grows with the data set, so that two of them are not compared by it; take a share "
                "of them, such as precision or recall, or FPPI for false positives an image"
            )
        run.explain(measure)  # raises where the protocol can't give it
    return list(dict.fromkeys(found))


def _asked(runs: Mapping[str, Run], measures: Sequence[Measure], shared: list[str], *, per_label: bool) -> list[Gap]:
    """Each measure over labels first, then label by label; a macro average of one label is the figure without it."""
    asked = []
    for measure in measures:
        labels, lacking = with_figure(runs, measure, shared)
        asked.append(Gap(measure, None, labels, lacking, _figures(runs, measure, labels)))
    if not per_label or next(iter(runs.values())).label_agnostic:
        return asked
    single = [measure for measure in measures if measure.average != "macro"]
    return asked + [
        Gap(measure, label, [label], [], _figures(runs, measure, [label])) for measure in single for label in shared
    ]


def _figures(runs: Mapping[str, Run], measure: Measure, labels: Sequence[str]) -> tuple[ModelFigure, ModelFigure]:
    first, second = (ModelFigure(name, *run.explain_over(measure, labels)) for name, run in runs.items())
    return first, second


def _judge(gap: Gap, first: Sample, second: Sample, how: Resampling) -> None:
    """Fill in the intervals of both figures, and of the gap."""
    from boxscore.stats.intervals import interval
    from boxscore.stats.two_samples import gap_interval

    if not gap.labels:
        gap.reason = "no shared label has a figure on both sides"
    for figure, sample in zip(gap.figures, (first, second), strict=True):
        if figure.point is None:
            gap.reason = gap.reason or f"there is no figure of {figure.model}: {figure.reason}"
            continue
        found = interval(
            sample.values,
            figure.point,
            method=how.interval,
            confidence=how.confidence,
            num_units=sample.num_units,
            left_out=sample.left_out,
        )
        figure.mean, figure.std_error, figure.bias = found.mean, found.std_error, found.bias
        figure.low, figure.high, figure.reason = found.low, found.high, found.reason
    one, other = (figure.point for figure in gap.figures)
    if gap.reason is not None or one is None or other is None:
        return
    gap.gap = one - other
    bounds = gap_interval(first, second, gap.gap, method=how.interval, confidence=how.confidence)
    gap.low, gap.high, gap.reason = bounds.low, bounds.high, bounds.reason
    gap.std_error, gap.undefined = bounds.std_error, bounds.undefined
    if gap.low is not None and gap.high is not None:
        gap.excludes_zero = gap.low > 0.0 or gap.high < 0.0
