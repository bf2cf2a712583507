"""YOLOX's head as it is exported without `--decode_in_inference`: one row a cell of the grids.

Source: `demo_postprocess` in yolox/utils/demo_utils.py: centre = (output + cell) * stride, size = exp(output) *
stride, score = objectness * class (both are probabilities already).
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
_STRIDES_P6 = (8, 16, 32, 64)
_EXPECTS = "one output [batch, cells, 5 + labels]"


def decode(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """From one output [batch, cells, 4 + 1 + labels]."""
    output = shapes.single("yolox", outputs, _EXPECTS, 3)
    shapes.check_score("yolox", asked, ("as-is",))
    shapes.check_labels("yolox", output.shape[2] - 5, asked)
    strides = _strides(output.shape[1], asked)
    sizes = tuple(shapes.grid_cells(asked, stride) for stride in strides)
    places, steps = levels(sizes, strides)
    return [_one(picture, places, steps, asked) for picture in output]


def _strides(cells: int, asked: Asked) -> tuple[int, ...]:
    import math

    if cells == sum(math.prod(shapes.grid_cells(asked, stride)) for stride in _STRIDES_P6):
        return _STRIDES_P6
    shapes.check_cells("yolox", cells, _STRIDES, asked)
    return _STRIDES


def _one(rows: Array, places: Array, steps: Array, asked: Asked) -> Candidates:
    import numpy as np

    likely = np.flatnonzero(rows[:, 4] >= asked.least)  # no class is above 1
    rows = rows[likely]
    at, scores, labels = chosen(rows[:, 4:5] * rows[:, 5:], asked)
    rows, cells, step = rows[at], places[likely[at]], steps[likely[at]]
    return corners((rows[:, :2] + cells) * step, np.exp(rows[:, 2:4]) * step), scores, labels
