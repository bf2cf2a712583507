"""Precision and recall over Matches, summed by the kernel as the protocol says."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore import _kernel
    from boxscore.model.tables import Matches


def accumulate(
    matches: Matches, num_labels: int, *, every_limit: bool = False, scores: bool = False, threads: int = 1
) -> _kernel.Curves:
    """Curves of every label, area range, detection limit and IoU threshold.

    `every_limit` keeps precision at each detection limit, not the largest alone; `scores` also keeps the score at
    which each recall point is reached.
    """
    from boxscore import _kernel

    protocol = matches.protocol
    return _kernel.accumulate(
        matches.kernel,
        num_labels=num_labels,
        num_areas=len(protocol.area_ranges),
        limits=protocol.max_detections,
        recall_points=protocol.recall_points,
        every_point=protocol.interpolation == "every-point",
        every_limit=every_limit,
        scores=scores,
        spaced=protocol.rule == "coco",
        threads=threads,
    )
