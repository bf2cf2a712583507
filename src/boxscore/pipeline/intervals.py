"""Intervals of a run's figures: its images, or groups of them, resampled over matches made once."""

from __future__ import annotations

from boxscore.model.measure import BEST, COUNTS, TALLIES, Measure
from boxscore.model.notes import Note, counted, listed
from boxscore.pipeline import operating
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.units import units_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.pipeline.run import Run
    from boxscore.pipeline.units import Units
    from boxscore.stats.intervals import Interval
    from boxscore.stats.plans import Plan

    Row = dict[str, Any]

_BEST = "its confidence is chosen on the very data that it measures, which no interval takes into account"


class Resampled:
    """Rows of figures with their intervals, how these were made, and what is worth knowing about them.

    `made` is ready for JSON; `absent` in it is the share of replicates, by label, in which a label that has ground
    truth has none. `lacking` is the same of other figures that do not exist in some replicates, by name.
    """

    __slots__ = ("lacking", "made", "notes", "plan", "rows", "units")

    def __init__(self, rows: Sequence[Row], plan: Plan, units: Units, made: Mapping[str, Any]) -> None:
        self.rows = list(rows)
        self.plan = plan
        self.units = units
        self.made = dict(made)
        self.lacking: dict[str, float] = {}
        self.notes: list[Note] = []


def with_intervals(run: Run, resampling: Resampling | None = None) -> Run:
    """The run with intervals in its metrics and notes about them. Raises InputError."""
    from boxscore.model.metrics import Metrics

    found = interval_rows(run, resampling)
    about_result = run.notes[len(run.input_notes) :]
    return run.again(
        groups=found.units.groups or run.groups,
        result_notes=[*about_result, *found.notes],
        metrics=Metrics(found.rows),
        resampled=found.made,
        slices=run.slices,
    )


def plan_of(run: Run, resampling: Resampling | None = None) -> tuple[Plan, Units]:
    """The bootstrap's plan over a run's units, drawn or (where they are few) enumerated. Raises InputError."""
    from boxscore.stats import plans

    how = Resampling.of(resampling)
    units = units_of(run, how)
    return plans.bootstrap(units.of_image, units.count, replicates=how.replicates, seed=how.seed), units


def interval_rows(
    run: Run,
    resampling: Resampling | None = None,
    *,
    measures: Sequence[Measure | str] | None = None,
    per_label: bool = True,
) -> Resampled:
    """Rows of the run's metrics with the columns of intervals filled in.

    All rows of the metrics, or those of `measures` alone, which need not be among the run's; `per_label`: rows of
    single labels, too. Raises InputError, and MeasureError for a measure there is not.
    """
    how = Resampling.of(resampling)
    plan, units = plan_of(run, how)
    rows = [dict(row) for row in run.metrics] if measures is None else list(_rows_of(run, measures))
    rows = [row for row in rows if per_label or row["label"] is None]
    return fill(run, rows, plan, units, how)


def fill(run: Run, rows: Sequence[Row], plan: Plan, units: Units, how: Resampling) -> Resampled:
    """The columns of intervals of these rows of the run, filled in by a plan over its units (`plan_of`)."""
    found = Resampled(rows, plan, units, _made(plan, units, how))
    resampled = [row for row in rows if _has_interval(row)]
    intervals = _intervals(run, resampled, plan, units, how)
    for row, one in zip(resampled, intervals, strict=True):
        _fill(row, one, found.made)
        _tell_undefined(found, row, one.undefined)
    found.notes = [*units.notes, *_notes(found)]
    return found


def _rows_of(run: Run, measures: Sequence[Measure | str]) -> Iterator[Row]:
    """Rows of measures that are asked for by name, overall and of each label."""
    from boxscore.measures.table import row_of

    for label in (None, *(() if run.label_agnostic else run.labels)):
        objects = int(run.value("objects", label) or 0)
        for asked in measures:
            measure = Measure.parse(asked) if isinstance(asked, str) else asked
            yield row_of(str(measure), label, None, *run.explain(measure, label), run.num_images, objects)


def _has_interval(row: Row) -> bool:
    """Whether the row is of a figure over all images that exists: counts, and parts of the images, get no interval."""
    measure = Measure.parse(row["measure"])
    if measure.kind in COUNTS or measure.kind in TALLIES or row["slice"] is not None or row["value"] is None:
        return False
    if measure.conf == BEST:
        row["interval_reason"] = _BEST
        return False
    return True


