"""A run by slices: parts of its images, and of its objects, over matches made once."""

from __future__ import annotations

from boxscore.model.measure import Measure
from boxscore.pipeline import sliced_columns
from boxscore.pipeline.sliced_metadata import with_metadata
from boxscore.slices.cutting import columns_in, cut, select
from boxscore.slices.slice import IMAGE, NO_OBJECT, OBJECT, Slice
from boxscore.slices.slicing import Slicing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import polars as pl

    from boxscore.model.notes import Note
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.sliced_columns import Column

    Row = dict[str, Any]

__all__ = ["IMAGE", "NO_OBJECT", "OBJECT", "Slice", "Slices", "Slicing", "sliced", "slices_of"]


class Slices(list[Slice]):
    """Slices in the order asked for.

    `notes` tell what is in none of them, which metadata fit no image, and of which intervals say little; `run` is the
    run with the columns that they were made of among its `metadata` and `attributes`.
    """

    def __init__(self, slices: Sequence[Slice], run: Run, notes: Sequence[Note]) -> None:
        super().__init__(slices)
        self.run = run
        self.notes = list(notes)


def slices_of(run: Run, slicing: Slicing) -> Slices:
    """The slices of a run: of its images, or of its objects where a column of objects is among those of a spec.

    Masks of objects hold those that are to be found (no crowds). Raises InputError that names the columns there are.
    """
    run, notes = with_metadata(run, slicing.metadata, slicing.key)
    conditions = {one.text: columns_in(one) for one in slicing.conditions}
    names = [*slicing.columns, *(name for columns in conditions.values() for name in columns)]
    columns = sliced_columns.find(run, names)
    found: list[Slice] = []
    for cross in slicing.crosses:
        kind, values = _alike(run, [columns[name] for name in cross.columns])
        made, left_out = cut(cross, values, kind, least=slicing.support)
        found += made
        notes += left_out
    for one in slicing.conditions:
        named = conditions[one.text]
        kind, values = _alike(run, [columns[name] for name in named])
        made_one, left_out = select(one, _frame(named, values, run, kind), kind, least=slicing.support)
        found.append(made_one)
        notes += left_out
    found = [_to_be_found(run, one) if one.kind == OBJECT else one for one in found]
    return Slices(_distinct(found), _keeping(run, columns), list(dict.fromkeys(notes)))


def sliced(
    run: Run,
    slicing: Slicing | Slices,
    *,
    measures: Sequence[Measure | str] | None = None,
    resampling: Resampling | None = None,
    per_label: bool = True,
) -> list[Row]:
    """Rows of the tidy table for each slice, `slice` its name.

    Of slices of images: all figures of the run's metrics and the mean IoU, or `measures`, overall and (`per_label`) by
    label, as an evaluation of the slice's images alone gives them. Of slices of objects: what is found of them (recall,
    TP, FN, AR), and once, in the slice `no object`, the false positives. With `resampling`, intervals from resamples of
    the units inside each slice. Raises InputError, MeasureError.
    """
    from boxscore.pipeline import sliced_images, sliced_objects

    slices = slicing if isinstance(slicing, Slices) else slices_of(run, slicing)
    asked = None if measures is None else [Measure.parse(m) if isinstance(m, str) else m for m in measures]
    of_images = [one for one in slices if one.kind == IMAGE]
    of_objects = [one for one in slices if one.kind == OBJECT]
    rows = sliced_images.rows(run, of_images, asked, per_label=per_label)
    if resampling is not None:
        from boxscore.pipeline import sliced_intervals

        slices.notes += sliced_intervals.fill(run, of_images, rows, resampling)
    return rows + sliced_objects.rows(run, of_objects, asked, per_label=per_label, resampling=resampling)


def _alike(run: Run, columns: Sequence[Column]) -> tuple[str, list[pl.Series]]:
    """The kind that columns have together, and their values: those of images go to their objects where kinds differ."""
    if all(column.kind == IMAGE for column in columns):
        return IMAGE, [column.values for column in columns]
    return OBJECT, [sliced_columns.spread(run, column) for column in columns]


def _frame(names: Sequence[str], values: Sequence[pl.Series], run: Run, kind: str) -> pl.DataFrame:
    import polars as pl

    if not names:  # a condition without a column is refused for what it gives
        height = run.num_images if kind == IMAGE else run.matches.ground_truth.num_rows
        return pl.DataFrame({"": range(height)})
    return pl.DataFrame([column.alias(name) for name, column in zip(names, values, strict=True)])


def _to_be_found(run: Run, one: Slice) -> Slice:
    import numpy as np

    ignored = np.array(memoryview(run.matches.ground_truth.column("ignored")), dtype=np.uint64) & np.uint64(1)
    mask = one.mask & (ignored == 0)
    return Slice(one.name, one.column, one.kind, mask, least=one.least, condition=one.condition)


def _distinct(slices: Sequence[Slice]) -> list[Slice]:
    """Without those that an earlier spec made already under the same name; another mask keeps its spec as a name."""
    found: dict[str, Slice] = {}
    for one in slices:
        before = found.get(one.name)
        if before is None:
            found[one.name] = one
        elif before.kind != one.kind or not (before.mask == one.mask).all():
            one.name = f"{one.name} ({one.column})"
            found[one.name] = one
    return list(found.values())


def _keeping(run: Run, columns: dict[str, Column]) -> Run:
    """The run with these columns among its metadata and attributes."""
    changed = {}
    for kind, attribute in ((IMAGE, "metadata"), (OBJECT, "attributes")):
        before = getattr(run, attribute)
        known = [] if before is None else before.columns
        own = {sliced_columns.bare(name): column for name, column in columns.items() if column.kind == kind}
        new = [column.values.alias(name) for name, column in own.items() if column.brought and name not in known]
        if new:
            changed[attribute] = new[0].to_frame().hstack(new[1:]) if before is None else before.hstack(new)
    return run.again(**changed) if changed else run
