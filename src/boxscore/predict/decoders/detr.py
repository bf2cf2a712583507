"""DETR's family: a fixed number of queries, each with logits and a box; no suppression.

Sources: rfdetr/models/lwdetr.py `PostProcess` (RF-DETR: sigmoid, the best of query x label), facebookresearch/detr
`PostProcess` (softmax, the last label stands for no object, one label a query), rtdetrv2_pytorch
tools/export_onnx.py (labels, boxes, scores, chosen within the model).
"""

from __future__ import annotations

from dataclasses import replace

from boxscore.errors import InputError
from boxscore.predict.decoders import shapes
from boxscore.predict.decoders.candidates import chosen, corners

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.predict.decoders.asked import Array, Asked, Candidates

_EXPECTS = "two outputs, boxes [batch, queries, 4] and logits [batch, queries, labels]"
_EXPECTS_CHOSEN = "three outputs, labels [batch, n], boxes [batch, n, 4] and scores [batch, n] in this order"


def decode(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """Boxes [batch, queries, 4] (centre, size; parts of the input) and logits [batch, queries, labels], in any order.

    A column of logits beyond the card's classes stands for no object; with softmax, each query has its best label
    alone. Three outputs are what an export has chosen within the model: labels [batch, n], boxes [batch, n, 4] (corners
    in pixels) and scores [batch, n].
    """
    import numpy as np

    if len(outputs) == 3:
        return _chosen_within(outputs, asked)
    boxes, logits = _told_apart(outputs)
    softmax = asked.score == "softmax"
    columns = logits.shape[2]
    shapes.check_labels("detr", columns - (softmax), asked, spare=not softmax)
    if softmax:
        asked = replace(asked, one_label=True)
    else:
        logits = logits[:, :, : asked.labels]
    size = np.array([asked.width, asked.height] * 2, np.float32)
    found = []
    for queries, scores in zip(boxes, logits, strict=True):
        at, chances, labels = chosen(scores, asked)
        picked = queries[at]
        found.append((corners(picked[:, :2], picked[:, 2:]) * size, chances, labels))
    return found


def _told_apart(outputs: Sequence[Array]) -> tuple[Array, Array]:
    three = [output for output in outputs if output.ndim == 3]
    boxes = [output for output in three if output.shape[2] == 4]
    if len(outputs) != 2 or len(three) != 2 or not boxes or three[0].shape[:2] != three[1].shape[:2]:
        shapes.refuse("detr", outputs, _EXPECTS)
    if len(boxes) == 2:
        # Four labels: boxes lie within 0 and 1, and logits of many queries don't.
        boxes = [output for output in three if output.min() >= 0 and output.max() <= 1]
        if len(boxes) != 1:
            raise InputError(
                "output.decoder: both outputs are [batch, queries, 4], and which of them holds boxes can't be told; "
                "give a function of your own as module:function"
            )
    logits = three[1] if boxes[0] is three[0] else three[0]
    return boxes[0], logits


def _chosen_within(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """The second input has scaled the boxes to pixels of the model's input."""
    if len(outputs) != 3 or [output.ndim for output in outputs] != [2, 3, 2] or outputs[1].shape[2] != 4:
        shapes.refuse("detr", outputs, _EXPECTS_CHOSEN)
    shapes.check_score("detr", asked, ("as-is",))
    found = []
    for labels, boxes, scores in zip(*outputs, strict=True):
        enough = scores >= asked.least
        numbers = labels[enough].astype(int)
        shapes.check_numbers("detr", numbers, asked)
        found.append((boxes[enough], scores[enough], numbers))
    return found
