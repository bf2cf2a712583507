"""Boxes that stand twice: the same image, label and four numbers."""

from __future__ import annotations

from boxscore.audit.found import Found, touches
from boxscore.io.box_readings import boxes_of
from boxscore.io.relabel import array
from boxscore.model.labels import id_text
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boxscore import _kernel
    from boxscore.model.labels import Id
    from boxscore.model.tables import Dataset, Predictions


def findings(dataset: Dataset, predictions: Predictions | None) -> Iterator[Found]:
    """Repeated boxes of the ground truth, each an object that can't be found twice, and of the detections."""
    ids = dataset.image_ids
    yield from _repeats(dataset.ground_truth, "object", dataset.source or "ground truth", ids)
    if predictions is not None:
        yield from _repeats(predictions.table, "detection", predictions.source or "predictions", ids)


def _repeats(table: _kernel.Table, what: str, source: str, image_ids: Sequence[Id]) -> Iterator[Found]:
    import numpy as np

    image, label, row = (array(table, name) for name in ("image", "label", "source_row"))
    boxes = boxes_of(table)
    order = np.lexsort((row, *boxes.T, label, image))
    same = (
        (image[order][1:] == image[order][:-1])
        & (label[order][1:] == label[order][:-1])
        & (boxes[order][1:] == boxes[order][:-1]).all(axis=1)
    )
    count = int(same.sum())
    if not count:
        return
    later = order[1:][same]
    first = int(np.argmin(row[later]))
    one, other = order[:-1][same][first], later[first]
    where = f"image {id_text(image_ids[int(image[one])])}, entries {int(row[one])} and {int(row[other])}"
    repeat = "repeats" if count == 1 else "repeat"
    moves, bound = touches(count, table.num_rows, what)
    yield Found(
        f"duplicate-{'box' if what == 'object' else 'detection'}",
        f"{source}: {counted(count, what)} {repeat} the box of another of its image and label (first: {where})",
        "keep one of each" if what == "object" else "keep one of each; non-maximum suppression may have been left out",
        count=count,
        moves=moves,
        bound=bound,
    )
