"""Presence for people: figures with intervals, what the mask hides, misses by fate, windows, the smoothing sweep."""

from __future__ import annotations

from boxscore.cli.tables import aligned, figure
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    Row = Mapping[str, Any]

_RATES = ("precision", "recall", "F1")
_COUNTS = ("TP", "FP", "FN")
_MOST_SCENES = 40


def source(content: Row, *, per_actor: bool = False, per_scene: bool = False) -> list[str]:
    """All tables of one ground truth."""
    moments, mask = content["moments"], content["mask"]
    lines = [
        f"{content['title']} ({content['path']})" if content["path"] else content["title"],
        *(() if content["caveat"] is None else (content["caveat"],)),
        f"{moments['count']:,} moments, {moments['how']}, of {moments['duration']:g} s; mask: {mask['words']}",
        "",
        *_figures(content),
    ]
    if mask["kind"] != "none":
        lines += list(_outside(content))
    lines += _by(content["by_role"], "role, by true presence")
    if per_actor:
        lines += _actors(content["by_actor"])
    if per_scene:
        lines += _scenes(content["by_scene"], content["moments"]["grouped_by"])
    lines += _fates(content["fates"])
    lines += _windows(content["windows"], per_actor=per_actor)
    lines += _sweep(content["anneal"])
    return lines


def notes(content: Row) -> list[str]:
    """Notes about one ground truth: what its reader met, who is who, few units."""
    found = [f"{content['source']}: {note}" for note in content["notes"]]
    conflicts = content["people"]["conflicts"]
    if conflicts:
        found.append(f"{counted(len(conflicts), 'conflict')} of identity: {listed(list(conflicts))}")
    return [*found, *content["warnings"]]


def _figures(content: Row) -> list[str]:
    rows = [(content["masked"], "masked"), (content["unmasked"], "unmasked")]
    if content["mask"]["kind"] == "none":
        rows = [(content["unmasked"], "all actors")]
    made = content["intervals"]
    body = [[name, *_rates(row), *(f"{row[count]:,}" for count in _COUNTS)] for row, name in rows]
    lines = aligned(["", *_heads(made is not None), *_COUNTS], body)
    lines += _reasons([row for row, _ in rows])
    if made is not None and made["units"] > 1:
        drawn = f"{made['replicates']:,} resamples of {counted(made['units'], made['unit'])}"
        how = f"all {drawn}" if made["exact"] else f"{drawn}, seed {made['seed']}"
        lines.append(f"{100 * made['confidence']:g} % intervals ({made['interval']}) from {how}")
    return lines


def _outside(content: Row) -> Iterator[str]:
    """What is not in the masked figures, by name."""
    found = content["outside_mask"]
    for side, what in (("predicted", "predicted"), ("true", "in the ground truth")):
        actors = found[f"{side}_actors"]
        if actors:
            named = listed([f"{one['name']} {one['moments']:,}" for one in actors], 6)
            moments = f"{found[side]:,} moment{'' if found[side] == 1 else 's'}"
            yield f"outside_mask, {what}: {counted(len(actors), 'actor')} at {moments} ({named})"
    if content["mask"]["kind"] == "ground truth and predicted":
        missed = [one for one in found["true_actors"] if one["label"] not in _labels(found["predicted_actors"])]
        invented = len(found["predicted_actors"])
        if missed or invented:
            yield (
                f"Without a gallery the masked figures hide {counted(len(missed), 'actor')} wholly missed and "
                f"{counted(invented, 'invented actor')}; the unmasked ones count them."
            )
        else:
            yield "Without a gallery wholly missed and invented actors are outside the mask; here there are none."


def _labels(rows: Sequence[Row]) -> set[str]:
    return {row["label"] for row in rows}


def _by(rows: Sequence[Row], head: str) -> list[str]:
    if not rows:
        return []
    with_bounds = "low" in rows[0]["F1"]
    body = [[row["name"], *_rates(row), *(f"{row[count]:,}" for count in _COUNTS)] for row in rows]
    return ["", *aligned([head, *_heads(with_bounds), *_COUNTS], body)]


