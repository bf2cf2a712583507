"""Slices: the headline figures of parts of the images and of the objects, with intervals."""

from __future__ import annotations

from boxscore.model.measure import COUNTS, TALLIES, Measure
from boxscore.report.headline import is_whole
from boxscore.report.parts import NUMBER, TEXT, Cell, Chart, Column, Section, Table, count, number, of_row
from boxscore.report.wording import UNDEFINED, signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.report.contents import Contents

    Row = dict[str, Any]
    Rows = Mapping[tuple[str, str | None, str], Row]

_HOW = "No slices were made: evaluate with `--slice-by COLUMN` (and `--metadata FILE`) to see where it fails."
_MOST_MEASURES = 8
_MOST_DRAWN = 40
_MOST_LABELLED = 300
_MEAN_IOU = "meanIoU"


def slices(contents: Contents) -> Section:
    """A table a kind of slice, a chart of the first measure, and the labels that fall behind in a slice."""
    rows = _rows(contents)
    known = _known(contents, rows)
    if not known:
        return Section("slices", "Slices", missing=contents.why_missing("slices", _HOW))
    measures = list(dict.fromkeys(measure for measure, label, _ in rows if label is None))
    tables, charts = [], []
    for kind in ("image", "object"):
        own = [one for one in known if one["kind"] == kind]
        chosen = _chosen(rows, measures, own, contents)
        if own and chosen:
            tables.append(_table(rows, own, chosen, kind))
            charts.append((rows, own, chosen, kind))
    behind = _behind(contents, rows, known)
    few = sum(not one["supported"] for one in known)
    lines = [f"{few} of {len(known)} slices rest on few images or objects (marked ⚠)."] if few else []
    return Section(
        "slices",
        "Slices",
        lines=lines,
        tables=[*tables, *([] if behind is None else [behind])],
        charts=lambda: [chart for given in charts if (chart := _chart(*given)) is not None],
    )


def _rows(contents: Contents) -> Rows:
    found = [row for row in contents.saved.metrics if row["slice"] is not None]
    view = contents.view("slices")
    found += [] if view is None else view["rows"]
    return {(row["measure"], row["label"], row["slice"]): row for row in found}


def _known(contents: Contents, rows: Rows) -> list[Row]:
    """What each slice is: as told, or of what the figures say."""
    view = contents.view("slices")
    told = [*((contents.saved.slices or {}).get("slices", [])), *([] if view is None else view["slices"])]
    names = {one["slice"] for one in told}
    for measure, label, name in rows:
        if name not in names and measure == "images" and label is None:
            images = rows[measure, label, name]["value"]
            told.append({"slice": name, "column": "", "kind": "image", "support": images, "supported": True})
            names.add(name)
    return told


def _chosen(rows: Rows, measures: Sequence[str], own: Sequence[Row], contents: Contents) -> list[str]:
    """The headline's measures and mean IoU, then counts; those that any of these slices has."""
    headline = [str(measure) for measure in contents.saved.protocol.headline]
    has = [name for name in measures if any((name, None, one["slice"]) in rows for one in own)]
    first = [name for name in headline if name in has]
    rest = [name for name in has if name not in first and Measure.parse(name).kind not in COUNTS]
    best = [name for name in rest if Measure.parse(name).kind in (_MEAN_IOU, "recall", *TALLIES)]
    return [*first[:_MOST_MEASURES], *best][: _MOST_MEASURES + 2]


def _table(rows: Rows, own: Sequence[Row], chosen: Sequence[str], kind: str) -> Table:
    body = []
    for one in own:
        cells = [_cell(rows.get((name, None, one["slice"])), name) for name in chosen]
        body.append([_name(one), count(one["support"]), *cells])
    columns = [Column("slice", TEXT), Column(f"{kind}s"), *(Column(name, NUMBER) for name in chosen)]
    return Table(f"Slices of {kind}s", columns, body, id=f"slices-{kind}", filters=True)


def _name(one: Row) -> Cell:
    few = not one["supported"]
    return Cell(f"{one['slice']} ⚠" if few else one["slice"], one["slice"].casefold(), mark="unsure" if few else None)


def _cell(row: Row | None, measure: str) -> Cell:
    return (
        Cell(UNDEFINED, reason="not measured in this slice")
        if row is None
        else of_row(row, whole=is_whole(Measure.parse(measure)))
    )


def _behind(contents: Contents, rows: Rows, known: Sequence[Row]) -> Table | None:
    """Label by slice, those that lie the furthest below the label's own figure first."""
    supported = {one["slice"] for one in known if one["supported"]}
    named = [
        name for name in map(str, contents.saved.protocol.headline) if any(key[0] == name and key[1] for key in rows)
    ]
    if not named:
        return None
    measure = named[0]
    whole = {
        row["label"]: row["value"]
        for row in contents.saved.metrics
        if row["measure"] == measure and row["slice"] is None
    }
    found = []
    for (name, label, slice_), row in rows.items():
        base = whole.get(label)
        if (
            name == measure
            and label is not None
            and row["value"] is not None
            and base is not None
            and slice_ in supported
        ):
            found.append((row["value"] - base, label, slice_, row))
    found.sort(key=lambda item: item[:3])
    body = [
        [Cell(label), Cell(slice_), of_row(row), _delta(delta), number(whole[label]), count(row["objects"])]
        for delta, label, slice_, row in found[:_MOST_LABELLED]
    ]
    title = f"Labels in slices: {measure}, furthest below the label's own first"
    if len(found) > len(body):
        title += f" ({len(body)} of {len(found)})"
    columns = [
        Column("label", TEXT),
        Column("slice", TEXT),
        Column(measure),
        Column("difference"),
        Column("label's own"),
        Column("objects"),
    ]
    return Table(title, columns, body, id="slices-labels", filters=True, folded=True) if body else None


def _delta(value: float) -> Cell:
    return Cell(signed(value), value)


def _chart(rows: Rows, own: Sequence[Row], chosen: Sequence[str], kind: str) -> Chart | None:
    from boxscore.report import charts

    measure = next((name for name in chosen if not is_whole(Measure.parse(name))), None)
    if measure is None:
        return None
    points = []
    for one in own[:_MOST_DRAWN]:
        row = rows.get((measure, None, one["slice"]))
        if row is not None and row["value"] is not None:
            points.append({"name": one["slice"], **{key: _short(row[key]) for key in ("value", "low", "high")}})
    if not points:
        return None
    words = (
        f"{measure} of each slice of {kind}s, with its interval where there is one; the table below has the numbers."
    )
    spec = charts.dots(points, [point["name"] for point in points], measure)
    return Chart(f"slices-{kind}-chart", f"{measure} by slice of {kind}s", words, spec)


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
