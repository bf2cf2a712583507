"""Rules of matching: detections and ground truth in, Matches out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from boxscore import _kernel
    from boxscore.model.protocol import Protocol
    from boxscore.model.tables import Matches


def match(
    dataset: _kernel.Dataset,
    detections: _kernel.Detections,
    protocol: Protocol,
    *,
    assignments: bool = False,
    threads: int = 1,
) -> Matches:
    """Match by the protocol's rule, in all its cells at once.

    `assignments` also keeps which ground truth each detection took in each cell (4 bytes a detection and cell).
    """
    from boxscore.model.tables import Matches

    rule = RULES[protocol.rule]
    return Matches(rule(dataset, detections, protocol, assignments=assignments, threads=threads), protocol)


def _match_coco(
    dataset: _kernel.Dataset,
    detections: _kernel.Detections,
    protocol: Protocol,
    *,
    assignments: bool,
    threads: int,
) -> _kernel.Matches:
    from boxscore import _kernel

    return _kernel.match_coco(
        dataset,
        detections,
        iou_thresholds=protocol.iou_thresholds,
        area_ranges=[(least, most) for _, least, most in protocol.area_ranges],
        max_detections=protocol.max_detections[-1],
        honour_ignore=protocol.ignore_flag == "honour",
        area_from_box=protocol.object_area == "box",
        assignments=assignments,
        threads=threads,
    )


RULES: dict[str, Callable[..., _kernel.Matches]] = {"coco": _match_coco}
"""By the name that a protocol file gives in `rule`."""
