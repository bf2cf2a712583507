"""Outcomes counted at confidence floors: views on matches made once."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore import _kernel
    from boxscore.model.tables import Matches

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


def count_in(
    matches: Matches,
    num_labels: int,
    *,
    cell: int = 0,
    floors: Sequence[float] | None = None,
    weights: Sequence[int] | None = None,
    limit: int = ALL,
    by: str = "label",
) -> list[Counts]:
    """`count` of matches in parts, too: those are counted a label at a time, where they lie."""
    from functools import partial

    from boxscore.model.parted import PartedMatches

    if not isinstance(matches, PartedMatches):
        return count(matches.kernel, num_labels, cell=cell, floors=floors, weights=weights, limit=limit, by=by)
    counted = matches.each_label(
        partial(
            _count_label,
            cell=cell,
            floors=None if floors is None else list(floors),
            weights=weights,
            limit=limit,
            by=by,
        )
    )
    if by == "label":
        return [of_label[0] for of_label in counted]
    return [sum(of_image, Counts()) for of_image in zip(*counted, strict=True)]


def _count_label(
    matches: _kernel.Matches,
    label: int,
    *,
    floors: Sequence[float] | None,
    **how: Any,  # noqa: ANN401  those of `count`
) -> list[Counts]:
    return count(matches, 1, floors=None if floors is None else [floors[label]], **how)
