"""The `greedy` rule of one label, as its definition reads: one detection, one object, best score first.

Each detection takes, among the objects of its image that are still free and that it overlaps by the threshold or more,
the one it overlaps most, the first among equals. Rows are those of `tests.oracle.voc`; `difficult` plays no part.
"""

from collections.abc import Sequence
from typing import Any

from tests.oracle.voc import FALSE, TRUE, by_score, overlap

Row = dict[str, Any]


def judged(objects: Sequence[Row], detections: Sequence[Row], threshold: float, pixel: float) -> list[str]:
    """Outcome of each detection, best score first; equal scores keep the order of images, then of the list."""
    free = list(objects)
    outcomes = []
    for detection in by_score(detections):
        within = [
            (overlap(detection["box"], row["box"], pixel), row) for row in free if row["image"] == detection["image"]
        ]
        within = [(value, row) for value, row in within if value >= threshold]
        if within:
            most = max(value for value, _ in within)
            taken = next(row for value, row in within if value == most)
            free = [row for row in free if row is not taken]
        outcomes.append(TRUE if within else FALSE)
    return outcomes
