"""What is worth knowing about a comparison of two data sets: units, labels that replicates lack, what means are of."""

from __future__ import annotations

from boxscore.compare.noted import absent_labels, steps_differ
from boxscore.compare.presence import Presence
from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boxscore.compare.unpaired_results import Gap
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.units import Units
    from boxscore.stats.plans import Plan


def notes(
    runs: Mapping[str, Run], shared: Sequence[str], gaps: Sequence[Gap], drawn: Sequence[tuple[Units, Plan]]
) -> Iterator[Note]:
    """Those of each side, by its name, then those of both."""
    from boxscore.stats.intervals import caution

    overall = [gap for gap in gaps if gap.label is None]
    for (name, run), (units, plan) in zip(runs.items(), drawn, strict=True):
        own = list(units.notes)
        warning = caution(units.count, units.kind)
        if warning is not None:
            own.append(Note("few-units", warning, units.count))
        absent: dict[str, float] = {}
        for area, gap in {gap.measure.area: gap for gap in overall}.items():
            shares = Presence(run, area, plan).absent(gap.measure, None)
            absent |= {label: share for label, share in shares.items() if label in gap.labels and label not in absent}
        if absent:
            own.append(absent_labels(absent, units.kind))
        yield from (Note(note.code, f"{name}: {note.message}", note.count) for note in own)
    yield from _fewer_labels(overall, len(shared))
    yield from steps_differ(runs)
    one, other = runs.values()
    if one.data_identity is not None and one.data_identity == other.data_identity:
        yield Note("same-data", "both are the same ground truth: compare without --unpaired sees smaller differences")


def _fewer_labels(gaps: Sequence[Gap], number: int) -> Iterator[Note]:
    by_labels: dict[tuple[str, ...], list[str]] = {}
    for gap in gaps:
        if gap.lacking:
            by_labels.setdefault(tuple(gap.lacking), []).append(str(gap.measure))
    for lacking, measures in by_labels.items():
        message = (
            f"{listed(measures, 12)}: over {number - len(lacking)} of {counted(number, 'shared label')}, as a side has "
            f"no figure of the rest: {listed(list(lacking), 20)}"
        )
        yield Note("fewer-labels", message, len(lacking))
