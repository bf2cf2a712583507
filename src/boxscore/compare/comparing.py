"""`compare`: runs over one ground truth in, a Comparison out."""

from __future__ import annotations

from itertools import islice

from boxscore.compare.asked import measures_of, questions
from boxscore.compare.pairing import check_pairs, groups_of
from boxscore.compare.results import Comparison, Result
from boxscore.errors import InputError
from boxscore.model.given import flag, shown
from boxscore.model.measure import Measure
from boxscore.pipeline.evaluate import thread_count
from boxscore.pipeline.identity import refuse_different, refuse_other_groups
from boxscore.pipeline.resampling import Resampling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boxscore.compare.asked import Question
    from boxscore.compare.drawing import Drawing
    from boxscore.compare.judging import Contest, Judge
    from boxscore.compare.presence import Presence
    from boxscore.compare.results import PairResult
    from boxscore.pipeline.run import Run
    from boxscore.stats.plans import Plan


def compare(
    runs: Mapping[str, Run],
    *,
    measures: Sequence[str | Measure] | str | Measure | None = None,
    resampling: Resampling | None = None,
    pairs: str = "adjacent",
    per_label: bool = False,
    own_floors: bool = False,
    threads: int | None = None,
    drawing: Drawing | None = None,
) -> Comparison:
    """Which of several models, by name, are better than which, as far as these data can tell.

    `measures` (None: the protocol's first headline measure), `resampling` (None: 1,000 replicates; docs/comparing.md),
    `pairs`: `adjacent` on the leaderboard, `all`, or a model's name (each other one with that). `per_label` adds each
    label by itself. `own_floors` lets models at an operating point have different confidence floors, as part of what is
    compared. `drawing` draws the replicates (None: this process, in `threads`); the result depends on neither.

    All pairs of one measure are one family, whose p are adjusted together; the labels' pairs of a measure are another.

    Raises InputError for runs whose protocols, labels or ground truth differ, naming the field; MeasureError and
    ProtocolError for measures that can't be had.
    """
    names, evaluated = _checked(runs)
    choice = check_pairs(pairs, names)
    asked_resampling = Resampling.of(resampling)
    workers = thread_count(threads)
    refuse_different(runs, own_floors=flag(own_floors, "own_floors"))
    single = [measures] if isinstance(measures, str | Measure) else measures
    chosen = measures_of(evaluated[0], single)
    asked = questions(runs, chosen, choice, per_label=flag(per_label, "per_label"))

    from boxscore.compare.drawing import ThreadDrawing
    from boxscore.compare.judging import Judge
    from boxscore.compare.noted import notes
    from boxscore.compare.replicates import replicate
    from boxscore.pipeline.intervals import plan_of

    plan, units = plan_of(evaluated[0], asked_resampling)
    refuse_other_groups(runs, units)
    replicates = replicate(evaluated, asked, asked_resampling, plan, units, drawing or ThreadDrawing(workers))
    judge = Judge(names, replicates, asked_resampling, units.kind)
    results = _results(judge, names, asked, _presences(evaluated[0], asked, plan))
    return Comparison(
        names,
        results,
        protocol=evaluated[0].protocol,
        resampling=asked_resampling,
        images=evaluated[0].num_images,
        unit=units.kind,
        units=plan.num_units,
        replicates=plan.replicates,
        exact=plan.exact,
        swaps=replicates.swap_plan.replicates,
        swaps_exact=replicates.swap_plan.exact,
        notes=list(notes(runs, results, units)),
    )


def _checked(runs: Mapping[str, Run]) -> tuple[list[str], list[Run]]:
    if not hasattr(runs, "items"):
        raise InputError(f'runs is {shown(runs)}; give a mapping from name to Run, such as {{"a": run_a, "b": run_b}}')
    names, evaluated = list(runs), list(runs.values())
    wrong = next((name for name in names if not isinstance(name, str) or not name), None)
    if wrong is not None:
        raise InputError(f"runs: {shown(wrong)} is no name of a model; names are texts that are not empty")
    if len(names) < 2:
        raise InputError(f"a comparison needs two models or more, and {len(names)} is given")
    return names, evaluated


def _presences(run: Run, asked: Sequence[Question], plan: Plan) -> dict[str | None, Presence]:
    """By area range."""
    from boxscore.compare.presence import Presence

    return {area: Presence(run, area, plan) for area in {question.measure.area for question in asked}}


def _results(
    judge: Judge, names: Sequence[str], asked: Sequence[Question], presences: Mapping[str | None, Presence]
) -> list[Result]:
    """One result a question; the pairs of a measure are one family over all labels, another label by label."""
    families: dict[tuple[Measure, bool], list[int]] = {}
    for figure, question in enumerate(asked):
        families.setdefault((question.measure, question.label is None), []).append(figure)
    judged: dict[int, list[PairResult]] = {}
    for figures in families.values():
        contests = [[*_contests(asked[figure], figure, presences)] for figure in figures]
        verdicts = iter(judge.family([contest for of_figure in contests for contest in of_figure]))
        judged |= {figure: list(islice(verdicts, len(asked[figure].pairs))) for figure in figures}
    return [
        Result(
            question.measure,
            question.label,
            [judge.model(model, figure, question.points[model]) for model in question.order],
            judged[figure],
            _groups(question, judged[figure], names),
            presences[question.measure.area].absent(question.measure, question.label),
        )
        for figure, question in enumerate(asked)
    ]


def _contests(question: Question, figure: int, presences: Mapping[str | None, Presence]) -> Iterator[Contest]:
    from boxscore.compare.judging import Contest

    basis = presences[question.measure.area].basis(question.measure, question.label)
    for a, b in question.pairs:
        yield Contest((a, b), figure, (question.points[a], question.points[b]), basis)


def _groups(question: Question, judged: Sequence[PairResult], names: Sequence[str]) -> list[list[str]]:
    together = [pair for pair, one in zip(question.pairs, judged, strict=True) if not one.separated]
    return [[names[model] for model in group] for group in groups_of(question.order, question.pairs, together)]
