"""Failure modes: how many, what they cost, whose labels and slices lead; clusters; where failures gather."""

from __future__ import annotations

from boxscore.model.measure import threshold_text
from boxscore.report.conditions import conditions, searched
from boxscore.report.parts import TEXT, Cell, Chart, Column, Section, Table, count
from boxscore.report.wording import UNDEFINED, confidence_text, percent, signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.report.contents import Contents

    Row = Mapping[str, Any]

_TITLE = "Failure modes"
_HOW = "Failures were not sorted: `boxscore triage RUN` does it."


def failures(contents: Contents) -> Section:
    """What triage found, as it stands in the run folder."""
    found = contents.view("triage")
    if found is None:
        return Section("failures", _TITLE, missing=contents.why_missing("triage", _HOW))
    lines = [_said(found), *(note["message"] for note in found["notes"])]
    tables = [_modes(found["modes"])]
    search = found.get("search")
    if search is not None:
        lines.append(searched(search))
        tables += [conditions(search["findings"])] if search["findings"] else []
    clusters = found.get("clusters")
    if clusters is not None:
        lines.append(f"Clusters ({clusters['word']}): {clusters['reason']}.")
        tables += [_clusters(clusters["rows"])] if clusters["rows"] and clusters["k"] > 1 else []
    return Section("failures", _TITLE, lines=lines, tables=tables, charts=lambda: [_chart(found["modes"])])


def _said(found: Row) -> str:
    floor = found["confidence"]
    at = "the floors of the run" if found["floors"] else "every confidence"
    at = at if floor is None else f"confidence {confidence_text(floor)}"
    iou = "" if found["iou"] is None else f"IoU {threshold_text(found['iou'])} and "
    return (
        f"At {iou}{at}: {found['found']:,} of {found['objects']:,} objects found, "
        f"{found['false_detections']:,} false detections. The cost of a mode is the AP that would be given back if it "
        "alone were mended; costs do not add up."
    )


def _modes(modes: Sequence[Row]) -> Table:
    columns = [
        Column("failure", TEXT),
        Column("count"),
        Column("share", hint="of all false detections, or of all missed objects"),
        Column("cost in AP"),
        Column("leading labels", TEXT),
        Column("leading slices", TEXT),
    ]
    rows = [
        [
            Cell(_name(one)),
            count(one["count"]),
            _share(one["share"]),
            _cost(one["cost"]),
            Cell(_confused(one["taken_for"]) or _labels(one["labels"])),
            Cell(", ".join(f"{part['slice']} ({part['count']:,})" for part in one["slices"])),
        ]
        for one in modes
    ]
    return Table("Failures by mode", columns, rows, id="failures-modes")


def _name(mode: Row) -> str:
    if mode["of"] == "false detections":
        return f"false: {mode['mode']}"
    return "missed" if mode["mode"] == "missed" else f"missed: {mode['mode']}"


def _share(value: float | None) -> Cell:
    return Cell(UNDEFINED, reason="there are none") if value is None else Cell(percent(value), value, share=value)


def _cost(value: float | None) -> Cell:
    return Cell(UNDEFINED, reason="there is no AP") if value is None else Cell(signed(value), value)


def _labels(labels: Sequence[Row]) -> str:
    return ", ".join(f"{one['label']} ({one['count']:,})" for one in labels)


def _confused(pairs: Sequence[Row]) -> str:
    return ", ".join(f"{one['object']} as {one['detected']} ({one['count']:,})" for one in pairs)


def _clusters(rows: Sequence[Row]) -> Table:
    columns = [
        Column("cluster", TEXT),
        Column("failures"),
        Column("share"),
        Column("mostly", TEXT),
        Column("set apart by", TEXT),
    ]
    body = [
        [
            Cell(str(one["cluster"] + 1), one["cluster"] + 1),
            count(one["count"]),
            _share(one["share"]),
            Cell(f"{one['mode']} ({percent(one['mode_share'])})"),
            Cell("; ".join(_apart(part) for part in one["apart"])),
        ]
        for one in rows
    ]
    return Table("Clusters of failures", columns, body, id="failures-clusters")


def _apart(part: Row) -> str:
    if part["value"] is None:
        return f"{part['feature']} {part['here']:.3g} (all {part['all']:.3g})"
    return f"{part['feature']}={part['value']} {percent(part['here'])} (all {percent(part['all'])})"


def _chart(modes: Sequence[Row]) -> Chart:
    from boxscore.report import charts

    points = [{"name": _name(one), "value": one["count"]} for one in modes]
    words = "Number of failures of each mode; the table below has the numbers."
    return Chart(
        "failures-chart", "Failures by mode", words, charts.bars(points, [one["name"] for one in points], "count")
    )
