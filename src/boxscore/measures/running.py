"""Precision and recall after each detection of a label, best score first."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from boxscore.model.tables import Matches

    Array = np.ndarray[Any, np.dtype[Any]]


class RunningCurve:
    """One label's curve at one cell, a point a detection that counts; detections that are ignored have none.

    Order is by descending score, then image, then rank. `recall[i]` and `precision[i]` are those of the first i + 1
    detections. `interpolated_recall` starts with a point at 0, and `interpolated_precision[i]` is the largest precision
    at that recall or beyond.
    """

    __slots__ = ("false_positives", "objects", "precision", "recall", "true_positives")

    def __init__(self, true: Array, objects: int) -> None:
        import numpy as np

        found = np.cumsum(true)
        self.objects = objects
        self.true_positives = int(true.sum())
        self.false_positives = len(true) - self.true_positives
        self.recall: list[float] = (found / objects).tolist()
        self.precision: list[float] = (found / np.arange(1, len(true) + 1)).tolist()

    @property
    def interpolated_recall(self) -> list[float]:
        """Recall from 0 on."""
        return [0.0, *self.recall]

    @property
    def interpolated_precision(self) -> list[float]:
        """The envelope: 0 where nothing was detected."""
        import numpy as np

        stated = np.array([0.0, *self.precision])
        envelope: list[float] = np.maximum.accumulate(stated[::-1])[::-1].tolist()
        return envelope


def running_curves(matches: Matches, num_labels: int, cell: int = 0) -> list[RunningCurve | None]:
    """The curve of each label at a cell; None for a label without ground truth that counts."""
    import numpy as np

    columns = {name: np.asarray(matches.detections.column(name)) for name in ("label", "score", "image", "rank")}
    bits = {name: _bit(matches.detections.column(name), cell) for name in ("matched", "ignored")}
    order = np.lexsort((columns["rank"], columns["image"], -columns["score"], columns["label"]))
    order = order[~bits["ignored"][order]]
    starts = np.searchsorted(columns["label"][order], np.arange(num_labels + 1))
    true = bits["matched"][order]
    counting = ~_bit(matches.ground_truth.column("ignored"), cell)
    objects = np.bincount(np.asarray(matches.ground_truth.column("label"))[counting], minlength=num_labels)
    return [
        RunningCurve(true[starts[i] : starts[i + 1]], int(objects[i])) if objects[i] else None
        for i in range(num_labels)
    ]


def _bit(column: Any, cell: int) -> Array:  # noqa: ANN401  a kernel column, which NumPy takes for a buffer
    import numpy as np

    found: Array = (np.asarray(column) >> np.uint64(cell)) & np.uint64(1) == 1
    return found
