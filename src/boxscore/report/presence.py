"""Presence: who was on screen when, of runs that `boxscore presence score` wrote."""

from __future__ import annotations

from boxscore.report.parts import TEXT, Cell, Chart, Column, Section, Table, count, number
from boxscore.report.wording import UNDEFINED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from boxscore.report.contents import Contents

    Row = Mapping[str, Any]

_RATES = ("precision", "recall", "F1")
_COUNTS = ("TP", "FP", "FN")
_FITS = (
    ("onset", "onset s", "seconds after the true start at which the actor is noticed; the median"),
    ("offset", "offset s", "seconds after the true end at which the actor is let go; the median"),
    ("gaps", "gaps", "times at which the prediction stops within a true window and comes back"),
    ("flicker", "gaps a minute", "of the true windows found"),
    ("window_iou", "window IoU", "of a true window with the predicted one that fits it best; the mean"),
    ("time_iou", "time IoU", "seconds in both sides by seconds in either"),
    ("over_segmentation", "over-segmentation", "predicted windows in a true one that is found"),
    ("under_segmentation", "under-segmentation", "true windows that a predicted one reaches into"),
)
_STATES = {"found": "agrees", "right": "agrees"}
_NO_INTERVAL = {"low": None, "high": None}


def presence(contents: Contents) -> Section | None:
    """Figures masked and not, of each ground truth; roles, actors, windows, fates, smoothing, and the timeline."""
    found = contents.view("presence")
    if found is None:
        return None
    own = next(one for one in found["sources"] if one["source"] == found["source"])
    moments = own["moments"]
    lines = [
        f"{moments['count']:,} moments, {moments['how']}; mask: {own['mask']['words']}.",
        *_hidden(own),
        *[one["caveat"] for one in found["sources"] if one["caveat"] is not None],
    ]
    tables = [
        _sources(found["sources"]),
        *_rates("By role", own["by_role"], id="presence-roles"),
        *_rates("By actor", own["by_actor"], id="presence-actors", folded=True),
        *_outside(own["outside_mask"]),
        *_fates(own["fates"]),
        *_windows(own["windows"]),
        *_sweep(own["anneal"]),
        *_rates("By scene", own["by_scene"], id="presence-scenes", folded=True),
    ]
    return Section("presence", "Presence", lines=lines, tables=tables, charts=lambda: list(_timeline(own["picture"])))


def _hidden(own: Row) -> list[str]:
    if own["mask"]["kind"] != "ground truth and predicted":
        return []
    return [
        "No gallery was given: wholly missed and invented actors are outside the mask, in the unmasked figures alone."
    ]


def _sources(sources: Sequence[Row]) -> Table:
    rows = []
    for one in sources:
        kinds = ("unmasked",) if one["mask"]["kind"] == "none" else ("masked", "unmasked")
        rows += [[Cell(one["title"]), Cell(kind), *_cells(one[kind])] for kind in kinds]
    columns = [Column("ground truth", TEXT), Column("actors", TEXT), *_columns()]
    return Table("Figures over all moments", columns, rows, id="presence-sources")


def _rates(title: str, rows: Sequence[Row], *, id: str, folded: bool = False) -> Iterator[Table]:  # noqa: A002  as HTML
    if not rows:
        return
    with_mask = "in_mask" in rows[0]
    columns = [Column("name", TEXT), *([Column("role", TEXT), Column("mask", TEXT)] if with_mask else []), *_columns()]
    body = []
    for row in rows:
        own = [Cell(row["role"]), Cell("in" if row["in_mask"] else "out")] if with_mask else []
        body.append([Cell(row["name"]), *own, *_cells(row)])
    yield Table(title, columns, body, id=id, filters=True, folded=folded and len(rows) > 12)


def _columns() -> list[Column]:
    return [Column(name) for name in (*_RATES, *_COUNTS)]


def _cells(row: Row) -> list[Cell]:
    rates = [_NO_INTERVAL | row[name] for name in _RATES]
    shares = [number(one["value"], one["reason"], low=one["low"], high=one["high"]) for one in rates]
    return [*shares, *(count(row[name]) for name in _COUNTS)]


