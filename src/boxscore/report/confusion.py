"""Which label was taken for which: a chart of the most confused labels, a table of pairs."""

from __future__ import annotations

from boxscore.model.measure import threshold_text
from boxscore.report.parts import TEXT, Cell, Chart, Column, Section, Table, count
from boxscore.report.wording import confidence_text, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.report.contents import Contents

    Cells = Sequence[tuple[int, int, int]]

NONE = "(none)"
_MOST_DRAWN = 20
_MOST_PAIRS = 40


def confusion(contents: Contents) -> Section:
    """Confusion at the confidence that the view states."""
    found = contents.view("confusion")
    title = "Confusion"
    if found is None:
        reason = contents.why_missing("confusion", "No confusion matrix was derived from this run.")
        return Section("confusion", title, missing=reason)
    names = [*found["labels"], NONE]
    cells = [(row, column, number) for row, column, number in found["cells"]]
    if not cells:
        return Section("confusion", title, missing="There is neither an object nor a detection to place.")
    floor = found["confidence"]
    at = "the floors of the run" if floor is None else f"confidence {confidence_text(floor)} ({found['chosen']})"
    pairs = _pairs(cells, len(names) - 1)
    said = (
        f"Each object and each detection stands in one cell, at IoU {threshold_text(found['iou'])} and {at}. "
        f"{NONE}: objects that nothing found, and detections of nothing."
    )
    lines = [said]
    drawn = _most_confused(cells, len(names) - 1)
    if len(drawn) < len(names):
        lines.append(
            f"The chart shows the {len(drawn) - 1} most confused of {len(names) - 1} labels; the table all pairs."
        )
    head = [Column("object", TEXT), Column("detected as", TEXT), Column("count"), Column("of the objects")]
    rows = [
        [Cell(names[row]), Cell(names[column]), count(number), _share(cells, row, number, names)]
        for row, column, number in pairs
    ]
    most = rows[:_MOST_PAIRS]
    if len(rows) > len(most):
        lines.append(f"The table lists the {len(most)} most frequent of {len(rows)} confused pairs.")
    tables = [Table("Labels taken for others", head, most, id="confusion-table", filters=True, folded=True)]
    return Section(
        "confusion",
        title,
        lines=lines if rows else [*lines, "No label was taken for another."],
        tables=tables if rows else [],
        charts=lambda: [_chart(cells, names, drawn)],
    )


def _pairs(cells: Cells, none: int) -> list[tuple[int, int, int]]:
    """Different labels, the most frequent first; what is (none) stands in other sections."""
    return sorted(
        (cell for cell in cells if cell[0] != cell[1] and none not in cell[:2]), key=lambda cell: (-cell[2], cell[:2])
    )


def _most_confused(cells: Cells, none: int) -> list[int]:
    """Positions to draw, in order: the labels with the most confusions, then none."""
    weights = dict.fromkeys(range(none), 0)
    sizes = dict.fromkeys(range(none), 0)
    for row, column, number in cells:
        for place in {row, column} - {none}:
            sizes[place] += number
            if row != column and none not in (row, column):
                weights[place] += number
    ranked = sorted(weights, key=lambda place: (-weights[place], -sizes[place], place))
    return [*sorted(ranked[:_MOST_DRAWN]), none]


def _share(cells: Cells, row: int, number: int, names: Sequence[str]) -> Cell:
    del names
    total = sum(cell[2] for cell in cells if cell[0] == row)
    return Cell(percent(number / total), number / total, share=number / total)


def _chart(cells: Cells, names: Sequence[str], drawn: Sequence[int]) -> Chart:
    from boxscore.report import charts

    totals: dict[int, int] = {}
    for row, _, number in cells:
        totals[row] = totals.get(row, 0) + number
    kept = set(drawn)
    rows: list[dict[str, Any]] = [
        {"object": names[row], "detection": names[column], "count": number, "share": round(number / totals[row], 4)}
        for row, column, number in cells
        if row in kept and column in kept
    ]
    order = [names[place] for place in drawn]
    words = (
        "Confusion matrix: rows are labels of objects, columns labels of detections; right ones lie on the diagonal."
    )
    return Chart("confusion-chart", "Confusion matrix", words, charts.matrix(rows, order))
