"""A slice: a part of the images, or of the objects, by a mask."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

IMAGE = "image"
OBJECT = "object"
NO_OBJECT = "no object"
"""The slice of what false positives belong to where objects are sliced: they have none, and count here once."""


class Slice:
    """One slice.

    - `name`: such as `weather=rain`, `distance=(3,5]`, `weather=rain & distance=near`, or that of a condition.
    - `column`: the spec that it comes from; `kind`: `image` or `object`, what is sliced.
    - `mask`: booleans, one an image in the run's order, or one an object in the order of its ground truth.
    - `support`: how many images (objects) there are in it, `supported` whether as many as were asked for.
    - `condition`: what holds in it, as (column, value) of its parts; empty for conditions in SQL.
    """

    __slots__ = ("column", "condition", "kind", "least", "mask", "name", "support")

    def __init__(
        self,
        name: str,
        column: str,
        kind: str,
        mask: Mask,
        *,
        least: int = 0,
        condition: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.name = name
        self.column = column
        self.kind = kind
        self.mask = mask
        self.least = least
        self.condition = condition
        self.support = int(mask.sum())

    @property
    def supported(self) -> bool:
        """Whether it rests on as many images (objects) as were asked for."""
        return self.support >= self.least

    def to_dict(self) -> dict[str, Any]:
        """What it is, ready for JSON."""
        return {
            "slice": self.name,
            "column": self.column,
            "kind": self.kind,
            "support": self.support,
            "supported": self.supported,
        }

    def __repr__(self) -> str:
        return f"<Slice {self.name}: {self.support} {self.kind}{'' if self.support == 1 else 's'}>"
