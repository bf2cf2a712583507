"""VOC's evaluation of one label, as its definition reads: all detections of all images in one list, best score first.

Each detection looks at one object only, that of its image which it overlaps most. Where the overlap does not reach the
threshold, it is false. Where the object is difficult, it counts neither way. Where the object was found already, it is
false: it does not go on to the next best.

Rows are dictionaries: `image`, `box` (x, y, w, h), for objects `difficult`, for detections `score`. With `pixel` 1
corners are the first and the last pixel, so that a box is 1 wider than its corners lie apart.
"""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]
TRUE, FALSE, NEITHER = "true", "false", "neither"


def overlap(one: Sequence[float], two: Sequence[float], pixel: float) -> float:
    """Intersection over union; the detection comes first."""
    width = min(one[0] + one[2], two[0] + two[2]) - max(one[0], two[0]) + pixel
    height = min(one[1] + one[3], two[1] + two[3]) - max(one[1], two[1]) + pixel
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    areas = [(box[2] + pixel) * (box[3] + pixel) for box in (one, two)]
    return shared / (areas[0] + areas[1] - shared)


def best_overlap(box: Sequence[float], objects: Sequence[Row], pixel: float) -> tuple[int | None, float]:
    """Position of the object that the box overlaps most, the first among equals, and the overlap."""
    best, most = None, 0.0
    for position, row in enumerate(objects):
        value = overlap(box, row["box"], pixel)
        if best is None or value > most:
            best, most = position, value
    return best, most


def judged(objects: Sequence[Row], detections: Sequence[Row], threshold: float, pixel: float) -> list[str]:
    """Outcome of each detection, best score first; equal scores keep the order of images, then of the list."""
    found: set[int] = set()
    outcomes = []
    for detection in by_score(detections):
        here = [row for row in objects if row["image"] == detection["image"]]
        position, value = best_overlap(detection["box"], here, pixel)
        if position is None or value < threshold:
            outcomes.append(FALSE)
        elif here[position]["difficult"]:
            outcomes.append(NEITHER)
        elif id(here[position]) in found:
            outcomes.append(FALSE)
        else:
            found.add(id(here[position]))
            outcomes.append(TRUE)
    return outcomes


def by_score(detections: Sequence[Row]) -> list[Row]:
    """The best score first, then by image."""
    return sorted(sorted(detections, key=lambda row: row["image"]), key=lambda row: -row["score"])


def curve(outcomes: Sequence[str], positives: int) -> tuple[list[float], list[float]]:
    """Recall and precision after each detection that counts."""
    true = false = 0
    recall, precision = [], []
    for outcome in outcomes:
        true += outcome == TRUE
        false += outcome == FALSE
        if outcome != NEITHER:
            recall.append(true / positives)
            precision.append(true / (true + false))
    return recall, precision


def positives_of(objects: Sequence[Row]) -> int:
    """Objects to be found."""
    return sum(not row["difficult"] for row in objects)


def eleven_points(recall: Sequence[float], precision: Sequence[float]) -> float:
    """AP of VOC 2007: the mean over recall 0, 0.1 … 1 of the best precision at that recall or beyond.

    Points are multiples of 0.1, as in all tools: the third is a last bit above 0.3, so that a recall of 3/10 misses it.
    """
    total = 0.0
    for step in range(11):
        beyond = [p for r, p in zip(recall, precision, strict=True) if r >= step * 0.1]
        total += max(beyond, default=0.0)
    return total / 11


def every_point(recall: Sequence[float], precision: Sequence[float]) -> float:
    """AP of VOC 2012: each recall gained, times the best precision there or beyond."""
    total, before = 0.0, 0.0
    for at, reached in enumerate(recall):
        total += (reached - before) * max(precision[at:])
        before = reached
    return total
