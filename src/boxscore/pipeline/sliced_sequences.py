"""Ordered images of a group (video): misses in a row of one object and of a label, and flicker."""

from __future__ import annotations

import re

from boxscore.errors import InputError
from boxscore.measures.sequences import changes, longest
from boxscore.model.measure import Measure
from boxscore.pipeline import groups as grouping
from boxscore.pipeline import sliced_columns
from boxscore.pipeline.sliced_objects import Found
from boxscore.slices.slice import IMAGE, OBJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from boxscore.measures.sequences import Stretch
    from boxscore.model.labels import Id
    from boxscore.pipeline.groups import Groups
    from boxscore.pipeline.run import Run

    Seen = list[tuple[int, bool]]

ORDERS = ("frame", "frame_id", "frame_index", "frame_number", "timestamp", "time")
TRACKS = ("track_id", "object_id", "instance_id", "tracking_id")
"""Fields of images that order them, and of objects that say which is the same one, without being asked for."""

_DIGITS = re.compile(r"(\d+)")


def sequences(
    run: Run,
    *,
    group_by: str | None = None,
    order_by: str | None = None,
    track_by: str | None = None,
    iou: float | None = None,
) -> dict[str, Any]:
    """What is missed in a row, ready for JSON.

    Images of a group stand in order of `order_by` (None: the first field of ORDERS that all have, else file names,
    whose digits count as numbers, else ids). An object is found where a detection at or above its label's floor took it
    at an IoU threshold of the protocol (None: its first). Objects of one group, label and `track_by` (None: the first
    field of TRACKS that any has) are the same one; images in which it isn't to be found are passed over.

    - `labels`: by label, over images in which it is to be found: `any_missed`, the longest run of such images with a
      miss, and `none_found`, that of images in which none of its objects is found.
    - `objects`: by object with an id: `images`, `found`, `longest_missed`, `changes` (flicker: between found and missed
      in one image and the next), the worst first; `flicker` of a label is the share of steps that are changes.

    A run has `length`, `group`, `first` and `last` (image ids). Raises InputError where images have no groups, or a
    field is missing; ProtocolError for another threshold.
    """
    threshold = run.protocol.iou_thresholds[0] if iou is None else iou
    made = grouping.by_field(run, group_by) if group_by is not None else run.groups
    if made is None:
        raise InputError(
            "misses in a row are those of ordered images of a group, and the data declare none (no field of the images "
            f"is named {', '.join(grouping.FIELDS)}); name a field of the images that says which belong together"
        )
    places, order = _ordered(run, order_by)
    found = Found(run)
    shares, counting = found.share(Measure("recall", iou=threshold))
    rows = list(_rows(run, made, places, counting.tolist(), (shares > 0).tolist()))
    tracks = _tracks(run, track_by)
    objects = [] if tracks is None else _objects(run, rows, tracks[1])
    return {
        "iou": threshold,
        "grouped_by": made.rule,
        "order": order,
        "track_by": None if tracks is None else tracks[0],
        "labels": [_label(run, rows, objects, position, name) for position, name in enumerate(run.labels)],
        "objects": objects,
    }


class _Row:
    """An object to be found in an image of a group."""

    __slots__ = ("found", "group", "image", "label", "place", "row")

    def __init__(self, row: int, image: int, label: int, group: str, place: int, *, found: bool) -> None:
        self.row = row
        self.image = image
        self.label = label
        self.group = group
        self.place = place
        self.found = found


def _rows(
    run: Run, made: Groups, places: Sequence[int], counting: Sequence[bool], found: Sequence[bool]
) -> Iterator[_Row]:
    table = run.matches.ground_truth
    columns = (memoryview(table.column(name)).tolist() for name in ("image", "label"))
    for row, (image, label) in enumerate(zip(*columns, strict=True)):
        group = made.of_image[image]
        if counting[row] and group is not None:
            yield _Row(row, image, label, group, places[image], found=found[row])


