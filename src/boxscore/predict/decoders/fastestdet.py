"""FastestDet: one grid, whose cells give objectness, offsets, sizes and classes.

Source: example/onnx-runtime/runtime.py: centre = (tanh + cell) / grid, size = sigmoid, both as parts of the input;
score = objectness ** 0.6 * class ** 0.4 (both are probabilities already).
"""

from __future__ import annotations

from boxscore.predict.decoders import shapes
from boxscore.predict.decoders.candidates import chosen, corners, once, sigmoid
from boxscore.predict.decoders.grids import cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.predict.decoders.asked import Array, Asked, Candidates


def decode(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """From one output [batch, 1 + 4 + labels, rows, columns]."""
    output = shapes.single("fastestdet", outputs, "one output [batch, 5 + labels, rows, columns]", 4)
    shapes.check_score("fastestdet", asked, ("as-is",))
    shapes.check_labels("fastestdet", output.shape[1] - 5, asked)
    return [_one(picture, asked) for picture in output]


def _one(maps: Array, asked: Asked) -> Candidates:
    import numpy as np

    rows, columns = maps.shape[1:]
    flat = maps.reshape(len(maps), -1)
    # With classes up to 1 the score is at most objectness ** 0.6; a little lower, so that rounding costs nobody.
    likely = np.flatnonzero(flat[0] >= asked.least ** (1 / 0.6) * 0.999)
    flat = flat[:, likely]
    scores = np.maximum(flat[0], 0) ** 0.6 * np.maximum(flat[5:], 0) ** 0.4
    at, chances, labels = chosen(scores.T, asked)
    rows_of, again = once(at, len(likely))
    picked = flat[1:5, rows_of].T
    grid = np.array([columns, rows], np.float32)
    size = np.array([asked.width, asked.height], np.float32)
    centres = (np.tanh(picked[:, :2]) + cells(columns, rows)[likely[rows_of]]) / grid
    return corners(centres * size, sigmoid(picked[:, 2:]) * size)[again], chances, labels
