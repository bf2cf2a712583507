"""The overlaps of a run's true positives with what they found, at one of its cells."""

from __future__ import annotations

from boxscore.errors import MeasureError
from boxscore.measures.localisation import Overlaps

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from boxscore import _kernel
    from boxscore.pipeline.run import Run

    Rows = NDArray[np.int64]

_LEAST = 0.1
"""Pairs that overlap less are looked for only where the IoU threshold is lower still."""


def overlaps(run: Run, cell: int) -> Overlaps:
    """True positives at a cell, with their overlaps.

    Raises MeasureError where the run has let its boxes go, and for another cell than the first of a run folder's.
    """
    import polars as pl

    detections = pl.DataFrame(run.matches.detections).with_row_index("detection")
    found = partners(run, cell)
    bit = pl.lit(1 << cell, dtype=pl.UInt64)
    true = ((pl.col("matched") & bit) != 0) & ((pl.col("ignored") & bit) == 0)
    hits = detections.with_columns(pl.Series("ground_truth", found)).filter(true)
    rows = hits["detection"].to_numpy().astype("int64")
    objects = hits["ground_truth"].to_numpy()
    return Overlaps(
        run.num_images,
        image=hits["image"].to_numpy(),
        label=hits["label"].to_numpy(),
        rank=hits["rank"].to_numpy(),
        score=hits["score"].to_numpy(),
        overlap=_overlap(run, rows, objects, _threshold(run, cell)),
        detection=rows,
        ground_truth=objects,
    )


def partners(run: Run, cell: int) -> Rows:
    """The row of the ground truth that each detection took at a cell, -1 for none.

    That of the first cell is kept with the matches; others are matched anew, from boxes. Raises MeasureError.
    """
    import polars as pl

    kernel = run.matches.kernel
    if cell != 0:
        kernel = _matched_anew(run, cell)
    return pl.DataFrame(kernel.detections)["gt"].cast(pl.Int64).fill_null(-1).to_numpy()


def _threshold(run: Run, cell: int) -> float:
    return run.protocol.iou_thresholds[cell % len(run.protocol.iou_thresholds)]


def _matched_anew(run: Run, cell: int) -> _kernel.Matches:
    from boxscore import _kernel
    from boxscore.matching import IGNORED, pixel

    protocol = run.protocol
    name, *ends = protocol.area_ranges[cell // len(protocol.iou_thresholds)]
    iou = _threshold(run, cell)
    if run.dataset is None or run.predictions is None:
        raise MeasureError(
            f"which object a detection found at IoU {iou:g} (area {name}) isn't kept without boxes, but at IoU "
            f"{protocol.iou_thresholds[0]:g} alone; evaluate the files again"
        )
    return _kernel.match_detections(
        run.dataset.kernel,
        run.predictions.kernel,
        rule=protocol.rule,
        iou_thresholds=[iou],
        area_ranges=[(ends[0], ends[1])],
        max_detections=protocol.max_detections[-1],
        ignored=IGNORED[protocol.ignore_flag],
        pixel=pixel(protocol, run.corner_convention),
        area_from_box=protocol.object_area == "box",
        threads=run.threads,
    )


def _overlap(run: Run, detections: Rows, objects: Rows, iou: float) -> NDArray[np.float64]:
    """Overlaps of pairs of rows, looked up among those of all pairs."""
    import numpy as np

    pairs = run.pair_columns(min(_LEAST, iou))
    if pairs is None:
        raise MeasureError("overlaps need the boxes, which this run has let go; evaluate the files again")
    width = run.matches.ground_truth.num_rows + 1
    known = pairs["detection"].to_numpy().astype(np.int64) * width + pairs["ground_truth"].to_numpy()
    order = np.argsort(known, kind="stable")
    wanted = detections * width + objects
    places = order[np.searchsorted(known, wanted, sorter=order)] if len(wanted) else np.zeros(0, dtype=np.int64)
    return pairs["overlap"].to_numpy()[places]
