"""The table of labels: figures with intervals, counts."""

from __future__ import annotations

from boxscore.model.measure import Measure
from boxscore.report.headline import is_whole
from boxscore.report.parts import NUMBER, TEXT, Cell, Column, Section, Table, of_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.report.contents import Contents

_FEW = 10
"""Below so many objects a label's figures are marked as unstable, where the protocol states no number of its own."""


def labels(contents: Contents) -> Section:
    """A row a label, all its measures in columns."""
    saved = contents.saved
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in saved.metrics:
        if row["label"] is not None and row["slice"] is None:
            found.setdefault(row["label"], {})[row["measure"]] = row
    if saved.label_agnostic or not found:
        return Section("labels", "Labels", missing="Labels were disregarded: there is one figure for all of them.")
    measures = list(dict.fromkeys(name for rows in found.values() for name in rows))
    few = saved.protocol.least_support or _FEW
    body = [
        [_name(label, rows, few), *(_cell(rows.get(name), name) for name in measures)] for label, rows in found.items()
    ]
    columns = [Column("label", TEXT), *(Column(name, NUMBER) for name in measures)]
    table = Table("Figures by label", columns, body, id="labels-table", filters=True, folded=len(body) > 12)
    marked = sum(row[0].mark is not None for row in body)
    lines = [f"{marked} of {len(body)} labels have fewer than {few} objects (marked ⚠): their figures are unstable."]
    return Section("labels", "Labels", lines=lines if marked else [], tables=[table])


def _name(label: str, rows: dict[str, dict[str, Any]], few: int) -> Cell:
    objects = rows["objects"]["value"] if "objects" in rows else None
    unsure = objects is not None and objects < few
    return Cell(f"{label} ⚠" if unsure else label, label.casefold(), mark="unsure" if unsure else None)


def _cell(row: dict[str, Any] | None, measure: str) -> Cell:
    if row is None:
        return Cell("", None, reason=None)
    return of_row(row, whole=is_whole(Measure.parse(measure)))
