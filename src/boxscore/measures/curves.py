"""Precision and recall over Matches, summed by the kernel as the protocol says."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from boxscore import _kernel
    from boxscore.model.tables import Matches

    State = tuple[list[int], list[bytes | None]]


def accumulate(
    matches: Matches, num_labels: int, *, every_limit: bool = False, scores: bool = False, threads: int = 1
) -> _kernel.Curves:
    """Curves of every label, area range, detection limit and IoU threshold.

    `every_limit` keeps precision at each detection limit, not the largest alone; `scores` also keeps the score at
    which each recall point is reached.
    """
    from functools import partial

    from boxscore import _kernel
    from boxscore.model.parted import PartedMatches

    protocol = matches.protocol
    summed = partial(
        _kernel.accumulate,
        num_areas=len(protocol.area_ranges),
        limits=protocol.max_detections,
        recall_points=protocol.recall_points,
        every_point=protocol.interpolation == "every-point",
        every_limit=every_limit,
        scores=scores,
        spaced=protocol.rule == "coco",
    )
    if not isinstance(matches, PartedMatches):
        return summed(matches.kernel, num_labels=num_labels, threads=threads)
    states = matches.each_label(partial(_state_of_label, summed))
    return _kernel.Curves.joined([_kernel.Curves.from_state(*state) for state in states])


def _state_of_label(summed: Callable[..., _kernel.Curves], matches: _kernel.Matches, label: int) -> State:  # noqa: ARG001  given to all such functions
    """The curves of one label, in a form that goes from process to process."""
    return summed(matches, num_labels=1).state()
