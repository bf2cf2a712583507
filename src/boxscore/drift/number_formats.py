"""Thresholds of overlap and recall as other number formats have them.

In single precision 0.55 is 0.550000012, which fewer overlaps reach. In double precision 7 of 25 objects are a recall of
0.28, below the recall point 0.28000000000000003, at which precision is therefore read one match later; recalls that are
computed in single precision meet their points.
"""

from __future__ import annotations

from boxscore.measures.figures import Figures
from boxscore.model.measure import Measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.model.protocol import Protocol
    from boxscore.model.tables import Predictions


_WITHIN = 1e-9
"""Less than what recalls k/n and points j/100 are apart, unless they are equal, for up to ten million objects."""


def evenly_spaced(start: float, stop: float, count: int) -> list[float]:
    """`count` (2 or more) numbers from `start` to `stop`, bit for bit those of `torch.linspace` in float32.

    It counts from both ends to the middle, and rounds each number once.
    """
    import numpy as np

    first, last = np.float32(start), np.float32(stop)
    step = float((last - first) / np.float32(count - 1))
    rising = [float(first) + step * place for place in range(count // 2)]
    falling = [float(last) - step * (count - 1 - place) for place in range(count // 2, count)]
    return [float(np.float32(value)) for value in (*rising, *falling)]


def reached(recall_points: Sequence[float]) -> list[float]:
    """Recall points as a recall that is equal to one in the real numbers reaches it."""
    return [point - _WITHIN for point in recall_points]


def thresholds(protocol: Protocol) -> dict[str, object]:
    """The protocol's field of IoU thresholds, evenly spaced between its ends in single precision."""
    given = protocol.iou_thresholds
    spaced = given if len(given) == 1 else evenly_spaced(given[0], given[-1], len(given))
    return {"iou_thresholds": tuple(spaced)}


def figures(
    predictions: Predictions, protocol: Protocol, names: Sequence[str], recall_points: Sequence[float], threads: int
) -> dict[str, float | None]:
    """Figures by name, with precision read at other recall points than the protocol's."""
    from boxscore import _kernel
    from boxscore.pipeline.evaluate import finish

    run = finish(predictions, protocol, threads=threads)
    curves = _kernel.accumulate(
        run.matches.kernel,
        num_labels=len(run.labels),
        num_areas=len(protocol.area_ranges),
        limits=protocol.max_detections,
        recall_points=recall_points,
        threads=threads,
    )
    found = Figures(curves, protocol)
    return {name: found.figure(Measure.parse(name), range(len(run.labels)))[0] for name in names}