def _ordered(run: Run, order_by: str | None) -> tuple[list[int], str]:
    """The place of each image among all, and what it comes from."""
    for name in (order_by,) if order_by is not None else ORDERS:
        try:
            column = sliced_columns.find(run, [name])[name]
        except InputError:
            if order_by is not None:
                raise
            continue
        values = column.values
        if column.kind == IMAGE and not values.is_null().any():
            return values.rank("dense").to_list(), f"field {name!r} of the images"
        if order_by is not None:
            why = "it is of objects" if column.kind != IMAGE else "some have none"
            raise InputError(f"{order_by!r} can't order the images: {why}; name a field that all images have")
    names = run.file_names
    if all(name is not None for name in names):
        keys = [_natural(str(name)) for name in names]
        ranks = {key: place for place, key in enumerate(sorted(set(keys)))}
        return [ranks[key] for key in keys], "file names"
    return list(range(run.num_images)), "image ids"


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Digits as numbers: `frame_9` before `frame_10`."""
    parts = _DIGITS.split(name)
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts if part)


def _tracks(run: Run, track_by: str | None) -> tuple[str, list[object]] | None:
    for name in (track_by,) if track_by is not None else TRACKS:
        try:
            column = sliced_columns.find(run, [f"{OBJECT}.{name}"])[f"{OBJECT}.{name}"]
        except InputError:
            if track_by is not None:
                raise
            continue
        return name, column.values.to_list()
    return None


def _objects(run: Run, rows: Iterable[_Row], tracks: Sequence[object]) -> list[dict[str, Any]]:
    by_object: dict[tuple[str, int, object], list[_Row]] = {}
    for row in rows:
        if tracks[row.row] is not None:
            by_object.setdefault((row.group, row.label, tracks[row.row]), []).append(row)
    found = []
    for (group, label, track), own in by_object.items():
        seen = _in_order(own)
        flags = [flag for _, flag in seen]
        found.append(
            {
                "group": group,
                "label": run.labels.names[label],
                "track": track,
                "images": len(seen),
                "found": sum(flags),
                "longest_missed": _stretch(run, group, longest([not flag for flag in flags]), seen),
                "changes": changes(flags),
            }
        )
    return sorted(
        found, key=lambda one: (-one["longest_missed"]["length"], -one["changes"], one["group"], str(one["track"]))
    )


def _label(
    run: Run, rows: Iterable[_Row], objects: Iterable[dict[str, Any]], position: int, name: str
) -> dict[str, Any]:
    by_group: dict[str, list[_Row]] = {}
    for row in rows:
        if row.label == position:
            by_group.setdefault(row.group, []).append(row)
    runs: dict[str, dict[str, Any]] = {}
    for key, every in (("any_missed", True), ("none_found", False)):
        best: dict[str, Any] = {"length": 0, "group": None, "first": None, "last": None}
        for group, own in by_group.items():
            seen = _in_order(own, every=every)
            one = _stretch(run, group, longest([not flag for _, flag in seen]), seen)
            best = one if one["length"] > best["length"] else best
        runs[key] = best
    tracked = [one for one in objects if one["label"] == name]
    steps = sum(one["images"] - 1 for one in tracked)
    changed = sum(one["changes"] for one in tracked)
    return {
        "label": name,
        "images": sum(len({row.image for row in own}) for own in by_group.values()),
        "objects": len(tracked),
        "changes": changed,
        "flicker": changed / steps if steps else None,
        **runs,
    }


def _in_order(rows: Iterable[_Row], *, every: bool = True) -> Seen:
    """Images in order, each with whether all (`every`), or any, of its rows are found."""
    flags: dict[tuple[int, int], list[bool]] = {}
    for row in rows:
        flags.setdefault((row.place, row.image), []).append(row.found)
    together = all if every else any
    return [(image, together(found)) for (_, image), found in sorted(flags.items())]


def _stretch(run: Run, group: str, one: Stretch, seen: Seen) -> dict[str, Any]:
    if one.first is None or one.last is None:
        return {"length": 0, "group": None, "first": None, "last": None}
    ids: list[Id] = run.image_ids
    return {"length": one.length, "group": group, "first": ids[seen[one.first][0]], "last": ids[seen[one.last][0]]}
