"""From a model's outputs to what was found in each picture, in the picture's own pixels, as the card says."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import InputError
from boxscore.predict import decoders, suppress
from boxscore.predict.decoders.asked import Asked, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.predict.card import Card
    from boxscore.predict.decoders.asked import Candidates
    from boxscore.predict.placement import Placement

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in one picture, by descending score.

    `boxes` float64 [n, 4]: corners x1, y1, x2, y2 in pixels of the picture; `scores` float64 [n]; `labels` int64 [n]:
    numbers from 0 in the order of the card's classes.
    """

    boxes: NDArray[np.float64]
    scores: NDArray[np.float64]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.scores)


def decode(
    card: Card, outputs: Sequence[Array], placements: Sequence[Placement], *, least: float | None = None
) -> list[Found]:
    """What a batch of outputs (batch axis first) holds, a Found for each placement.

    `least` is the lowest score that is kept, the card's by default. Raises InputError where the outputs don't fit the
    decoder or the card's classes, or aren't finite.
    """
    lowest = card.output.least_score if least is None else least
    for output in outputs:
        _check(output, len(placements))
    candidates = _candidates(card, outputs, placements, lowest)
    return [_found(card, one, place, lowest) for one, place in zip(candidates, placements, strict=True)]


def _check(output: Array, pictures: int) -> None:
    import numpy as np

    if output.ndim < 1 or len(output) != pictures:
        raise InputError(
            f"the model gives an output {list(output.shape)} for {pictures} pictures; it must have one row a picture"
        )
    if output.dtype.kind == "f" and np.isnan(output).any():
        raise InputError(
            "the model gives NaN; check the card's normalisation, and whether this provider runs it in half precision"
        )


def _candidates(
    card: Card, outputs: Sequence[Array], placements: Sequence[Placement], lowest: float
) -> list[Candidates]:
    if ":" in card.output.decoder:
        return _own(card, outputs, len(placements))
    if not placements:
        return []
    from boxscore.predict.geometry import geometry

    decoder = decoders.built_in(card.output.decoder)
    # Pictures of one batch have inputs of one size.
    width, height = geometry(card.input, placements[0].width, placements[0].height).canvas
    one_label = option(card.output.options, "one_label")
    asked = Asked(width, height, len(card.classes), lowest, card.output.score, one_label)
    return decoder([_plain(output) for output in outputs], asked)


def _plain(output: Array) -> Array:
    """Half precision is decoded in single: exponents and products of scores would lose what the model gave."""
    import numpy as np

    return output.astype(np.float32) if output.dtype == np.float16 else output


def _own(card: Card, outputs: Sequence[Array], pictures: int) -> list[Candidates]:
    import numpy as np

    name = card.output.decoder
    found = decoders.own(card)(list(outputs), card)
    try:
        rows = [tuple(np.asarray(part) for part in one) for one in found]
    except (TypeError, ValueError):
        raise InputError(f"output.decoder: {name} must give boxes, scores and labels for each picture") from None
    if len(rows) != pictures:
        raise InputError(f"output.decoder: {name} gives {len(rows)} results for {pictures} pictures")
    return [_checked(name, one, len(card.classes)) for one in rows]


def _checked(name: str, parts: tuple[Array, ...], classes: int) -> Candidates:
    shapes = [part.shape for part in parts]
    count = shapes[1][0] if len(shapes) == 3 and len(shapes[1]) == 1 else None
    if count is None or shapes[2] != (count,) or (shapes[0] != (count, 4) and count):
        raise InputError(
            f"output.decoder: {name} gives arrays {', '.join(str(list(shape)) for shape in shapes)}; it must give "
            "boxes [n, 4], scores [n] and labels [n]"
        )
    boxes, scores, labels = parts
    if count and (labels != labels.astype(int)).any():
        raise InputError(f"output.decoder: {name} gives labels that are no whole numbers")
    if count and (labels.min() < 0 or labels.max() >= classes):
        raise InputError(
            f"output.decoder: {name} gives labels from {labels.min()} to {labels.max()}, and the card has {classes} "
            "classes, numbered from 0"
        )
    return boxes.reshape(-1, 4), scores, labels.astype(int)


def _found(card: Card, candidates: Candidates, placement: Placement, lowest: float) -> Found:
    import numpy as np

    boxes, scores, labels = candidates
    enough = scores >= lowest
    if not enough.all():
        boxes, scores, labels = boxes[enough], scores[enough], labels[enough]
    late = card.output.clip and ":" not in card.output.decoder and option(card.output.options, "clip_after_nms")
    boxes = placement.to_original(boxes, clip=card.output.clip and not late)
    if not (np.isfinite(boxes).all() and np.isfinite(scores).all()):
        raise InputError(
            "the model gives boxes or scores that are not finite; check the card's input (size, channels, normalise)"
        )
    rows = _chosen(card, boxes, scores, labels)[: card.output.top_k]
    boxes = placement.clipped(boxes[rows]) if late else boxes[rows]
    return Found(boxes, scores[rows].astype(np.float64), labels[rows].astype(np.int64))


def _chosen(card: Card, boxes: Array, scores: Array, labels: Array) -> NDArray[np.intp]:
    """Rows that suppression leaves, by descending score, at least as many as the card keeps."""
    nms = card.output.nms
    if nms is None:
        return suppress.by_score(scores)
    # Within a label a floor only ever cuts the end off: it makes a difference where labels suppress each other.
    below = None if nms.per_label or nms.before_floor else scores < _floors(card)[labels]
    groups = labels if nms.per_label else None
    if below is None and card.output.top_k is not None:
        return suppress.best(boxes, scores, groups, nms.iou, card.output.top_k)
    return suppress.kept(boxes, scores, groups, nms.iou, behind=below)


def _floors(card: Card) -> NDArray[np.float64]:
    import numpy as np

    floors = card.floors
    return np.array([floors.by_label.get(name, floors.default) for name in card.classes])
