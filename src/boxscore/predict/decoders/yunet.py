"""YuNet: faces, from twelve outputs (classes, objectness, boxes, five landmarks, each of strides 8, 16 and 32).

Source: libfacedetection.train, mmdet/models/dense_heads/yunet_head.py: score = sqrt(class * objectness), centre =
(cell + output) * stride, size = exp(output) * stride. Landmarks are no boxes, and are left out.
"""

from __future__ import annotations

from boxscore.predict.decoders import shapes
from boxscore.predict.decoders.candidates import chosen, corners
from boxscore.predict.decoders.grids import levels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.predict.decoders.asked import Array, Asked, Candidates

_STRIDES = (8, 16, 32)
_EXPECTS = (
    "outputs in threes, one a stride: classes [batch, cells, labels], objectness [batch, cells, 1], boxes "
    "[batch, cells, 4], landmarks or nothing"
)


def decode(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """From classes, objectness and boxes of each stride, in this order; landmarks may follow."""
    import numpy as np

    if len(outputs) not in (9, 12) or any(output.ndim != 3 for output in outputs):
        shapes.refuse("yunet", outputs, _EXPECTS)
    classes, objectness, boxes = (np.concatenate(outputs[begin : begin + 3], axis=1) for begin in (0, 3, 6))
    if objectness.shape[2] != 1 or boxes.shape[2] != 4:
        shapes.refuse("yunet", outputs, _EXPECTS)
    shapes.check_score("yunet", asked, ("as-is",))
    shapes.check_labels("yunet", classes.shape[2], asked)
    shapes.check_cells("yunet", classes.shape[1], _STRIDES, asked)
    places, steps = levels(tuple(shapes.grid_cells(asked, stride) for stride in _STRIDES), _STRIDES)
    scores = np.sqrt(np.clip(classes, 0, 1) * np.clip(objectness, 0, 1))
    found = []
    for picture, rows in zip(scores, boxes, strict=True):
        at, chances, labels = chosen(picture, asked)
        picked, step = rows[at], steps[at]
        centres, sizes = (places[at] + picked[:, :2]) * step, np.exp(picked[:, 2:]) * step
        found.append((corners(centres, sizes), chances, labels))
    return found
