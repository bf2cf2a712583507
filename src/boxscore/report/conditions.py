"""Where failures gather: conditions that triage's search found, with their effect on images that it had not seen."""

from __future__ import annotations

from boxscore.model.notes import counted
from boxscore.report.parts import TEXT, Cell, Column, Table, count
from boxscore.report.wording import UNDEFINED, signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Row = Mapping[str, Any]


def searched(search: Row) -> str:
    """What was searched, and how much was found, in a sentence."""
    if search["reason"] is not None:
        return f"No conditions were searched: {search['reason']}."
    family = f"{search['family']:,} conditions, pairs and outcomes, half of {counted(search['units'], search['kind'])}"
    found = counted(len(search["findings"]), "condition stands", "conditions stand")
    return f"Searched: {family}; {found} out at the adjusted level {search['level']:g}."


def conditions(findings: Sequence[Row]) -> Table:
    """A row a condition, as triage ranks them: the most AP at stake first."""
    columns = [
        Column("condition", TEXT),
        Column("of", TEXT),
        Column("images"),
        Column("rate"),
        Column("elsewhere"),
        Column("held-out difference", hint="in the half that was not searched"),
        Column("adjusted p"),
        Column("AP at stake"),
    ]
    rows = [
        [
            Cell(one["condition"]),
            Cell(one["outcome"]),
            count(one["images"]),
            _figure(one["rate"]),
            _figure(one["rest"]),
            _signed(one["held_out"].get("difference")),
            _figure(one["p_value"]),
            _signed(one["cost"]),
        ]
        for one in findings
    ]
    return Table("Where failures gather", columns, rows, id="failures-conditions")


def _figure(value: float | None) -> Cell:
    return Cell(UNDEFINED, reason="it can't be told") if value is None else Cell(f"{value:.3f}", value)


def _signed(value: float | None) -> Cell:
    return Cell(UNDEFINED, reason="it can't be told") if value is None else Cell(signed(value), value)
