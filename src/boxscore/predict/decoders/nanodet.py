"""NanoDet: a distribution over the distance to each side of the box (generalised focal loss).

Source: nanodet/model/head/gfl_head.py (NanoDet, one output of classes and one of distributions a stride, cell centres
at index * stride + (stride - 1) / 2) and nanodet_plus_head.py (NanoDet-Plus, one output for all, centres at
index * stride). A distance is the expectation over the softmax of its bins, times the stride.
"""

from __future__ import annotations

import math

from boxscore.predict.decoders import shapes
from boxscore.predict.decoders.candidates import around, chosen, once
from boxscore.predict.decoders.grids import levels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.predict.decoders.asked import Array, Asked, Candidates

_STRIDES = (8, 16, 32)
_STRIDES_PLUS = (8, 16, 32, 64)
_EXPECTS = (
    "six outputs, first classes [batch, cells, labels] of each stride, then distributions [batch, cells, 4 * bins]"
)


def decode(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """NanoDet: classes [batch, cells, labels] of strides 8, 16 and 32, then distributions [batch, cells, 4 * bins]."""
    import numpy as np

    half = len(outputs) // 2
    if len(outputs) != 2 * len(_STRIDES) or any(output.ndim != 3 for output in outputs):
        shapes.refuse("nanodet", outputs, _EXPECTS)
    scores, bins = np.concatenate(outputs[:half], axis=1), np.concatenate(outputs[half:], axis=1)
    if bins.shape[2] % 4:
        shapes.refuse("nanodet", outputs, _EXPECTS)
    return _decoded("nanodet", scores, bins, asked, _STRIDES, 0.5)


def decode_plus(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """NanoDet-Plus: one output [batch, cells, labels + 4 * bins] over strides 8, 16, 32 and 64."""
    expects = "one output [batch, cells, labels + 4 * bins]"
    output = shapes.single("nanodet-plus", outputs, expects, 3)
    if output.shape[2] <= asked.labels or (output.shape[2] - asked.labels) % 4:
        shapes.refuse("nanodet-plus", outputs, f"{expects} with the card's {asked.labels} classes")
    scores, bins = output[:, :, : asked.labels], output[:, :, asked.labels :]
    return _decoded("nanodet-plus", scores, bins, asked, _STRIDES_PLUS, 0.0)


def _decoded(
    decoder: str, scores: Array, bins: Array, asked: Asked, strides: tuple[int, ...], middle: float
) -> list[Candidates]:
    shapes.check_score(decoder, asked)
    shapes.check_labels(decoder, scores.shape[2], asked)
    shapes.check_cells(decoder, scores.shape[1], strides, asked)
    places, steps = levels(tuple(shapes.grid_cells(asked, stride) for stride in strides), strides)
    centres = places * steps + (steps - 1) * middle
    found = []
    for picture, distributions in zip(scores, bins, strict=True):
        at, chances, labels = chosen(picture, asked)
        rows, again = once(at, len(distributions))
        boxes = around(centres[rows], _expected(distributions[rows]) * steps[rows])
        found.append((boxes[again], chances, labels))
    return found


def _expected(bins: Array) -> Array:
    """The expected bin [n, 4] of distributions [n, 4 * bins] that are given as logits."""
    import numpy as np

    each = bins.reshape(len(bins), 4, bins.shape[1] // 4)
    weights = np.exp(each - each.max(axis=2, keepdims=True, initial=-math.inf))
    expected: Array = (weights * np.arange(each.shape[2], dtype=np.float32)).sum(axis=2) / weights.sum(axis=2)
    return expected
