"""Figures and measures in words, one way everywhere in a report."""

from __future__ import annotations

from boxscore.model.measure import Measure, threshold_text
from boxscore.model.notes import counted
from boxscore.model.protocol_checks import NO_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.model.protocol import Protocol

UNDEFINED = "n/a"


def figure(value: float | None) -> str:
    """Three places; n/a where there is none."""
    return UNDEFINED if value is None else f"{value:.3f}"


def signed(value: float | None) -> str:
    """Three places with the sign, a true minus among them."""
    return UNDEFINED if value is None else f"{value:+.3f}".replace("-", "−")


def span(low: float, high: float) -> str:
    """An interval."""
    return f"{low:.3f}–{high:.3f}" if low >= 0 else f"{signed(low)} to {signed(high)}"


def percent(share: float | None) -> str:
    """One place of a percentage."""
    return UNDEFINED if share is None else f"{100 * share:.1f} %"


def confidence_text(value: float) -> str:
    """A confidence as one would type it."""
    return f"{value:.9g}"


def measure_words(measure: Measure, protocol: Protocol) -> str:
    """What a measure is taken over: `IoU 0.50:0.95, small objects, 100 detections an image and label`."""
    parts = [] if measure.kind in ("objects", "detections", "images") else [f"IoU {_thresholds(measure, protocol)}"]
    if measure.area is not None:
        parts.append(f"{measure.area} objects")
    if measure.conf is not None:
        parts.append(f"confidence {measure.conf}")
    if measure.average is not None:
        parts.append("mean over labels")
    if not measure.at_point:
        limit = measure.max_detections or protocol.max_detections[-1]
        parts.append("all detections" if limit == NO_LIMIT else f"at most {counted(limit, 'detection')}")
    return ", ".join(parts)


def _thresholds(measure: Measure, protocol: Protocol) -> str:
    thresholds = protocol.iou_thresholds
    if measure.iou is not None:
        return threshold_text(measure.iou)
    if len(thresholds) == 1:
        return threshold_text(thresholds[0])
    return f"{thresholds[0]:.2f}–{thresholds[-1]:.2f}"
