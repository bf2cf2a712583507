"""What `boxscore scenes` prints: what the folder holds, by profile, and what to do with it."""

from __future__ import annotations

import shlex

from boxscore.cli.tables import aligned
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.scenes.generating import Generated


def lines(found: Generated) -> list[str]:
    """Counts, a row a profile, and the next commands."""
    by_profile = _by_profile(found)
    total = {name: sum(row[name] for row in by_profile.values()) for name in _COUNTS}
    asked = found.schedule.asked
    of = "" if total["scenes"] == asked.count else f" of {asked.count}"
    kept = total["scenes"] - found.made
    told = f"{found.folder}: {counted(total['scenes'], 'scene')}{of}, seed {asked.seed}" + (
        f"; {found.made} made now, {kept} were there" if kept else ""
    )
    rows = [[name, *(str(row[column]) for column in _COUNTS)] for name, row in by_profile.items()]
    rows.append(["all", *(str(total[column]) for column in _COUNTS)])
    return [told, *aligned(["profile", *_COUNTS], rows), _ignored(asked.min_visibility), "Next:", *_next(found)]


def as_dict(found: Generated) -> dict[str, Any]:
    """The same as plain values."""
    return {
        "folder": str(found.folder),
        "ground_truth": str(found.ground_truth),
        "images": str(found.images),
        "count": found.schedule.asked.count,
        "seed": found.schedule.asked.seed,
        "scenes": len(found.records),
        "made": found.made,
        "planned": found.schedule.counts,
        "profiles": _by_profile(found),
        "notes": found.notes,
    }


_COUNTS = ("scenes", "objects", "visible", "ignored")


def _by_profile(found: Generated) -> dict[str, dict[str, int]]:
    """Scenes of each profile, the objects that stand in them, those to find, and those that are ignored."""
    rows: dict[str, dict[str, int]] = {}
    for record in found.records:
        row = rows.setdefault(record.image["profile"], dict.fromkeys(_COUNTS, 0))
        row["scenes"] += 1
        row["objects"] += record.image["num_objects"]
        row["visible"] += record.image["num_visible"]
        row["ignored"] += record.image["num_ignored"]
    return rows


def _ignored(least: float) -> str:
    return (
        f"visible: to be found; ignored: in the picture, less than {least:g} of it visible; "
        "the rest lies outside the picture"
    )


def _next(found: Generated) -> list[str]:
    truth, images = shlex.quote(str(found.ground_truth)), shlex.quote(str(found.images))
    command = f"  boxscore eval {truth} detections.parquet --ignore-flag honour --unknown-labels drop"
    return [
        f"  boxscore predict CARD {images} --out detections.parquet",
        f"{command} --slice-by profile --slice-by tier",
    ]
