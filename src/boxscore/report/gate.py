"""The gate: each check with its verdict, the failing ones first."""

from __future__ import annotations

from boxscore.model.measure import Measure
from boxscore.report.headline import is_whole
from boxscore.report.parts import TEXT, Cell, Column, Section, Table
from boxscore.report.wording import UNDEFINED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boxscore.report.contents import Contents

    Check = Mapping[str, Any]

_HOW = "No gate was run: `boxscore gate RUN --baseline BASE` holds this run to a baseline."
_SIGNS = {"pass": "✓ pass", "fail": "✗ fail"}


def gate(contents: Contents) -> Section:
    """A table of checks as `boxscore gate` left them in the run folder."""
    found = contents.view("gate")
    if found is None:
        return Section("gate", "Gate", missing=contents.why_missing("gate", _HOW))
    checks = found["checks"]
    failed = sum(one["verdict"] == "fail" for one in checks)
    said = f"✗ {failed} of {len(checks)} checks failed." if failed else f"✓ All {len(checks)} checks passed."
    lines = [f"{said} This run: {_last(found['current'])}; baseline: {_last(found['baseline'])}."]
    if any(one["judge"] != "fixed" for one in checks):
        lines.append("Checks that take noise into account are decided by their p, not by the limit alone.")
    order = sorted(range(len(checks)), key=lambda at: (checks[at]["verdict"] != "fail", at))
    columns = [
        Column("verdict", TEXT),
        Column("slice", TEXT),
        Column("label", TEXT),
        Column("measure", TEXT),
        Column("judged", TEXT),
        Column("baseline"),
        Column("current"),
        Column("limit", hint="floor, or ceiling where lower is better"),
        Column("delta"),
        Column("adjusted p"),
        Column("reason", TEXT),
    ]
    rows = [_row(checks[at]) for at in order]
    kept = [place for place in range(len(columns)) if place < 9 or any(row[place].text for row in rows)]
    table = Table(
        "Checks",
        [columns[place] for place in kept],
        [[row[place] for place in kept] for row in rows],
        id="gate-table",
        filters=True,
        folded=not failed,
    )
    return Section("gate", "Gate", lines=lines, tables=[table])


def _last(path: str) -> str:
    """A run is told by its folder's name: the rest is another on another machine."""
    return path.rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def _row(one: Check) -> list[Cell]:
    verdict = str(one["verdict"])
    limit = one.get("ceiling") if "ceiling" in one else one.get("floor")
    sign = "≤ " if "ceiling" in one else "≥ "
    p = one.get("adjusted_p", one.get("p"))
    whole = _is_whole(str(one["measure"]))
    return [
        Cell(_SIGNS.get(verdict, verdict), verdict, mark={"pass": "good", "fail": "bad"}.get(verdict, "unsure")),
        Cell(one.get("slice") or "all"),
        Cell(one.get("label") or "all"),
        Cell(str(one["measure"])),
        Cell(str(one.get("judge") or "")),
        _number(one.get("baseline"), whole=whole),
        _number(one.get("current"), whole=whole),
        Cell("", None, reason=None) if limit is None else Cell(sign + _text(limit, whole=whole), limit),
        _delta(one.get("delta"), whole=whole),
        Cell("", None) if p is None else Cell(f"{p:.4f}", p),
        Cell(str(one.get("reason") or "")),
    ]


def _number(value: float | None, *, whole: bool) -> Cell:
    return (
        Cell(UNDEFINED, reason="there is no such figure") if value is None else Cell(_text(value, whole=whole), value)
    )


def _text(value: float, *, whole: bool) -> str:
    """Gates look closely: four places; counts are whole where they are."""
    return f"{value:,.6g}" if whole else f"{value:.4f}"


def _delta(value: float | None, *, whole: bool) -> Cell:
    if value is None:
        return Cell(UNDEFINED, reason="there is no such figure")
    return Cell(f"{value:+,.6g}".replace("-", "−") if whole else f"{value:+.4f}".replace("-", "−"), value)


def _is_whole(text: str) -> bool:
    """Whether it is a count; names of other tables' columns are taken as they are."""
    from boxscore.errors import MeasureError

    try:
        return is_whole(Measure.parse(text))
    except MeasureError:
        return False
