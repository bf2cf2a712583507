"""The headline: the protocol's summary with intervals, and what was noted."""

from __future__ import annotations

from boxscore.model.measure import COUNTS, TALLIES, Measure
from boxscore.model.notes import counted
from boxscore.report.parts import TEXT, Cell, Column, Section, Table, of_row
from boxscore.report.wording import measure_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.report.contents import Contents
    from boxscore.runs import SavedRun

NO_INTERVALS = "No intervals were made: evaluate with `--interval` to see how far these figures can be trusted."


def headline(contents: Contents) -> Section:
    """The summary's figures, one a row, and what the data are."""
    saved = contents.saved
    rows = [_row(saved, measure) for measure in saved.protocol.headline]
    columns = [Column("measure", TEXT), Column("over", TEXT), Column("value")]
    return Section(
        "headline",
        "Headline",
        lines=[_data(saved), how_intervals(saved)],
        tables=[Table("Headline figures", columns, rows, id="headline-table")],
        widget="headline",
    )


def notes(contents: Contents) -> Section:
    """What was seen in the input, and is worth knowing about the result."""
    found = contents.saved.notes
    if not found:
        return Section("notes", "Notes", missing="Nothing was noted about the input or the result.")
    rows = [[Cell(note.code), Cell(note.message)] for note in found]
    table = Table("Notes", [Column("about", TEXT), Column("note", TEXT)], rows, id="notes-table", folded=True)
    return Section("notes", "Notes", tables=[table])


def how_intervals(saved: SavedRun) -> str:
    """What the intervals are, in a sentence; how to get them where there are none."""
    made = saved.resampled
    if made is None:
        return NO_INTERVALS
    units = counted(made["units"], made["unit"])
    drawn = f"{counted(made['replicates'], 'resample')} of {units}"
    which = f"all {drawn}" if made["exact"] else f"{drawn}, seed {made['seed']}"
    return f"Intervals: {100 * made['confidence']:g} %, {made['interval']}, from {which}."


def is_whole(measure: Measure) -> bool:
    """Whether it is a count."""
    return measure.kind in COUNTS or measure.kind in TALLIES


def _data(saved: SavedRun) -> str:
    labels = "labels disregarded" if saved.label_agnostic else counted(len(saved.labels), "label")
    objects = saved.metrics.find("objects")["value"]
    detections = saved.metrics.find("detections")["value"]
    modified = f", modified: {', '.join(saved.protocol.modified)}" if saved.protocol.modified else ""
    return (
        f"{counted(len(saved.image_ids), 'image')}, {objects:,.0f} objects to be found, {detections:,.0f} detections, "
        f"{labels}; protocol {saved.protocol.name} {saved.protocol.version}{modified}."
    )


def _row(saved: SavedRun, measure: Measure) -> list[Cell]:
    row = saved.metrics.find(str(measure))
    return [Cell(str(measure)), Cell(measure_words(measure, saved.protocol)), of_row(row, whole=is_whole(measure))]
