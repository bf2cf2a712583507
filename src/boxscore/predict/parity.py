"""Do two ways of running a model give the same boxes: two providers, two ONNX files, two cards, two environments?"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field

from boxscore.errors import InputError
from boxscore.model.notes import listed
from boxscore.predict.parity_pairs import pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.predict.card import Card
    from boxscore.predict.decode import Found
    from boxscore.predict.parity_runners import Runner, Side
    from boxscore.predict.read_picture import Picture

_CLOSE = 1e-12
"""Overlaps and score differences are held to their limits with this much room for the last bits."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What counts as the same: pairs with at least `iou` and scores within `score`, for a `share` of the detections.

    Only detections from score `above` on are held to it; those below may pair with them.
    """

    iou: float = 0.99
    score: float = 0.01
    share: float = 0.99
    above: float = 0.05


@dataclass(slots=True)
class Extreme:
    """The largest difference of one kind, and where it is."""

    value: float
    picture: str | None = None
    label: str | None = None
    scores: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        return {"value": self.value, "picture": self.picture, "label": self.label, "scores": self.scores}


@dataclass(slots=True)
class Parity:
    """What was found over all pictures.

    Pairs of numbers are those of the first and the second side. `detections`, `paired` (with a partner of the same
    label, IoU 0.5 or more) and `agreeing` (with one within the limits) count those from the limit's score on.
    `same_bits` counts pictures whose detections are the same to the last bit. `missed` is the best score of a detection
    without a partner.
    """

    sides: tuple[dict[str, Any], dict[str, Any]]
    limits: Limits
    pictures: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    detections: list[int] = field(default_factory=lambda: [0, 0])
    paired: list[int] = field(default_factory=lambda: [0, 0])
    agreeing: list[int] = field(default_factory=lambda: [0, 0])
    same_bits: int = 0
    pixels: Extreme = field(default_factory=lambda: Extreme(0.0))
    score: Extreme = field(default_factory=lambda: Extreme(0.0))
    iou: Extreme = field(default_factory=lambda: Extreme(1.0))
    missed: list[Extreme] = field(default_factory=lambda: [Extreme(0.0), Extreme(0.0)])
    milliseconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    found: tuple[list[Found], list[Found]] = field(default_factory=lambda: ([], []))

    @property
    def share(self) -> float | None:
        """The lower share of a side's detections that agree; None where neither side found anything."""
        shares = [some / all_ for some, all_ in zip(self.agreeing, self.detections, strict=True) if all_]
        return min(shares, default=None)

    @property
    def passes(self) -> bool:
        """Whether enough detections agree, and all pictures could be read. Nothing found on both sides is the same."""
        return not self.unreadable and (self.share is None or self.share >= self.limits.share)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the detections, ready for JSON."""
        import statistics

        return {
            "sides": list(self.sides),
            "limits": {name: getattr(self.limits, name) for name in ("iou", "score", "share", "above")},
            "pictures": len(self.pictures),
            "unreadable": self.unreadable,
            "detections": self.detections,
            "paired": self.paired,
            "agreeing": self.agreeing,
            "share": self.share,
            "passes": self.passes,
            "pictures_with_the_same_bits": self.same_bits,
            "largest_box_difference_in_pixels": self.pixels.to_dict(),
            "largest_score_difference": self.score.to_dict(),
            "least_iou": self.iou.to_dict(),
            "best_without_a_partner": [one.to_dict() for one in self.missed],
            "median_milliseconds": [statistics.median(times) if times else None for times in self.milliseconds],
        }


def compare(
    one: Side,
    other: Side,
    images: str | PathLike[str] | Sequence[str | PathLike[str]],
    limits: Limits | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Parity:
    """Run both sides on the same decoded pictures, one by one, and pair what they find.

    `tell` hears how many of how many pictures are done. Raises InputError where a side can't be run, the sides have
    other classes, or there are no pictures.
    """
    from boxscore.predict import read_picture
    from boxscore.predict.run_pictures import pictures_of

    if one.card.classes != other.card.classes:
        raise InputError(
            f"the two sides have other classes: {listed(list(one.card.classes))} and "
            f"{listed(list(other.card.classes))}; only models of the same classes, in one order, can be compared"
        )
    listing = pictures_of(images)
    with ExitStack() as started:
        runners: list[Runner] = []
        for side in (one, other):
            runners.append(side.start())
            started.callback(runners[-1].close)
        first, second = (_described(side, runner) for side, runner in zip((one, other), runners, strict=True))
        parity = Parity((first, second), limits or Limits())
        for count, (name, path) in enumerate(zip(listing.names, listing.paths, strict=True), 1):
            try:
                picture = read_picture.read(path)
            except InputError as error:
                parity.unreadable.append(str(error))
                continue
            _add(parity, name, picture, (one, other), runners)
            if tell is not None:
                tell(count, len(listing))
    return parity


def _described(side: Side, runner: Runner) -> dict[str, Any]:
    card = side.card
    model = {"path": card.model.stated, "sha256": card.model.sha256}
    return {"name": side.name, "card": card.variant_name, "model": model, **runner.describe()}


def _add(parity: Parity, name: str, picture: Picture, sides: Sequence[Side], runners: Sequence[Runner]) -> None:
    found = []
    for side, runner, times in zip(sides, runners, parity.milliseconds, strict=True):
        one, took = _found(side.card, runner, picture)
        found.append(one)
        times.append(took)
    parity.pictures.append(name)
    for kept, rows in zip(parity.found, found, strict=True):
        kept.append(rows)
    _pair(parity, name, found[0], found[1], sides[0].card.classes)


def _found(card: Card, runner: Runner, picture: Picture) -> tuple[Found, float]:
    from boxscore.predict.decode import decode
    from boxscore.predict.prepare import prepare, second_input

    tensor, placement = prepare(card, picture.rgb)
    batch = tensor[None]
    outputs, took = runner.run(batch, second_input(card, batch))
    return decode(card, outputs, [placement])[0], took


def _pair(parity: Parity, name: str, one: Found, other: Found, classes: Sequence[str]) -> None:
    import numpy as np

    limits = parity.limits
    paired = pairs(one, other)
    close = (paired.iou >= limits.iou - _CLOSE) & (paired.score <= limits.score + _CLOSE)
    for number, (side, rows) in enumerate(((one, paired.one), (other, paired.other))):
        held = side.scores >= limits.above
        parity.detections[number] += int(held.sum())
        parity.paired[number] += int(held[rows].sum())
        parity.agreeing[number] += int(held[rows][close].sum())
        alone = held.copy()
        alone[rows] = False
        if alone.any():
            row = int(np.flatnonzero(alone)[side.scores[alone].argmax()])
            score = float(side.scores[row])
            if score > parity.missed[number].value:
                parity.missed[number] = Extreme(score, name, classes[side.labels[row]])
    parity.same_bits += all(
        np.array_equal(getattr(one, part), getattr(other, part)) for part in ("boxes", "scores", "labels")
    )
    held = np.maximum(one.scores[paired.one], other.scores[paired.other]) >= limits.above
    for part, sign in (("pixels", 1), ("score", 1), ("iou", -1)):
        values = getattr(paired, part)[held]
        if not len(values):
            continue
        at = int((sign * values).argmax())
        if sign * values[at] <= sign * getattr(parity, part).value:
            continue
        row, column = paired.one[held][at], paired.other[held][at]
        scores = float(one.scores[row]), float(other.scores[column])
        setattr(parity, part, Extreme(float(values[at]), name, classes[one.labels[row]], scores))
