"""Do two ways of running a model give the same boxes: two providers, two ONNX files, two cards, two environments?"""

from __future__ import annotations

from contextlib import ExitStack

from boxscore.errors import InputError
from boxscore.model.notes import listed
from boxscore.predict.parity_pairs import pairs
from boxscore.predict.parity_result import Extreme, Limits, Parity

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