def _actors(rows: Sequence[Row]) -> list[str]:
    named = [dict(row) | {"name": f"{row['name']}{'' if row['in_mask'] else ' *'}"} for row in rows]
    ordered = sorted(named, key=lambda row: -(row["TP"] + row["FN"]))
    lines = _by(ordered, "actor")
    return [*lines, "* outside the mask"] if any(not row["in_mask"] for row in rows) else lines


def _scenes(rows: Sequence[Row], unit: str) -> list[str]:
    body = [
        [row["name"], f"{row['from']:g}", str(row["moments"]), *_rates(row), *(f"{row[count]:,}" for count in _COUNTS)]
        for row in rows[:_MOST_SCENES]
    ]
    lines = ["", *aligned([unit, "from s", "moments", *_RATES, *_COUNTS], body)]
    return [*lines, f"{_MOST_SCENES} of {len(rows)}; --json has all"] if len(rows) > _MOST_SCENES else lines


def _fates(found: Row | None) -> list[str]:
    if found is None or not found["misses"]:
        return []
    with_screen = found["rows"][0]["screen"] is not None
    body = [
        [
            " ".join([*([f"{row['screen']} by MovieNet:"] if with_screen else []), row["detection"]]),
            f"{row['misses']:,}",
            f"{row['in_mask']:,}",
        ]
        for row in found["rows"]
        if row["misses"]
    ]
    return ["", *aligned(["misses of X-Ray, by fate", "misses", "in the mask"], body)]


def _windows(found: Row, *, per_actor: bool) -> list[str]:
    if found["reason"] is not None:
        return ["", f"windows: n/a ({found['reason']})"]
    rows = [found["all"], *(found["by_actor"] if per_actor else [])]
    fields = (("onset", "onset s"), ("offset", "offset s"), ("flicker", "gaps/min"), ("window_iou", "window IoU"))
    more = (("time_iou", "time IoU"), ("over_segmentation", "over-seg."), ("under_segmentation", "under-seg."))
    body = [
        [
            row["name"],
            f"{row['found']}/{row['windows']}",
            f"{row['gaps']} ({row['gap_seconds']:.1f} s)",
            *(_plain(row[name], signed=name in ("onset", "offset")) for name, _ in (*fields, *more)),
        ]
        for row in rows
    ]
    head = ["windows of the mask", "found", "gaps", *(title for _, title in (*fields, *more))]
    reasons = {reason for row in rows for reason in row["reasons"].values()}
    return ["", *aligned(head, body), *([f"n/a: {'; '.join(sorted(reasons))}"] if reasons else [])]


def _sweep(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    body = [
        [row["name"], *(figure(row[name]["value"]) for name in _RATES), *(f"{row[c]:,}" for c in _COUNTS)]
        for row in rows
    ]
    return ["", *aligned(["gaps closed up to", *_RATES, *_COUNTS], body)]


def _heads(with_bounds: bool) -> list[str]:  # noqa: FBT001  there is nothing else it could mean
    return [text for name in _RATES for text in ((name, "interval") if with_bounds else (name,))]


def _rates(row: Row) -> list[str]:
    cells = []
    for name in _RATES:
        one = row[name]
        cells.append(figure(one["value"]))
        if "low" in one:
            low, high = one["low"], one["high"]
            cells.append("n/a" if low is None else f"{low:.3f}..{high:.3f}")
    return cells


def _reasons(rows: Sequence[Row]) -> list[str]:
    found: dict[str, list[str]] = {}
    for row in rows:
        for name in _RATES:
            if row[name]["reason"] is not None and name not in found.setdefault(row[name]["reason"], []):
                found[row[name]["reason"]].append(name)
    return [f"n/a: {reason} ({', '.join(names)})" for reason, names in found.items()]


def _plain(value: float | None, *, signed: bool) -> str:
    return "n/a" if value is None else f"{value:+.2f}" if signed else f"{value:.3f}"
