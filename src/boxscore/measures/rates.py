"""Precision, recall and F-beta from counts: each a value, or None with the reason why it does not exist.

C. J. van Rijsbergen, Information Retrieval, 2nd ed., 1979, chapter 7, for F-beta.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Figure = tuple[float | None, str | None]

NO_DETECTIONS = "no detections at or above the floor"
NO_OBJECTS = "no ground truth"
NO_IMAGES = "no images"


def precision(true_positives: int, false_positives: int) -> Figure:
    """Share of the detections that count which are right."""
    detections = true_positives + false_positives
    return (true_positives / detections, None) if detections else (None, NO_DETECTIONS)


def recall(true_positives: int, objects: int) -> Figure:
    """Share of the objects which are found."""
    return (true_positives / objects, None) if objects else (None, NO_OBJECTS)


def f_beta(true_positives: int, false_positives: int, objects: int, beta: float = 1.0) -> Figure:
    """The weighted harmonic mean of precision and recall, in which recall weighs beta times as much.

    Taken from counts, (1 + beta^2) TP / (TP + FP + beta^2 objects), so that it is 0 where objects are there and none is
    found, with or without detections. Without objects there is nothing to weigh: it does not exist.
    """
    if not objects:
        return None, NO_OBJECTS
    weight = beta * beta
    return (1.0 + weight) * true_positives / (true_positives + false_positives + weight * objects), None


def per_image(count: int, images: int) -> Figure:
    """A count an image."""
    return (count / images, None) if images else (None, NO_IMAGES)


def mean(figures: Iterable[Figure]) -> Figure:
    """The mean of those that exist; the reason of the last where none does."""
    found: list[float] = []
    missing: str | None = NO_OBJECTS
    for value, reason in figures:
        if value is None:
            missing = reason
        else:
            found.append(value)
    return (sum(found) / len(found), None) if found else (None, missing)