def _outside(found: Row) -> Iterator[Table]:
    sides = (("predicted", "prediction"), ("true", "ground truth"))
    rows = [
        [Cell(one["name"]), Cell(words), count(one["moments"])]
        for side, words in sides
        for one in found[f"{side}_actors"]
    ]
    if rows:
        columns = [Column("actor", TEXT), Column("there by", TEXT), Column("moments")]
        yield Table("Outside the mask", columns, rows, id="presence-outside", filters=True, folded=len(rows) > 12)


def _fates(found: Row | None) -> Iterator[Table]:
    if found is None or not found["misses"]:
        return
    with_screen = found["rows"][0]["screen"] is not None
    rows = [
        [
            *([Cell(row["screen"])] if with_screen else []),
            Cell(row["detection"]),
            count(row["misses"]),
            count(row["in_mask"]),
        ]
        for row in found["rows"]
    ]
    columns = [Column("by MovieNet", TEXT)] if with_screen else []
    columns += [Column("by the prediction", TEXT), Column("misses"), Column("in the mask")]
    yield Table("Misses of X-Ray, by fate", columns, rows, id="presence-fates")


def _windows(found: Row) -> Iterator[Table]:
    if found["reason"] is not None:
        return
    columns = [Column("actor", TEXT), Column("true windows"), Column("found")]
    columns += [Column(title, hint=hint) for _, title, hint in _FITS]
    rows = [
        [Cell(row["name"]), count(row["windows"]), count(row["found"]), *(_fit(row, name) for name, _, _ in _FITS)]
        for row in (found["all"], *found["by_actor"])
    ]
    yield Table("Windows: delays, gaps, fit", columns, rows, id="presence-windows", filters=True, folded=len(rows) > 12)


def _fit(row: Row, name: str) -> Cell:
    value = row[name]
    if value is None:
        return Cell(UNDEFINED, reason=row["reasons"][name])
    if name == "gaps":
        return count(value)
    return Cell(f"{value:+.2f}".replace("-", "−") if name in ("onset", "offset") else f"{value:.3f}", value)


def _sweep(rows: Sequence[Row]) -> Iterator[Table]:
    if rows:
        columns = [Column("gaps closed up to", TEXT), *_columns()]
        body = [[Cell(row["name"], row["seconds"]), *_cells(row)] for row in rows]
        yield Table("Smoothing of the prediction", columns, body, id="presence-smoothing")


def _timeline(found: Row) -> Iterator[Chart]:
    if not found["actors"]:
        return
    from boxscore.report import charts

    names = _distinct(found["actors"])
    rows = [
        {
            "actor": names[one["actor"]],
            "side": one["side"],
            "state": _STATES.get(one["state"], one["state"]),
            "start": round(one["start"] / 60, 4),
            "end": round(one["end"] / 60, 4),
            "from": _clock(one["start"]),
            "to": _clock(one["end"]),
        }
        for one in found["stretches"]
    ]
    words = (
        "A band an actor: when the ground truth has them above, when the prediction has them below, errors coloured."
    )
    title = "Timeline: ground truth above, prediction below"
    if found["left_out"]:
        title += f" ({len(names)} of {len(names) + found['left_out']} actors)"
    yield Chart("presence-timeline", title, words, charts.timeline(rows, list(names.values())))


def _distinct(actors: Sequence[Row]) -> dict[str, str]:
    """Names by label; those of several actors with their labels, those outside the mask with a star."""
    names = [one["name"] for one in actors]
    found = {}
    for one in actors:
        name = one["name"] if names.count(one["name"]) == 1 else f"{one['name']} ({one['label']})"
        found[one["label"]] = name if one["masked"] else f"{name} *"
    return found


def _clock(seconds: float) -> str:
    whole = round(seconds * 10)
    return f"{whole // 36_000}:{whole // 600 % 60:02}:{whole // 10 % 60:02}.{whole % 10}"
