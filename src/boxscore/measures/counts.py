"""Outcomes counted at confidence floors: views on matches made once."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore import _kernel

ALL = 2**32 - 1
"""A detection limit that leaves none out."""


class Counts:
    """Objects to be found, true and false positives, and detections that count neither way."""

    __slots__ = ("false_positives", "ignored", "objects", "true_positives")

    def __init__(self, objects: int = 0, true_positives: int = 0, false_positives: int = 0, ignored: int = 0) -> None:
        self.objects = objects
        self.true_positives = true_positives
        self.false_positives = false_positives
        self.ignored = ignored

    @property
    def false_negatives(self) -> int:
        """Objects that no detection at or above the floor found."""
        return self.objects - self.true_positives

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, name) + getattr(other, name) for name in _FIELDS))

    def __repr__(self) -> str:
        return (
            f"<Counts TP {self.true_positives}, FP {self.false_positives}, FN {self.false_negatives}, "
            f"ignored {self.ignored}>"
        )


_FIELDS = ("objects", "true_positives", "false_positives", "ignored")


def count(
    matches: _kernel.Matches,
    num_labels: int,
    *,
    cell: int = 0,
    floors: Sequence[float] | None = None,
    weights: Sequence[int] | None = None,
    limit: int = ALL,
    by: str = "label",
) -> list[Counts]:
    """Counts a label, or an image (`by="image"`); `floors` a label, inclusive; `weights`, copies of each image."""
    from array import array

    from boxscore import _kernel

    table = _kernel.count_outcomes(
        matches,
        num_labels=num_labels,
        cell=cell,
        floors=None if floors is None else array("d", floors),
        # Without images there is nothing to weigh, and no memory that the kernel could look at.
        weights=array("I", weights) if weights else None,
        limit=limit,
        by=by,
    )
    columns = [table.column(name).to_list() for name in _FIELDS]
    return [Counts(*(int(value or 0) for value in row)) for row in zip(*columns, strict=True)]
