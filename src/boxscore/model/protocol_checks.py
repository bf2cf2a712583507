"""What makes a protocol valid, apart from the types of its file."""

from __future__ import annotations

from boxscore.errors import ProtocolError

MOST_CELLS = 64
"""Area ranges x IoU thresholds: the kernel keeps one bit a cell."""

NO_LIMIT = 2**32 - 1
"""The largest detection limit that a protocol may state: more detections than an image and label can have."""

INTERPOLATIONS = {"101-point": 101, "11-point": 11, "every-point": 101}
"""Recall points of each integration; every-point sums need none, but curves are drawn at 101 all the same."""

CHOICES = {
    "rule": ("coco", "voc", "greedy"),
    "pixels": ("continuous", "inclusive"),
    "interpolation": tuple(INTERPOLATIONS),
    "ignore_flag": ("crowd", "honour", "difficult"),
    "object_area": ("field", "box"),
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.model.protocol import Protocol


def check(protocol: Protocol) -> None:
    """Raise ProtocolError, naming the field, unless every field makes sense by itself and with the others."""
    _check_choices(protocol)
    _check_thresholds(protocol)
    _check_limits(protocol)
    _check_areas(protocol)
    _check_cells(protocol)
    _check_point(protocol)
    for measure in protocol.headline:
        if not protocol.gives(measure):
            _refuse(protocol, "headline", f"{measure} is not among its thresholds, area ranges and limits")


def _refuse(protocol: Protocol, field: str, problem: str) -> None:
    raise ProtocolError(f"protocol {protocol.name}: {field}: {problem}")


def _check_choices(protocol: Protocol) -> None:
    for field, allowed in CHOICES.items():
        value = getattr(protocol, field)
        if value not in allowed:
            _refuse(protocol, field, f"{value!r} is not known; known are {', '.join(allowed)}")


def _check_thresholds(protocol: Protocol) -> None:
    thresholds = protocol.iou_thresholds
    if not thresholds:
        _refuse(protocol, "iou_thresholds", "at least one is needed")
    for threshold in thresholds:
        if not 0.0 < threshold <= 1.0:
            _refuse(protocol, "iou_thresholds", f"{threshold!r} is outside (0, 1]")
    if not _ascend(thresholds):
        _refuse(protocol, "iou_thresholds", "they must ascend, each given once")


def _check_limits(protocol: Protocol) -> None:
    limits = protocol.max_detections
    if not limits:
        _refuse(protocol, "max_detections", "at least one is needed")
    for limit in limits:
        if not 1 <= limit <= NO_LIMIT:
            _refuse(protocol, "max_detections", f"{limit} is not a number of detections from 1 on")
    if not _ascend(limits):
        _refuse(protocol, "max_detections", "they must ascend, each given once")


def _ascend(values: Sequence[float]) -> bool:
    return list(values) == sorted(set(values))


def _check_areas(protocol: Protocol) -> None:
    if not protocol.area_ranges:
        _refuse(protocol, "area_ranges", "at least one is needed")
    if len({name for name, _, _ in protocol.area_ranges}) < len(protocol.area_ranges):
        _refuse(protocol, "area_ranges", "each name may be given once")
    for name, least, most in protocol.area_ranges:
        if not name or not name.replace("-", "").replace("_", "").isalnum():
            _refuse(protocol, "area_ranges", f"name {name!r} must be made of letters, digits, - and _")
        if not 0.0 <= least <= most < float("inf"):
            _refuse(protocol, "area_ranges", f"{name} runs from {least!r} to {most!r}; give finite ends, like 1e10")


def _check_point(protocol: Protocol) -> None:
    confidence, support = protocol.confidence, protocol.least_support
    if confidence is not None and not abs(confidence) < float("inf"):
        _refuse(protocol, "confidence", f"{confidence!r} is not finite")
    if support is not None and support < 0:
        _refuse(protocol, "least_support", f"{support} is not a number of objects")


def _check_cells(protocol: Protocol) -> None:
    ranges, thresholds = len(protocol.area_ranges), len(protocol.iou_thresholds)
    if ranges * thresholds > MOST_CELLS:
        raise ProtocolError(
            f"protocol {protocol.name} has {ranges} area_ranges x {thresholds} iou_thresholds = "
            f"{ranges * thresholds} cells; at most {MOST_CELLS} fit: use fewer of either"
        )
