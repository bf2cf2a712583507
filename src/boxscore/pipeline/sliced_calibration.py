"""Calibration of a run: over all images and in slices of them, of all labels and of each."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.measures.calibration import BINS, Binned
from boxscore.model.given import shown, whole_number
from boxscore.pipeline.operating import point
from boxscore.slices.slice import IMAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.pipeline.run import Run
    from boxscore.slices.slice import Slice

_MOST_BINS = 1000


def calibration(
    run: Run, slices: Sequence[Slice] = (), *, bins: int = BINS, iou: float | None = None, per_label: bool = True
) -> dict[str, Any]:
    """Reliability curves and calibration errors, ready for JSON.

    All detections take part that are true or false positives at an IoU threshold of the protocol (None: its first),
    those below the floors of the run included; a detection that found a crowd counts neither way. `curves` has one for
    all images and each slice of images, of all labels (`label` None) and of each: `slice`, `label`, `detections`,
    `ece`, `mce`, `reason`, `bins`. Slices of objects have none: false positives, which calibration is about, have no
    object.

    Raises InputError for a number of bins that there can't be, ProtocolError for another threshold.
    """
    import numpy as np

    from boxscore.model.measure import Measure

    count = whole_number(bins)
    if count is None or not 1 <= count <= _MOST_BINS:
        raise InputError(f"bins of a calibration are {shown(bins)}; give a whole number from 1 to {_MOST_BINS}")
    threshold = run.protocol.iou_thresholds[0] if iou is None else iou
    cell, limit = point(run).place(Measure("precision", iou=threshold))
    image, label, score, true = _counting(run, cell, limit)
    binned = Binned(score, true, bins=count)
    order = np.argsort(label, kind="stable")
    starts = np.searchsorted(label[order], np.arange(len(run.labels) + 1))
    named = list(enumerate(run.labels)) if per_label and not run.label_agnostic else []
    curves = []
    for one in (None, *(one for one in slices if one.kind == IMAGE)):
        inside = np.ones(len(image), dtype=bool) if one is None else one.mask[image]
        name = None if one is None else one.name
        curves.append({"slice": name, "label": None} | binned.curve(inside).to_dict())
        for position, text in named:
            rows = order[starts[position] : starts[position + 1]]
            curves.append({"slice": name, "label": text} | binned.curve(rows[inside[rows]]).to_dict())
    return {"iou": threshold, "bins": count, "max_detections": limit, "curves": curves}


def _counting(
    run: Run, cell: int, limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """Image, label, score of the detections that are true or false positives, and which are true."""
    import numpy as np

    table = run.matches.detections
    columns = {name: np.array(memoryview(table.column(name))) for name in ("image", "label", "score", "rank")}
    bit = np.uint64(1) << np.uint64(cell)
    ignored, matched = (
        (np.array(memoryview(table.column(name)), dtype=np.uint64) & bit) != 0 for name in ("ignored", "matched")
    )
    keep = ~ignored & (columns["rank"] < limit)
    image, label = (columns[name][keep].astype(np.int64) for name in ("image", "label"))
    return image, label, columns["score"][keep].astype(np.float64), matched[keep]
