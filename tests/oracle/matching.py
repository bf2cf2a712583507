"""The `coco` rule for the objects and detections of one image and label at one threshold in one area range.

Detections choose in order of descending score. Each takes the object it overlaps most among those that count and are
still free; only when none of them reaches the threshold does it look at ignored ones (crowds, and objects outside the
area range), where it then counts neither way. Crowds are never used up. Among equal overlaps the last object wins.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from tests.oracle.overlap import overlap

Row = dict[str, Any]
TRUE, FALSE, IGNORED = "true positive", "false positive", "ignored"


def ranked(detections: Iterable[Row], limit: int) -> list[Row]:
    """The first `limit` by descending score; equal scores (and 0.0 and -0.0) keep the order of the file."""
    return sorted(detections, key=lambda row: -row["score"])[:limit]


def is_ignored(row: Row, area_range: tuple[float, float], honour_ignore: bool = False) -> bool:
    """Whether an object does not count. Both ends of the range belong to it."""
    low, high = area_range
    flagged = bool(row.get("iscrowd", 0)) or (honour_ignore and bool(row.get("ignore", 0)))
    return flagged or row["area"] < low or row["area"] > high


def best_object(
    box: Sequence[float], objects: Sequence[Row], candidates: Iterable[int], threshold: float
) -> int | None:
    """Position of the candidate with the largest overlap that reaches the threshold; the last among equals."""
    best, best_overlap = None, threshold
    for position in candidates:
        value = overlap(box, objects[position]["bbox"], bool(objects[position].get("iscrowd", 0)))
        if value >= best_overlap:
            best, best_overlap = position, value
    return best


def outside(box: Sequence[float], area_range: tuple[float, float]) -> bool:
    """Whether a detection's own area lies outside the range."""
    low, high = area_range
    return not low <= box[2] * box[3] <= high


def match(
    objects: Sequence[Row],
    detections: Sequence[Row],
    threshold: float,
    area_range: tuple[float, float],
    honour_ignore: bool = False,
) -> tuple[list[str], list[int | None]]:
    """Outcome, and position of the object taken, of each detection; `detections` are ranked and cut already."""
    # A threshold of 1 could not be reached by boxes that differ in a last bit, so COCO lowers it by this much.
    threshold = min(threshold, 1 - 1e-10)
    ignored = [is_ignored(row, area_range, honour_ignore) for row in objects]
    taken: set[int] = set()
    outcomes: list[str] = []
    chosen: list[int | None] = []
    for row in detections:
        free = [at for at, item in enumerate(objects) if at not in taken or item.get("iscrowd", 0)]
        best = best_object(row["bbox"], objects, [at for at in free if not ignored[at]], threshold)
        if best is None:
            best = best_object(row["bbox"], objects, [at for at in free if ignored[at]], threshold)
        if best is not None:
            taken.add(best)
            outcomes.append(IGNORED if ignored[best] else TRUE)
        else:
            outcomes.append(IGNORED if outside(row["bbox"], area_range) else FALSE)
        chosen.append(best)
    return outcomes, chosen
