"""Choosing confidence floors, label by label, by a stated aim."""

from __future__ import annotations

import math

from boxscore.errors import InputError
from boxscore.measures import rates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boxscore.measures.sweeps import Sweep

    Fit = tuple[dict[str, float], dict[str, str]]

FORMS = "best-f1, best-fbeta, recall-at-precision=P, max-fp-per-image=K"


class Aim:
    """To what end floors are chosen. Its printed form is what a file of floors states.

    - `best-f1`, `best-fbeta` (of `beta`): the largest F-beta of each label.
    - `recall-at-precision=P`: the most objects found of each label among floors with a precision of at least P.
    - `max-fp-per-image=K`: the most objects found over all labels with at most K false positives an image, those of
      all labels together.

    Raises InputError for anything else.
    """

    __slots__ = ("beta", "kind", "value")

    def __init__(self, text: str, beta: float | None = None) -> None:
        self.kind, _, stated = text.strip().partition("=")
        if self.kind not in ("best-f1", "best-fbeta", "recall-at-precision", "max-fp-per-image"):
            raise InputError(f"aim {text!r} is not known; give one of {FORMS}")
        if bool(stated) is self.kind.startswith("best"):
            raise InputError(f"aim {text!r} can't be read; give one of {FORMS}")
        if beta is not None and self.kind != "best-fbeta":
            raise InputError(f"aim {text!r} has no beta; best-fbeta has one")
        if self.kind == "best-fbeta" and beta is None:
            raise InputError("aim best-fbeta needs a beta; give it with --beta, such as --beta 2")
        self.beta = 1.0 if beta is None else beta
        if not 0.0 < self.beta < float("inf"):
            raise InputError(f"beta is {self.beta!r}; it must be a number above 0")
        self.value = _number(stated, text) if stated else 0.0
        if self.value < 0.0 or (self.kind == "recall-at-precision" and self.value > 1.0):
            raise InputError(f"aim {text!r}: {self.value:g} is out of range")

    def __str__(self) -> str:
        if self.kind == "best-fbeta":
            return f"best-f{self.beta:.9g}"
        return self.kind if self.kind == "best-f1" else f"{self.kind}={self.value:.9g}"


def fit_floors(sweeps: Sequence[Sweep], aim: Aim, images: int) -> Fit:
    """Floors by label name, and by label name the reason where none can be chosen."""
    floors: dict[str, float] = {}
    missing: dict[str, str] = {}
    if aim.kind == "max-fp-per-image":
        places = within_budget(sweeps, aim.value * images)
    else:
        choose: Callable[[Sweep], int | None] = (
            (lambda swept: _at_precision(swept, aim.value))
            if aim.kind == "recall-at-precision"
            else (lambda swept: swept.best(aim.beta))
        )
        places = [choose(swept) for swept in sweeps]
    for swept, place in zip(sweeps, places, strict=True):
        name = swept.label or ""
        if place is not None and swept.objects and swept.true_positives[place]:
            floors[name] = swept.score[place]
            continue
        missing[name] = _reason(swept, aim)
        if aim.kind == "max-fp-per-image" and len(swept):
            # At any lower floor its false positives would break the limit that all labels share.
            floors[name] = math.nextafter(swept.score[0], math.inf)
            missing[name] += "; its floor is above all its scores"
    return floors, missing


def within_budget(sweeps: Sequence[Sweep], most: float) -> list[int | None]:
    """A place of each sweep such that most objects are found with at most `most` false positives in all.

    Steps along the upper hull of each sweep's (false, true) positives are taken in order of their slope over all
    labels: no other choice with as many false positives finds more. A step that doesn't fit ends its label.
    """
    steps = []
    for number, swept in enumerate(sweeps):
        corner = (0, 0)
        for place in _hull(swept) if swept.objects else []:
            wrong, found = swept.false_positives[place], swept.true_positives[place]
            cost, gain = wrong - corner[0], found - corner[1]
            steps.append((-gain / cost if cost else float("-inf"), number, place, cost))
            corner = (wrong, found)
    places: list[int | None] = [None] * len(sweeps)
    ended: set[int] = set()
    spent = 0
    for _, number, place, cost in sorted(steps):
        if number in ended:
            continue
        if spent + cost > most:
            ended.add(number)
            continue
        places[number] = place
        spent += cost
    return places


def _hull(swept: Sweep) -> list[int]:
    """Places on the upper hull of (false positives, true positives) from (0, 0), as long as it rises."""
    hull: list[tuple[int, int, int]] = [(0, 0, -1)]
    for place, (found, wrong) in enumerate(zip(swept.true_positives, swept.false_positives, strict=True)):
        if found == hull[-1][1]:
            continue  # more false positives for nothing
        while len(hull) > 1 and _below(hull[-2], hull[-1], (wrong, found)):
            hull.pop()
        hull.append((wrong, found, place))
    return [place for _, _, place in hull[1:]]


def _below(start: tuple[int, int, int], middle: tuple[int, int, int], end: tuple[int, int]) -> bool:
    """Whether the middle point lies on or under the line from start to end."""
    left = (middle[1] - start[1]) * (end[0] - start[0])
    return left <= (end[1] - start[1]) * (middle[0] - start[0])


def _at_precision(swept: Sweep, least: float) -> int | None:
    """The place with most true positives among those precise enough; the highest score among equals."""
    places = [place for place, value in enumerate(swept.precision) if value is not None and value >= least]
    return max(places, key=swept.true_positives.__getitem__, default=None)


def _reason(swept: Sweep, aim: Aim) -> str:
    if not swept.objects:
        return rates.NO_OBJECTS
    if not len(swept):
        return "no detections"
    if not swept.true_positives[-1]:
        return "no detection finds an object"
    if aim.kind == "recall-at-precision":
        return f"no floor has a precision of {aim.value:g}; the best is {max(v or 0.0 for v in swept.precision):.3g}"
    return f"no floor finds an object within {aim.value:g} false positives an image"


def _number(stated: str, text: str) -> float:
    try:
        value = float(stated)
    except ValueError:
        raise InputError(f"aim {text!r} holds no number; give one of {FORMS}") from None
    if not abs(value) < float("inf"):
        raise InputError(f"aim {text!r} holds no finite number; give one of {FORMS}")
    return value
