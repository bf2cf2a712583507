"""Triage as text: modes, conditions, clusters."""

from __future__ import annotations

from boxscore.cli.tables import aligned, figure
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.triage import Triage

    Row = dict[str, Any]

_UNDEFINED = "n/a"
_SEVERAL = 3


def lines(found: Triage) -> list[str]:
    """Everything, a table a question."""
    told = [*_head(found.view), "", *_modes(found.breakdown.rows, found.breakdown.totals)]
    told += _slices(found.breakdown.rows)
    if found.searched is not None:
        told += ["", *_search(found.searched.to_dict())]
    if found.clustering is not None and found.clusters is not None:
        told += ["", *_clusters(found.clustering.to_dict(), found.clusters)]
    return told


def _head(view: Row) -> list[str]:
    if view["confidence"] is not None:
        which = f"from confidence {view['confidence']:g} on"
    else:
        which = "from each label's confidence floor on" if view["floors"] else "of any confidence"
    at = "the table's hits" if view["iou"] is None else f"IoU {view['iou']:g}"
    found = f"{view['found']} of {counted(view['objects'], 'object')} found"
    false = counted(view["false_detections"], "false detection")
    at = f"({at}, detections {which}); AP there {figure(view['average_precision'])}"
    return [f"{counted(view['images'], 'image')}, {found}, {false} {at}"]


def _modes(rows: Sequence[Row], totals: Row) -> list[str]:
    told: list[str] = []
    for of in dict.fromkeys(row["of"] for row in rows):
        body = [
            [row["mode"], str(row["count"]), _percent(row["share"]), _cost(row["cost"]), _who(row)]
            for row in rows
            if row["of"] == of
        ]
        total = totals["every false detection" if of == "false detections" else "every miss"]
        body.append(["all of these", str(total["count"]), "", _cost(total["cost"]), ""])
        table = aligned([of, "count", "share", "AP cost", ""], [[*row[:4], ""] for row in body])
        told += ["", *(_beside(line, row[4]) for line, row in zip(table, [[""] * 5, *body], strict=True))]
    missed = totals["missed"]
    if missed["count"] is not None:
        which = "objects that no false detection would find with another label or box (TIDE's missed)"
        told += ["", f"{which}: {missed['count']}, AP cost {_cost(missed['cost'])}"]
    told.append("AP cost: AP given back where this kind alone is mended; costs don't add up")
    return told[1:]


def _beside(line: str, text: str) -> str:
    return f"{line}  {text}" if text else line


def _who(row: Row) -> str:
    """`truck taken for bus 12, …` where labels are confused, else `car 31, …`."""
    if row["taken_for"]:
        return ", ".join(f"{one['object']} taken for {one['detected']} {one['count']}" for one in row["taken_for"])
    return ", ".join(f"{one['label']} {one['count']}" for one in row["labels"])


def _slices(rows: Sequence[Row]) -> list[str]:
    body = [
        [
            f"{row['mode']} ({row['of']})",
            one["slice"],
            str(one["count"]),
            _rate(row["of"], one["rate"]),
            _rate(row["of"], one["rest"]),
        ]
        for row in rows
        for one in row["slices"][:_SEVERAL]
    ]
    if not body:
        return []
    return ["", *aligned_left(["leading slices", "", "count", "rate", "elsewhere"], body)]


def _search(found: Row) -> list[str]:
    if found["reason"] is not None:
        return [f"no search for conditions: {found['reason']}"]
    what = f"{found['family']} conditions and pairs searched on half of {counted(found['units'], found['kind'])}"
    if not found["findings"]:
        return [f"{what}: under none are failures more frequent than chance has it (adjusted p <= {found['level']:g})"]
    body = [
        [
            one["condition"],
            one["outcome"],
            str(one["units"]),
            f"{one['p_value']:.3f}",
            _held(one),
            _cost(one["cost"]),
        ]
        for one in found["findings"]
    ]
    head = ["condition", "more", f"{found['kind']}s", "p", "rate, elsewhere (held out)", "AP at stake"]
    return [f"{what}, the effect told by the other half:", *aligned_left(head, body)]


def _held(one: Row) -> str:
    held, of = one["held_out"], one["outcome"]
    error = held["std_error"]
    plus = "" if error is None else f" (difference {_rate(of, held['difference'])} ± {_rate(of, error)})"
    return f"{_rate(of, held['rate'])}, {_rate(of, held['rest'])}{plus}"


def _clusters(clustering: Row, rows: Sequence[Row]) -> list[str]:
    from boxscore.triage.described import words

    if clustering["k"] < 2:
        return [f"no clusters: {clustering['reason']}"]
    chosen = "chosen" if clustering["chosen"] else "as asked"
    body = [
        [
            str(row["cluster"]),
            str(row["count"]),
            f"{row['mode']} {_percent(row['mode_share'])}",
            ", ".join(words(one) for one in row["apart"]),
        ]
        for row in rows
    ]
    head = f"{clustering['k']} clusters of failures ({chosen}), {clustering['word']}: {clustering['reason']}"
    return [head, *aligned_left(["cluster", "count", "leading mode", "set apart by"], body)]


def aligned_left(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Columns under their heads: texts to the left, numbers to the right."""
    columns = list(zip(head, *body, strict=True))
    numeric = [all(_is_number(cell) for cell in column[1:]) for column in columns]
    widths = [max(len(cell) for cell in column) for column in columns]
    return [
        "  ".join(
            f"{cell:>{width}}" if right else f"{cell:<{width}}"
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in [head, *body]
    ]


def _is_number(text: str) -> bool:
    return text == _UNDEFINED or text.replace(".", "", 1).removesuffix("%").strip().removeprefix("-").isdigit()


def _rate(of: str, value: float | None) -> str:
    """Shares of objects in per cent, false detections an image."""
    if value is None:
        return _UNDEFINED
    return _percent(value) if of == "missed objects" else f"{value:.2f} an image"


def _percent(value: float | None) -> str:
    return _UNDEFINED if value is None else f"{100 * value:.1f} %"


def _cost(value: float | None) -> str:
    return _UNDEFINED if value is None else f"{value:.4f}"
