"""A table of one variant: its figures with intervals, in the form in which a comparison gives those of several."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.pipeline.intervals import Resampled
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.study.declared import Section

_FIGURE = ("mean", "std_error", "low", "high", "bias")


def alone(ref: str, run: Run, section: Section, resampling: Resampling) -> dict[str, Any]:
    """As `Comparison.to_dict`, with no pairs. Raises InputError, and MeasureError for a measure that can't be had."""
    from boxscore.pipeline.intervals import interval_rows

    found = [
        interval_rows(run, resampling, measures=[measure], per_label=section.per_label) for measure in section.measures
    ]
    plan, units = found[0].plan, found[0].units
    notes = {note.message: note.to_dict() for one in found for note in one.notes}
    results = [
        one
        for measure, of_measure in zip(section.measures, found, strict=True)
        for one in _results(ref, measure, of_measure)
    ]
    return {
        "models": [ref],
        "unit": units.kind,
        "units": plan.num_units,
        "replicates": plan.replicates,
        "exact": plan.exact,
        "seed": resampling.seed,
        "confidence": resampling.confidence,
        "interval": resampling.interval,
        "images": run.num_images,
        "protocol": run.protocol.to_dict(),
        "notes": list(notes.values()),
        "results": sorted(results, key=lambda one: one["label"] is not None),
    }


def _results(ref: str, measure: str, found: Resampled) -> Iterator[dict[str, Any]]:
    for row in found.rows:
        reason = row["reason"] or row.get("interval_reason")
        figure = {"model": ref, "point": row["value"], **{name: row.get(name) for name in _FIGURE}, "reason": reason}
        yield {"measure": measure, "label": row["label"], "models": [figure], "pairs": [], "groups": [], "absent": {}}
