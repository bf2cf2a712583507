"""The confusion matrix of a run folder: from its table of pairs, as no overlap is computed twice."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.measures.confusion import Confusion
from boxscore.runs.layout import LEAST_OVERLAP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from boxscore.runs import SavedRun

    Booleans = NDArray[np.bool_]


def confusion(saved: SavedRun, floors: Sequence[float]) -> Confusion:
    """What `Run.confusion` gave before the run was saved, at confidence floors (a label each), to the count.

    Raises InputError where the run kept no pairs, or matched at a smaller overlap than they hold.
    """
    pairs, detections, objects = (saved.table(name) for name in ("pairs", "detections", "ground_truth"))
    iou = saved.protocol.iou_thresholds[0]
    return of_tables(pairs, detections, objects, saved.labels.names, iou=iou, floors=floors)


def of_tables(
    pairs: pl.DataFrame,
    detections: pl.DataFrame,
    objects: pl.DataFrame,
    names: Sequence[str],
    *,
    iou: float,
    floors: Sequence[float] | None,
) -> Confusion:
    """The same from the tables of pairs, detections and ground truth, at the reference cell's threshold `iou`; without
    floors all detections count.
    """
    import numpy as np

    if iou < LEAST_OVERLAP:
        raise InputError(f"a confusion matrix at IoU {iou:g} needs pairs that overlap less than {LEAST_OVERLAP:g}")
    found, true = detections["label"].to_numpy(), objects["label"].to_numpy()
    least = -np.inf if floors is None else np.array(floors, dtype=np.float64)[found]
    detection_open = (detections["score"].to_numpy() >= least) & _counts(detections)
    object_open = _counts(objects)
    size = len(names) + 1
    cells = np.zeros((size, size), dtype=np.int64)

    taken = detections["gt"].fill_null(0).to_numpy().astype(np.int64)
    rows = np.flatnonzero(detection_open & detections["gt"].is_not_null().to_numpy())
    rows = rows[object_open[taken[rows]]]
    np.add.at(cells, (true[taken[rows]], found[rows]), 1)
    detection_open[rows] = False
    object_open[taken[rows]] = False

    for row, gt in _others(pairs, iou, (found, true), (detection_open, object_open)):
        if detection_open[row] and object_open[gt]:
            cells[true[gt], found[row]] += 1
            detection_open[row] = object_open[gt] = False
    cells[-1] += np.bincount(found[detection_open], minlength=size)
    cells[:, -1] += np.bincount(true[object_open], minlength=size)
    return Confusion(list(names), cells.tolist(), iou=iou, floors=floors)


def _counts(table: Any) -> Booleans:  # noqa: ANN401  a polars frame
    """Rows that are not ignored at the reference cell."""
    import numpy as np

    counted: Booleans = (table["ignored"].to_numpy() & np.uint64(1)) == 0
    return counted


def _others(
    pairs: Any,  # noqa: ANN401  a polars frame
    iou: float,
    labels: tuple[NDArray[Any], NDArray[Any]],
    still: tuple[Booleans, Booleans],
) -> list[tuple[int, int]]:
    """Pairs of different labels of which both are open, by descending overlap, then as they stand."""
    import numpy as np

    rows, gts = pairs["detection"].to_numpy(), pairs["ground_truth"].to_numpy()
    overlap = pairs["overlap"].to_numpy()
    kept = np.flatnonzero((overlap >= iou) & still[0][rows] & still[1][gts] & (labels[0][rows] != labels[1][gts]))
    kept = kept[np.argsort(-overlap[kept], kind="stable")]
    return list(zip(rows[kept].tolist(), gts[kept].tolist(), strict=True))
