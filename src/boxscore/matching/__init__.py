"""Rules of matching: detections and ground truth in, Matches out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore import _kernel
    from boxscore.model.protocol import Protocol
    from boxscore.model.tables import Matches


def match(
    dataset: _kernel.Dataset,
    detections: _kernel.Detections,
    protocol: Protocol,
    *,
    corner_convention: str = "continuous",
    assignments: bool = False,
    threads: int = 1,
) -> Matches:
    """Match by the protocol's rule, in all its cells at once.

    `corner_convention` is the data set's (see `pixel`). `assignments` also keeps which ground truth each detection took
    in each cell (4 bytes a detection and cell).
    """
    from boxscore import _kernel
    from boxscore.model.tables import Matches

    kernel = _kernel.match_detections(
        dataset,
        detections,
        rule=protocol.rule,
        iou_thresholds=protocol.iou_thresholds,
        area_ranges=[(least, most) for _, least, most in protocol.area_ranges],
        max_detections=protocol.max_detections[-1],
        ignored=IGNORED[protocol.ignore_flag],
        pixel=pixel(protocol, corner_convention),
        area_from_box=protocol.object_area == "box",
        assignments=assignments,
        threads=threads,
    )
    return Matches(kernel, protocol)


def pixel(protocol: Protocol, corner_convention: str) -> float:
    """What a box is longer than its corners lie apart: 1 only where both the protocol and the data say so.

    Where a reader has added the 1 already, the data set's corners are continuous: it is never added twice.
    """
    return 1.0 if protocol.pixels == "inclusive" and corner_convention == "inclusive" else 0.0


IGNORED = {"crowd": ("crowd",), "honour": ("crowd", "ignore"), "difficult": ("crowd", "difficult")}
"""Flags of objects that need not be found, by the protocol's `ignore_flag`."""
