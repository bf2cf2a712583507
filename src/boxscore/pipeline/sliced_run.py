"""A run with slices in its metrics, and notes about them."""

from __future__ import annotations

from boxscore.model.metrics import Metrics
from boxscore.model.notes import Note, counted, listed
from boxscore.pipeline.sliced import Slices, Slicing, sliced, slices_of
from boxscore.pipeline.sliced_images import average_of, localised, mean_iou_of
from boxscore.slices.slice import IMAGE, NO_OBJECT, OBJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run


def with_slices(run: Run, slicing: Slicing, resampling: Resampling | None = None) -> Run:
    """The run with rows of slices behind those that it has, what they were made of, and notes. Raises InputError."""
    slices = slices_of(run, slicing)
    rows = [row for row in run.metrics if row["slice"] is None or not _is_ours(run, row)]
    rows += _localisation(run, rows, resampling) if slices else []
    rows += sliced(run, slices, resampling=resampling) if slices else []
    about_result = run.notes[len(run.input_notes) :]
    return run.again(
        metadata=slices.run.metadata,
        attributes=slices.run.attributes,
        groups=run.groups,
        result_notes=[*about_result, *slices.notes, *_notes(slices)],
        metrics=Metrics(rows),
        resampled=run.resampled,
        slices=None if not slices else describe(slices, slicing) | {"intervals": resampling is not None},
    )


def describe(slices: Slices, slicing: Slicing) -> dict[str, Any]:
    """What was asked for, and what each slice is, ready for JSON."""
    return slicing.to_dict() | {"slices": [one.to_dict() for one in slices]}


def _is_ours(run: Run, row: dict[str, Any]) -> bool:
    """Whether a row is of slices that were made before: they are made anew."""
    known = (run.slices or {}).get("slices", [])
    return row["slice"] == NO_OBJECT or row["slice"] in {one["slice"] for one in known}


def _localisation(run: Run, rows: list[dict[str, Any]], resampling: Resampling | None) -> list[dict[str, Any]]:
    """Mean IoU over all images, so that slices have something to be held against."""
    from boxscore.pipeline.intervals import fill, plan_of

    measure = mean_iou_of(run)
    if not localised(run) or any(row["measure"] == str(measure) and row["slice"] is None for row in rows):
        return []
    from boxscore.measures.table import row_of

    found = []
    for label in (None, *(() if run.label_agnostic else run.labels)):
        objects, figure = int(run.value("objects", label) or 0), run.explain(measure, label)
        found.append(row_of(str(measure), label, average_of(run, measure, label), *figure, run.num_images, objects))
    if resampling is not None and run.resampled is not None:
        fill(run, found, *plan_of(run, resampling), resampling)
    return found


def _notes(slices: Slices) -> Iterator[Note]:
    few = [one for one in slices if not one.supported]
    for kind in (IMAGE, OBJECT):
        own = [one for one in few if one.kind == kind]
        if own:
            which = counted(len(own), "slice rests", "slices rest")
            names = listed([f"{one.name} {one.support}" for one in own])
            message = f"{which} on fewer than {own[0].least} {kind}s, marked in tables: {names}"
            yield Note("slices-few", message, len(own))
