"""What the outputs of a model must look like for a decoder to take them, told in one paragraph where they don't."""

from __future__ import annotations

import math

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from numpy.typing import NDArray

    from boxscore.predict.decoders.asked import Asked

    Array = NDArray[Any]


def refuse(decoder: str, outputs: Sequence[Array], expects: str) -> NoReturn:
    """Raises InputError: the outputs that there are, and what the decoder expects."""
    shapes = " and ".join(str(list(output.shape)) for output in outputs) or "none"
    raise InputError(
        f"output.decoder: {decoder} expects {expects}, but the model gives {len(outputs)}: {shapes}; name the decoder "
        "that fits this model, or one of your own as module:function"
    )


def single(decoder: str, outputs: Sequence[Array], expects: str, axes: int) -> Array:
    """The one output, of so many axes. Raises InputError."""
    if len(outputs) != 1 or outputs[0].ndim != axes:
        refuse(decoder, outputs, expects)
    return outputs[0]


def check_labels(decoder: str, columns: int, asked: Asked, *, spare: int = 0) -> None:
    """Raises InputError where a model gives other labels than the card's classes, with up to `spare` more allowed."""
    if not asked.labels <= columns <= asked.labels + spare:
        raise InputError(
            f"classes: the card lists {asked.labels}, but the model's output has scores for {columns} ({decoder}); "
            "list the classes in the order in which the model was trained"
        )


def check_score(decoder: str, asked: Asked, allowed: Sequence[str] = ("as-is", "sigmoid")) -> None:
    """Raises InputError where the card asks for a transform of scores that the decoder has no place for."""
    if asked.score not in allowed:
        raise InputError(f"output.score: {decoder} can't use {asked.score!r}; give {' or '.join(allowed)}")


def grid_cells(asked: Asked, stride: int) -> tuple[int, int]:
    """Columns and rows of the grid with this stride over the model's input; a part of a cell counts as one."""
    return math.ceil(asked.width / stride), math.ceil(asked.height / stride)


def check_cells(decoder: str, cells: int, strides: Sequence[int], asked: Asked) -> None:
    """Raises InputError where the rows of an output are not the cells of the grids over the card's input size."""
    expected = [math.prod(grid_cells(asked, stride)) for stride in strides]
    if sum(expected) != cells:
        raise InputError(
            f"input.size: {decoder} makes {sum(expected)} boxes of {asked.width} x {asked.height} with strides "
            f"{', '.join(map(str, strides))}, but the model gives {cells}; give the size that the model was exported "
            "with"
        )


def check_numbers(decoder: str, labels: Array, asked: Asked) -> None:
    """Raises InputError where a model gives a label number that the card's classes don't have."""
    wrong = labels[(labels < 0) | (labels >= asked.labels)]
    if len(wrong):
        raise InputError(
            f"classes: the card lists {asked.labels} (numbers 0 to {asked.labels - 1}), but the model gives label "
            f"{int(wrong[0])} ({decoder}); list the classes in the order in which the model was trained"
        )
