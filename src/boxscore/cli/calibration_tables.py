"""Calibration for people: the curve over all images, then the errors by slice and label."""

from __future__ import annotations

from boxscore.cli.tables import aligned, figure
from boxscore.model.measure import threshold_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def calibration(found: Mapping[str, Any], *, per_label: bool = False) -> list[str]:
    """All tables of `pipeline.sliced_calibration.calibration`."""
    curves = found["curves"]
    whole = curves[0]
    lines = [f"Calibration at IoU {threshold_text(found['iou'])}: detections by confidence, {found['bins']} bins"]
    body = [
        [
            f"{one['low']:.3g}..{one['high']:.3g}",
            str(one["detections"]),
            figure(one["confidence"]),
            figure(one["precision"]),
            "" if one["precision"] is None else f"{one['precision'] - one['confidence']:+.3f}",
        ]
        for one in whole["bins"]
    ]
    lines += aligned(["confidence", "detections", "mean confidence", "precision", "difference"], body)
    shown = [one for one in curves if one["label"] is None or (per_label and one["detections"])]
    rows = [
        [
            one["slice"] or "all images",
            one["label"] or "all",
            str(one["detections"]),
            figure(one["ece"]),
            figure(one["mce"]),
        ]
        for one in shown
    ]
    lines += ["", *aligned(["slice", "label", "detections", "expected error", "maximum error"], rows)]
    reasons = list(dict.fromkeys(one["reason"] for one in shown if one["reason"]))
    return [*lines, *(f"n/a: {reason}" for reason in reasons)]
