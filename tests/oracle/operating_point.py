"""An operating point from lists of rows, the slow way: what is under its floor is thrown away before all else.

Rows are COCO's: `image_id`, `category_id`, `bbox`; `score` of detections, `iscrowd` of objects. Nothing here is a view
on anything: floors, suppression and matching are done anew for every question.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.oracle.overlap import overlap

Row = dict[str, Any]
NONE = "(none)"


def above(detections: Sequence[Row], floors: Mapping[int, float]) -> list[Row]:
    """Detections at or above the floor of their label."""
    return [row for row in detections if row["score"] >= floors[row["category_id"]]]


def by_score(detections: Sequence[Row]) -> list[Row]:
    """By descending score; equal scores keep the order of the file."""
    return sorted(detections, key=lambda row: -row["score"])


def suppress(detections: Sequence[Row], most: float) -> list[Row]:
    """Greedy non-maximum suppression within each image and label."""
    kept: list[Row] = []
    for row in by_score(detections):
        rivals = [one for one in kept if same_place(one, row)]
        if all(overlap(one["bbox"], row["bbox"]) < most for one in rivals):
            kept.append(row)
    return kept


def same_place(one: Row, other: Row) -> bool:
    """Whether two rows share image and label."""
    return (one["image_id"], one["category_id"]) == (other["image_id"], other["category_id"])


def greedy(objects: Sequence[Row], detections: Sequence[Row], threshold: float) -> list[tuple[int, int]]:
    """Pairs (detection, object), positions in the two lists, each image and label by itself.

    By descending score, a detection takes the free object that it overlaps most, of those at or above the threshold;
    the first in file order among equals. Crowds come last, can be taken again, and are overlapped by their share of the
    detection.
    """
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    order = sorted(range(len(detections)), key=lambda at: -detections[at]["score"])
    for at in order:
        row = detections[at]
        here = [place for place, item in enumerate(objects) if same_place(item, row)]
        ordinary = [place for place in here if not objects[place]["iscrowd"] and place not in taken]
        crowds = [place for place in here if objects[place]["iscrowd"]]
        for candidates in (ordinary, crowds):
            values = {place: overlap_of(row, objects[place]) for place in candidates}
            reached = [place for place in candidates if values[place] >= threshold]
            if reached:
                best = max(reached, key=lambda place: values[place])
                pairs.append((at, best))
                taken.add(best)
                break
    return pairs


def overlap_of(detection: Row, item: Row) -> float:
    """Intersection over union, over the detection's area for crowds."""
    return overlap(detection["bbox"], item["bbox"], bool(item["iscrowd"]))


def counts(
    objects: Sequence[Row], detections: Sequence[Row], threshold: float, labels: Sequence[int]
) -> dict[int, Row]:
    """TP, FP, FN, ignored and objects of each label."""
    pairs = greedy(objects, detections, threshold)
    crowd = {at for at, place in pairs if objects[place]["iscrowd"]}
    right = {at for at, _ in pairs} - crowd
    found = {}
    for label in labels:
        rows = [at for at, row in enumerate(detections) if row["category_id"] == label]
        wanted = sum(row["category_id"] == label and not row["iscrowd"] for row in objects)
        hits = sum(at in right for at in rows)
        ignored = sum(at in crowd for at in rows)
        wrong = len(rows) - hits - ignored
        found[label] = {"TP": hits, "FP": wrong, "FN": wanted - hits, "ignored": ignored, "objects": wanted}
    return found


def precision(row: Row) -> float | None:
    """TP among what was detected; None without detections."""
    return row["TP"] / (row["TP"] + row["FP"]) if row["TP"] + row["FP"] else None


def recall(row: Row) -> float | None:
    """TP among what is there; None where nothing is."""
    return row["TP"] / row["objects"] if row["objects"] else None


def f_beta(row: Row, beta: float) -> float | None:
    """(1 + b^2) P R / (b^2 P + R) with its limit 0 where nothing is found; None without objects."""
    if not row["objects"]:
        return None
    if not row["TP"]:
        return 0.0
    p, r = row["TP"] / (row["TP"] + row["FP"]), row["TP"] / row["objects"]
    value: float = (1 + beta**2) * p * r / (beta**2 * p + r)
    return value


def confusion(
    objects: Sequence[Row], detections: Sequence[Row], threshold: float
) -> Counter[tuple[int | str, int | str]]:
    """Cells by (label of the object, label of the detection); pairs of one label first, then by descending overlap."""
    pairs = greedy(objects, detections, threshold)
    crowd = {at for at, place in pairs if objects[place]["iscrowd"]}
    left = {at: row for at, row in enumerate(detections) if at not in crowd}
    open_objects = {place: row for place, row in enumerate(objects) if not row["iscrowd"]}
    cells: Counter[tuple[int | str, int | str]] = Counter()

    def enter(at: int, place: int) -> None:
        cells[open_objects.pop(place)["category_id"], left.pop(at)["category_id"]] += 1

    for at, place in pairs:
        if place in open_objects:
            enter(at, place)
    ways = [
        (overlap(row["bbox"], item["bbox"]), at, place)
        for at, row in left.items()
        for place, item in open_objects.items()
        if row["image_id"] == item["image_id"] and row["category_id"] != item["category_id"]
    ]
    for value, at, place in sorted(ways, key=lambda way: -way[0]):
        if value >= threshold and at in left and place in open_objects:
            enter(at, place)
    cells.update((NONE, row["category_id"]) for row in left.values())
    cells.update((row["category_id"], NONE) for row in open_objects.values())
    return cells
