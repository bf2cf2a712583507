"""What a decoder is told besides the model's outputs, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    Array = NDArray[Any]
    Candidates = tuple[Array, Array, Array]
    Decoder = Callable[[Sequence[Array], "Asked"], list[Candidates]]

LEAST = 0.01


@dataclass(frozen=True, slots=True)
class Asked:
    """What a decoder needs of a card.

    `width` and `height` of the model's input in pixels; `labels`: how many; `least`: the lowest score of a candidate;
    `score`: what is still to be done to scores (`as-is`, `sigmoid`, `softmax`); `one_label`: a place gives its best
    label alone, instead of every label from the least score up.
    """

    width: int
    height: int
    labels: int
    least: float = LEAST
    score: str = "as-is"
    one_label: bool = False


OPTIONS = ("one_label", "clip_after_nms")


def option(options: Mapping[str, Any], name: str) -> bool:
    """One of a card's `output.options`, false where it isn't given. Raises InputError for those that there are not.

    `one_label`: see Asked; `clip_after_nms`: suppression sees the boxes before they are clipped.
    """
    for given in options:
        if given not in OPTIONS:
            raise InputError(f"output.options.{given}: there is no such option; there are {' and '.join(OPTIONS)}")
    value = options.get(name, False)
    if not isinstance(value, bool):
        raise InputError(f"output.options.{name} is {value!r}; it must be true or false")
    return value
