"""What moments don't show: how late somebody is noticed and let go, gaps within a presence, windows cut or joined.

Windows that touch are one here: a cut between two scenes is no exit. *Found* is a true window in which the actor is
predicted at any time.

    onset, offset        seconds from the true start (end) to the start (end) of the first (last) predicted window that
                         reaches into the true one; above 0 is late; the median of the windows found
    gaps                 times and seconds at which the prediction stops within a true window and comes back in it
    flicker              gaps a minute of the true windows found
    window IoU           of each true window with the predicted one that fits it best, 0 without any; the mean
    time IoU             seconds in both ÷ seconds in either, over the whole film
    over-segmentation    predicted windows that reach into a true one, mean of those found; 1: none is cut
    under-segmentation   true windows that a predicted one reaches into, mean of those that reach any; 1: none joins
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxscore.presence.spans import BOTH, of_person, parts, until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from boxscore.presence.actors import Actor
    from boxscore.presence.timeline import Floats, Presence

    Windows = tuple[Floats, Floats]

NOT_FOUND = "no true window of the actor is found"
NO_WINDOW = "the ground truth has no window of the actor"
NOTHING_IN_ONE = "no predicted window reaches into a true one"
NEITHER = "neither side has a window"

_FIELDS = ("onset", "offset", "flicker", "window_iou", "time_iou", "over_segmentation", "under_segmentation")


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """True windows of one or more actors against predicted ones: a value a window."""

    onset: Floats
    offset: Floats
    gaps: Floats
    gap_seconds: Floats
    seconds_found: Floats
    best_iou: Floats
    pieces: Floats
    joins: Floats
    both: float
    either: float

    def row(self, name: str, label: str | None) -> dict[str, Any]:
        """Ready for JSON; undefined figures are null, and `reasons` says why."""
        found = len(self.onset) > 0
        minutes = float(self.seconds_found.sum()) / 60.0
        values = {
            "onset": (float(np.median(self.onset)) if found else None, NOT_FOUND),
            "offset": (float(np.median(self.offset)) if found else None, NOT_FOUND),
            "flicker": (float(self.gaps.sum()) / minutes if found else None, NOT_FOUND),
            "window_iou": (float(self.best_iou.mean()) if len(self.best_iou) else None, NO_WINDOW),
            "time_iou": (self.both / self.either if self.either > 0.0 else None, NEITHER),
            "over_segmentation": (float(self.pieces.mean()) if found else None, NOT_FOUND),
            "under_segmentation": (float(self.joins.mean()) if len(self.joins) else None, NOTHING_IN_ONE),
        }
        return {
            "name": name,
            "label": label,
            "windows": len(self.best_iou),
            "found": len(self.onset),
            "gaps": int(self.gaps.sum()),
            "gap_seconds": float(self.gap_seconds.sum()),
            **{field: values[field][0] for field in _FIELDS},
            "reasons": {field: reason for field, (value, reason) in values.items() if value is None},
        }


def fits(
    truth: Presence,
    prediction: Presence,
    actors: Sequence[Actor],
    inside: NDArray[np.bool_],
    duration: float,
) -> dict[str, Any]:
    """`all` and `by_actor` of the actors in the mask whom the ground truth has, before the end of the film.

    A ground truth that speaks at some moments alone has no windows to fit: then `reason` says so.
    """
    if truth.samples is not None:
        reason = f"{truth.source} says who is there at annotated moments, not from when to when"
        return {"reason": reason, "all": None, "by_actor": []}
    first, second = until(truth.windows, duration), until(prediction.windows, duration)
    rows, found = [], []
    for actor, counts in zip(actors, inside, strict=True):
        if not counts or actor.truth is None:
            continue
        predicted = (np.zeros(0), np.zeros(0)) if actor.predicted is None else of_person(second, actor.predicted)
        found.append(fit(of_person(first, actor.truth), predicted))
        rows.append(found[-1].row(actor.name, actor.label))
    return {"reason": None, "all": _together(found).row("all", None), "by_actor": rows}


def fit(true: Windows, predicted: Windows) -> Fit:
    """The fit of two lists of windows, each ascending and apart, and all with length."""
    start, end = true
    begins, stops = predicted
    first = np.searchsorted(stops, start, side="right")
    last = np.searchsorted(begins, end, side="left") - 1
    hit = first <= last
    pieces = (last - first + 1)[hit].astype(np.float64)
    low, high = first[hit], last[hit]
    # Seconds of the gaps behind each predicted window, summed up before each.
    behind = np.concatenate([[0.0], np.cumsum(begins[1:] - stops[:-1])]) if len(begins) else np.zeros(1)
    joins = np.searchsorted(start, stops, side="left") - np.searchsorted(end, begins, side="right")
    both, either = _seconds(true, predicted)
    return Fit(
        onset=begins[low] - start[hit],
        offset=stops[high] - end[hit],
        gaps=pieces - 1.0,
        gap_seconds=behind[high] - behind[low],
        seconds_found=(end - start)[hit],
        best_iou=np.array([_best(true, predicted, row, first[row], last[row]) for row in range(len(start))]),
        pieces=pieces,
        joins=joins[joins > 0].astype(np.float64),
        both=both,
        either=either,
    )


def _best(true: Windows, predicted: Windows, row: int, first: int, last: int) -> float:
    """IoU of a true window with the best of the predicted ones from `first` to `last`."""
    if first > last:
        return 0.0
    start, end = true[0][row], true[1][row]
    begins, stops = predicted[0][first : last + 1], predicted[1][first : last + 1]
    both = np.minimum(stops, end) - np.maximum(begins, start)
    either = np.maximum(stops, end) - np.minimum(begins, start)
    return float((both / either).max())


def _seconds(true: Windows, predicted: Windows) -> tuple[float, float]:
    start, end, kind = parts(true, predicted)
    return float((end - start)[kind == BOTH].sum()), float((end - start).sum())


def _together(found: Sequence[Fit]) -> Fit:
    def every(field: str) -> Floats:
        return np.concatenate([np.zeros(0), *(getattr(one, field) for one in found)])

    arrays = ("onset", "offset", "gaps", "gap_seconds", "seconds_found", "best_iou", "pieces", "joins")
    return Fit(
        **{field: every(field) for field in arrays},
        both=sum(one.both for one in found),
        either=sum(one.either for one in found),
    )
