"""Overlap of two boxes, `[x, y, w, h]` in pixels with continuous coordinates."""

from collections.abc import Sequence


def overlap(detection: Sequence[float], ground_truth: Sequence[float], crowd: bool = False) -> float:
    """Intersection over union; for a crowd, intersection over the area of the detection.

    The union is summed as (detection + ground truth) - intersection: another order gives other last bits.
    """
    dx, dy, dw, dh = detection
    gx, gy, gw, gh = ground_truth
    width = min(dx + dw, gx + gw) - max(dx, gx)
    height = min(dy + dh, gy + gh) - max(dy, gy)
    if width <= 0 or height <= 0:
        return 0.0
    intersection = width * height
    if crowd:
        return intersection / (dw * dh)
    return intersection / (dw * dh + gw * gh - intersection)
