"""Scores that were cut off so high that the curve of precision over recall ends early."""

from __future__ import annotations

from boxscore.audit.found import Found
from boxscore.io.relabel import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore.pipeline.run import Run

_USUAL = 0.05
"""The highest floor that evaluation scripts set before AP is measured."""


def findings(run: Run) -> Iterator[Found]:
    """The smallest score, where it is high and objects were missed.

    Each object that a lower score would find adds at most its share of recall, at precision 1: AP@0.5 can't rise by
    more than 1 - AR@0.5.
    """
    if run.predictions is None or not run.predictions.num_rows:
        return
    scores = array(run.predictions.table, "score")
    least = float(scores.min())
    recall = run.value("AR@0.5")
    if not _USUAL < least <= 1.0 or least == scores.max() or recall is None or recall >= 1.0:
        return
    yield Found(
        "scores-cut",
        f"{run.predictions.source or 'predictions'}: the smallest score is {least:.6g}, and recall at IoU 0.5 ends at "
        f"{recall:.3f}: AP is cut short, as it covers scores above {least:.6g} alone",
        "write all detections down to a score of 0.001 or so for AP; floors come in by --protocol operating-point",
        count=run.predictions.num_rows,
        moves=1.0 - recall,
        bound=f"AP@0.5 could rise by at most {1.0 - recall:.3f}",
    )
