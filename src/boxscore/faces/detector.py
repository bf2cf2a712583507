"""YuNet finds the face of a picture: the square round it and its five points, from the outputs of predict's card.

Boxes and points are decoded as in libfacedetection.train, mmdet/models/dense_heads/yunet_head.py: a point is
(cell + output) * stride.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.face import Square
    from boxscore.predict.card import Card
    from boxscore.predict.session import Session

    Floats = NDArray[np.float64]
    Pixels = NDArray[np.uint8]

_STRIDES = (8, 16, 32)
LEAST_SCORE = 0.5
"""What a face must score where the card states no floor."""


class FaceDetector:
    """The detector of a card with the decoder `yunet`. Of several faces in a picture the surest is taken."""

    def __init__(self, card: Card, session: Session) -> None:
        self.card = card
        self.session = session
        self.least_score = card.floors.default or LEAST_SCORE

    @classmethod
    def of(cls, path: str | PathLike[str], *, threads: int | None = None) -> FaceDetector:
        """Load a model card and its model. Raises InputError where it has another decoder, and as they do."""
        from boxscore.faces.card import refuse_weights
        from boxscore.predict.card import load_card
        from boxscore.predict.session import Session

        refuse_weights(path)
        card = load_card(path)
        if card.output.decoder != "yunet":
            raise InputError(
                f"{path}: output.decoder is {card.output.decoder!r}; faces are found by yunet, which tells eyes, nose "
                "and mouth too: give a card with `preset: yunet`"
            )
        return cls(card, Session(card, threads=threads, lanes=1))

    def describe(self) -> dict[str, Any]:
        """What the found faces depend on, ready for JSON."""
        return {"card": self.card.digest(), "model": self.card.model.sha256, "least_score": self.least_score}

    def find(self, picture: Pixels) -> tuple[Square | None, int]:
        """The surest face of a picture, uint8 RGB [h, w, 3] (None: there is none), and how many others there are."""
        import numpy as np

        from boxscore.predict.prepare import prepare

        tensor, placement = prepare(self.card, picture)
        scores, boxes, points = _decoded(self.session.run(tensor[None]), tensor.shape[1:])
        best = int(np.argmax(scores))
        if scores[best] < self.least_score:
            return None, 0
        sure = boxes[scores >= self.least_score]
        middles = (sure[:, :2] + sure[:, 2:]) / 2
        inside = ((middles >= boxes[best, :2]) & (middles <= boxes[best, 2:])).all(axis=1)
        others = _apart(sure[~inside])
        corners = np.concatenate([boxes[best], points[best].ravel()]).reshape(-1, 2)
        # A pair of points is a box to the placement, which knows the one way back.
        back = placement.to_original(np.concatenate([corners, corners], axis=1))[:, :2]
        return _square(back[:2], back[2:]), others


def _square(corners: Floats, points: Floats) -> Square:
    from boxscore.faces.face import Square

    x, y = corners.mean(axis=0)
    return Square(float(x), float(y), max(1, round(float((corners[1] - corners[0]).max()))), points)


def _apart(boxes: Floats) -> int:
    """How many faces several boxes are: a box whose middle lies in one already counted is none of its own."""
    counted: list[Floats] = []
    for box in boxes:
        middle = (box[:2] + box[2:]) / 2
        if not any((middle >= other[:2]).all() and (middle <= other[2:]).all() for other in counted):
            counted.append(box)
    return len(counted)


def _decoded(outputs: Sequence[NDArray[Any]], size: tuple[int, ...]) -> tuple[Floats, Floats, Floats]:
    """Scores [n], boxes [n, 4] as corners and points [n, 5, 2] of one picture, in pixels of the input."""
    import numpy as np

    from boxscore.predict.decoders.grids import levels

    places, steps = levels(tuple((size[1] // stride, size[0] // stride) for stride in _STRIDES), _STRIDES)
    if len(outputs) != 12 or any(output.ndim != 3 for output in outputs):
        raise InputError(_other_outputs(outputs))
    classes, objectness, boxes, marks = (
        np.concatenate(outputs[begin : begin + 3], axis=1)[0].astype(np.float64) for begin in (0, 3, 6, 9)
    )
    if boxes.shape != (len(places), 4) or marks.shape != (len(places), 10):
        raise InputError(_other_outputs(outputs))
    scores = np.sqrt(np.clip(classes[:, 0], 0, 1) * np.clip(objectness[:, 0], 0, 1))
    centres, sizes = (places + boxes[:, :2]) * steps, np.exp(boxes[:, 2:]) * steps
    points = (marks.reshape(-1, 5, 2) + places[:, None, :]) * steps[:, None, :]
    return scores, np.concatenate([centres - sizes / 2, centres + sizes / 2], axis=1), points


def _other_outputs(outputs: Sequence[NDArray[Any]]) -> str:
    shapes = ", ".join(str(list(output.shape)) for output in outputs)
    return (
        f"the face detector gave outputs of shapes {shapes}; wanted are twelve: classes, objectness, boxes [1, cells, "
        "4] and points [1, cells, 10] of strides 8, 16 and 32: export YuNet with its landmarks"
    )
