"""DAMO-YOLO: scores and corners, decoded within the model.

Source: damo/base_models/heads/zero_head.py `forward_eval` (scores are probabilities, boxes corners in pixels of the
input) and damo/utils/boxes.py `postprocess`.
"""

from __future__ import annotations

from boxscore.predict.decoders import shapes
from boxscore.predict.decoders.candidates import chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.predict.decoders.asked import Array, Asked, Candidates

_EXPECTS = "two outputs, scores [batch, boxes, labels] and boxes [batch, boxes, 4]"


def decode(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """From scores [batch, boxes, labels] and corners [batch, boxes, 4], in this order."""
    if len(outputs) != 2 or any(output.ndim != 3 for output in outputs) or outputs[1].shape[2] != 4:
        shapes.refuse("damo", outputs, _EXPECTS)
    if outputs[0].shape[:2] != outputs[1].shape[:2]:
        shapes.refuse("damo", outputs, _EXPECTS)
    shapes.check_score("damo", asked)
    shapes.check_labels("damo", outputs[0].shape[2], asked)
    found = []
    for scores, boxes in zip(*outputs, strict=True):
        at, chances, labels = chosen(scores, asked)
        found.append((boxes[at], chances, labels))
    return found
