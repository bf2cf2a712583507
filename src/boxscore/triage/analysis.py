"""Triage of a run, a run folder, or a table of matches."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.model.notes import Note
from boxscore.pipeline.run import Run
from boxscore.triage.breakdown import break_down
from boxscore.triage.conditions import conditions_of
from boxscore.triage.modes import false_detections, missed_objects
from boxscore.triage.options import Options
from boxscore.triage.oracles import Oracles
from boxscore.triage.results import Triage
from boxscore.triage.source import source_of
from boxscore.triage.table import is_table, read_table
from boxscore.triage.view import view_of
from boxscore.triage.where import Parts, find_where, weights_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any

    from boxscore.slices.slice import Slice
    from boxscore.triage.breakdown import Breakdown
    from boxscore.triage.source import Source

NAME = "triage"
"""Under which a run folder keeps what was found."""


def triage(given: Run | str | PathLike[str], options: Options | None = None) -> Triage:
    """Sort the failures of a run, of a run folder, or of a table of matches (`.csv`, `.tsv`, `.parquet`).

    Raises InputError for what can't be read or lacks boxes, ProtocolError for an IoU threshold that the run has not.
    """
    asked = options or Options()
    found = _of_table(given, asked) if not isinstance(given, Run) and is_table(given) else _of_run(given, asked)
    if asked.clusters:
        from boxscore.triage.grouping import add_clusters

        add_clusters(found, asked)
    return found


def save(found: Triage, folder: str | PathLike[str]) -> None:
    """Keep what was found in the run's folder, under `derived`. Raises InputError."""
    from boxscore.runs.derived import write_derived

    write_derived(folder, NAME, found.to_dict())


def default_iou(run: Run) -> float:
    """0.5 where the protocol has it, else its first threshold."""
    thresholds = run.protocol.iou_thresholds
    return 0.5 if 0.5 in thresholds else thresholds[0]


def _of_run(given: Run | str | PathLike[str], options: Options) -> Triage:
    source = source_of(given)
    slices, notes = _sliced(source, options)
    run = source.run
    floors = _floors(run, options.confidence)
    view = view_of(source, default_iou(run) if options.iou is None else options.iou, floors)
    false, missed = false_detections(view, crowds=options.crowds), missed_objects(view)
    oracles = Oracles(view, run.num_images, len(run.labels), run.threads)
    metadata = {} if run.metadata is None else {c.name: c.to_list() for c in run.metadata.iter_columns()}
    parts = Parts(view, false, missed, oracles, run.labels.names, [*slices, *_new(conditions_of(metadata), slices)])
    units, kind = _units(source, options, notes)
    searched = find_where(parts, units, kind, options)

    def cases() -> Any:  # noqa: ANN401  a polars frame
        from boxscore.triage.cases import cases_of

        return cases_of(source, view, false, missed, slices)

    name = "run" if source.folder is None else str(source.folder)
    return Triage(
        name,
        _breakdown(parts, options),
        view=_seen(parts, floors, options.crowds),
        searched=searched,
        sampling=weights_of(parts, searched, name),
        notes=[*notes, *_notes(parts, floors)],
        cases=cases,
    )


def _of_table(path: str | PathLike[str], options: Options) -> Triage:
    import numpy as np

    from boxscore.triage.table_view import TableView

    if options.iou is not None or options.slicing is not None or options.resampling is not None:
        raise InputError(
            f"{os.fspath(path)}: iou, slices, metadata and units are about runs: a table of matches says which hits it "
            "has, and its columns are its conditions; leave them out"
        )
    table = read_table(path, confidence=options.confidence)
    seen = TableView(table.cases)
    oracles = Oracles(seen.view, len(seen.scenes), len(seen.labels))
    parts = Parts(seen.view, seen.false, seen.missed, oracles, seen.labels, conditions_of(seen.metadata))
    units = np.arange(len(seen.scenes), dtype=np.uint32)
    searched = find_where(parts, units, "image", options)
    breakdown = _breakdown(parts, options)
    # The table doesn't say which objects false detections overlap, by which these are told.
    for row in breakdown.rows:
        if row["of"] == "false detections" and row["mode"] in ("classification", "localisation"):
            row["cost"] = 0.0 if row["count"] == 0 else None
    breakdown.totals["missed"] |= {"count": None, "cost": None}
    floors = None if options.confidence is None else [options.confidence] * len(seen.labels)
    return Triage(
        table.source,
        breakdown,
        view=_seen(parts, floors, options.crowds) | {"iou": None},
        searched=searched,
        sampling=weights_of(parts, searched, table.source),
        notes=table.notes,
        cases=lambda: table.cases,
    )


def _breakdown(parts: Parts, options: Options) -> Breakdown:
    return break_down(
        parts.view,
        parts.false,
        parts.missed,
        parts.oracles,
        parts.labels,
        parts.slices,
        support=options.support,
    )


def _sliced(source: Source, options: Options) -> tuple[list[Slice], list[Note]]:
    """The slices asked for; the run gets the metadata that they bring."""
    if options.slicing is None:
        return [], []
    from boxscore.pipeline.sliced import slices_of

    slices = slices_of(source.run, options.slicing)
    source.run = slices.run
    return list(slices), slices.notes


def _new(conditions: Sequence[Slice], slices: Sequence[Slice]) -> list[Slice]:
    """Conditions that no slice asked for is already."""
    known = {one.mask.tobytes() for one in slices if one.kind == "image"}
    return [one for one in conditions if one.mask.tobytes() not in known]


def _floors(run: Run, confidence: float | None) -> list[float] | None:
    from boxscore.pipeline import operating

    return operating.floors_of(run) if confidence is None else [confidence] * len(run.labels)


def _units(source: Source, options: Options, notes: list[Note]) -> tuple[Any, str]:
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.units import units_of

    units = units_of(source.run, Resampling.of(options.resampling))
    notes += [note for note in units.notes if note.code != "grouped"]
    return units.of_image, units.kind


def _seen(parts: Parts, floors: Sequence[float] | None, crowds: bool) -> dict[str, Any]:  # noqa: FBT001  a row of JSON
    view = parts.view
    one = floors[0] if floors and len(set(floors)) == 1 else None
    return {
        "iou": view.iou,
        "confidence": one,
        "floors": dict(zip(parts.labels, floors, strict=True)) if floors and one is None else None,
        "crowds": crowds,
        "average_precision": parts.oracles.average_precision,
        "images": parts.oracles.num_images,
        "objects": int(view.counts.sum()),
        "found": int(view.found.sum()),
        "false_detections": int(view.false.sum()),
    }


def _notes(parts: Parts, floors: Sequence[float] | None) -> list[Note]:
    if floors is not None or not parts.view.false.any():
        return []
    least = float(parts.view.score[parts.view.part].min())
    message = (
        f"every detection counts, down to the lowest score ({least:.3g}): most false ones may be of scores that nobody "
        "uses; choose the confidence that you run at"
    )
    return [Note("no-confidence", message, int(parts.view.false.sum()))]