def _needs_objects(row: Row) -> bool:
    """Whether the figure exists exactly where there is ground truth."""
    measure = Measure.parse(row["measure"])
    return measure.area is None and (measure.kind in ("AP", "AR", "recall") or measure.beta is not None)


def _intervals(run: Run, rows: Sequence[Row], plan: Plan, units: Units, how: Resampling) -> list[Interval]:
    from boxscore.measures.resampled import Model, Wanted, resample
    from boxscore.stats import plans
    from boxscore.stats.intervals import LEAST_UNITS_BCA, interval

    every = range(len(run.labels))
    wanted = [
        Wanted(Measure.parse(row["measure"]), every if row["label"] is None else [run.labels.index(row["label"])])
        for row in rows
    ]
    if not wanted:
        return []
    model = Model(run.matches, run.labels.names, operating.floors_of(run), overlaps=run.overlaps)
    values = resample([model], wanted, plan, threads=run.threads)[:, 0]
    left_out: NDArray[np.float64] | None = None
    if how.interval == "bca" and units.count >= LEAST_UNITS_BCA:
        blocks = plans.blocks(units.of_image, units.count, seed=how.seed)
        left_out = resample([model], wanted, blocks, threads=run.threads)[:, 0]
    return [
        interval(
            values[:, place],
            row["value"],
            method=how.interval,
            confidence=how.confidence,
            num_units=units.count,
            probabilities=plan.probabilities,
            left_out=None if left_out is None else left_out[:, place],
        )
        for place, row in enumerate(rows)
    ]


def _made(plan: Plan, units: Units, how: Resampling) -> dict[str, Any]:
    """How intervals were made, ready for JSON. What was enumerated has no seed."""
    return {
        "interval": how.interval,
        "confidence": how.confidence,
        "unit": units.kind,
        "units": units.count,
        "grouped_by": None if units.groups is None else units.groups.rule,
        "replicates": plan.replicates,
        "exact": plan.exact,
        "seed": None if plan.exact else how.seed,
        "absent": {},
    }


def _fill(row: Row, found: Interval, made: Mapping[str, Any]) -> None:
    row |= {name: getattr(found, name) for name in ("low", "high", "mean", "std_error", "bias")}
    row |= {name: made[name] for name in ("confidence", "interval", "unit", "replicates", "seed")}
    row["interval_reason"] = found.reason


def _tell_undefined(found: Resampled, row: Row, share: float) -> None:
    """Keep in what share of the replicates the figure does not exist."""
    if share > 0.0:
        of_label = row["label"] is not None and _needs_objects(row)
        shares, name = (found.made["absent"], row["label"]) if of_label else (found.lacking, _name(row))
        shares[name] = share


def _name(row: Row) -> str:
    return str(row["measure"]) if row["label"] is None else f"{row['measure']} of {row['label']}"


def _notes(found: Resampled) -> Iterator[Note]:
    from boxscore.stats.intervals import caution

    warning = caution(found.units.count, found.units.kind)
    if warning is not None:
        yield Note("few-units", warning, found.units.count)
    reasons: dict[str, list[str]] = {}
    for row in found.rows:
        if row["interval_reason"] is not None:
            reasons.setdefault(row["interval_reason"], []).append(_name(row))
    for reason, names in reasons.items():
        yield Note("no-interval", f"no interval: {reason} ({listed(names)})", len(names))
    if found.made["absent"]:
        which = counted(len(found.made["absent"]), "label has", "labels have")
        shares = _shares(found.made["absent"])
        message = f"{which} no ground truth in some replicates, whose means go without: {shares}"
        yield Note("labels-absent-in-replicates", message, len(found.made["absent"]))
    if found.lacking:
        which = counted(len(found.lacking), "figure does", "figures do")
        message = f"{which} not exist in some replicates, and intervals go without those: {_shares(found.lacking)}"
        yield Note("undefined-in-replicates", message, len(found.lacking))


def _shares(found: Mapping[str, float]) -> str:
    """The largest first: `dog 29.6 %`."""
    largest = sorted(found.items(), key=lambda item: -item[1])
    return listed([f"{name} {100 * share:.3g} %" for name, share in largest])
