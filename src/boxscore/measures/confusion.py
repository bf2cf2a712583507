"""Confusion matrix: which label was taken for which, with a background row and column."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore import _kernel

BACKGROUND = "(none)"


class Confusion:
    """Counts [labels + 1, labels + 1]: rows by the object's label, columns by the detection's, the last of each none.

    Every object that is to be found and every detection at or above its floor stands in exactly one cell: pairs of one
    label as they were matched, then pairs of different labels by descending overlap, then what is left, with none.
    `iou` is the least overlap of a pair, `floors` the lowest confidence that counts, by label.
    """

    __slots__ = ("counts", "floors", "iou", "labels")

    def __init__(
        self, labels: Sequence[str], counts: Sequence[Sequence[int]], *, iou: float, floors: Sequence[float] | None
    ) -> None:
        self.labels = list(labels)
        self.counts = [list(row) for row in counts]
        self.iou = iou
        self.floors = None if floors is None else list(floors)

    @property
    def names(self) -> list[str]:
        """Names of rows and columns."""
        return [*self.labels, BACKGROUND]

    def pairs(self) -> list[tuple[str, str, int]]:
        """Cells off the diagonal that aren't 0: object, detected as, count; the largest first."""
        names = self.names
        found = [
            (names[row], names[column], count)
            for row, counts in enumerate(self.counts)
            for column, count in enumerate(counts)
            if count and row != column
        ]
        return sorted(found, key=lambda cell: -cell[2])

    def to_dict(self) -> dict[str, Any]:
        """`labels`, `counts` (one row and column more than labels: none), `iou` and `floors`, ready for JSON."""
        return {"labels": self.labels, "counts": self.counts, "iou": self.iou, "floors": self.floors}

    def __repr__(self) -> str:
        return f"<Confusion of {len(self.labels)} labels at IoU {self.iou:g}>"


def confusion(
    dataset: _kernel.Dataset,
    detections: _kernel.Detections,
    matches: _kernel.Matches,
    labels: Sequence[str],
    *,
    iou: float,
    floors: Sequence[float] | None = None,
    pixel: float = 0.0,
    threads: int = 1,
) -> Confusion:
    """The matrix; `matches` are those of these tables, cell 0 at the threshold `iou`."""
    from array import array

    from boxscore import _kernel

    cells = _kernel.confusion_matrix(
        dataset,
        detections,
        matches,
        num_labels=len(labels),
        least=iou,
        floors=None if floors is None else array("d", floors),
        pixel=pixel,
        threads=threads,
    ).to_list()
    size = len(labels) + 1
    flat = [int(value or 0) for value in cells]
    rows = [flat[start : start + size] for start in range(0, size * size, size)]
    return Confusion(labels, rows, iou=iou, floors=floors)
