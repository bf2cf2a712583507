"""What scorers do differently, each switched alone in boxscore, with its effect on the figures."""

from __future__ import annotations

from boxscore.drift import altered, number_formats
from boxscore.drift.process import FIGURES
from boxscore.model.measure import Measure
from boxscore.model.protocol import Protocol
from boxscore.model.protocol_checks import NO_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from boxscore.model.tables import Predictions
    from boxscore.pipeline.run import Run

    Figures = dict[str, float | None]


class Switched:
    """One thing switched: `switch` (what is in question), `setting` (how it is set), the figures then, and `reason`,
    which says why nothing could change, where that is plain from the data.
    """

    __slots__ = ("figures", "reason", "setting", "switch")

    def __init__(self, switch: str, setting: str, figures: Figures, reason: str | None = None) -> None:
        self.switch = switch
        self.setting = setting
        self.figures = figures
        self.reason = reason

    def effect(self, measure: str, plain: Figures) -> float | None:
        """How much the switch moves a figure; None where one of the two does not exist."""
        before, after = plain.get(measure), self.figures.get(measure)
        return None if before is None or after is None else after - before

    def to_dict(self, plain: Figures) -> dict[str, Any]:
        """All of it, ready for JSON."""
        effects = {measure: self.effect(measure, plain) for measure in self.figures}
        return {
            "switch": self.switch,
            "setting": self.setting,
            "figures": self.figures,
            "effects": effects,
            "reason": self.reason,
        }


def figures_of(run: Run) -> Figures:
    """COCO's twelve figures of a run, at its largest detection limit."""
    return {name: run.value(name) for name in FIGURES}


def switched(run: Run) -> list[Switched]:
    """Every switch, alone, on a run that still has its data."""
    predictions, protocol = run.predictions, run.protocol
    if predictions is None:
        return []
    workers = run.threads
    return [
        *_of_crowds(predictions, protocol, workers),
        *_of_protocol(predictions, protocol, workers),
        *_of_absent_labels(run),
        _of_background(predictions, protocol, workers),
        _of_image_order(predictions, protocol, workers),
        *_of_rounding(predictions, protocol, workers),
    ]


def changed(protocol: Protocol, **fields: object) -> Protocol:
    """The protocol with other fields."""
    slots = (slot for slot in Protocol.__slots__ if not slot.startswith("_"))
    known: dict[str, Any] = {slot: getattr(protocol, slot) for slot in slots}
    known |= {"headline": ["AP"], **fields, "modified": (*protocol.modified, *fields)}
    return Protocol(**known)


def _of_crowds(predictions: Predictions, protocol: Protocol, workers: int) -> Iterator[Switched]:
    crowds = bool(altered.flags(predictions.dataset, "crowd").any())
    reason = None if crowds else "there are no crowds here"
    ways: dict[str, Callable[[Predictions], Predictions]] = {
        "flag dropped: crowds are ordinary objects": altered.without_crowd_flags,
        "crowds left out altogether": altered.without_crowds,
    }
    for setting, alter in ways.items():
        yield Switched("crowd", setting, _evaluated(alter(predictions), protocol, workers), reason)


def _of_protocol(predictions: Predictions, protocol: Protocol, workers: int) -> Iterator[Switched]:
    other_area = "box" if protocol.object_area == "field" else "field"
    area = {"box": "width x height of the box", "field": "the area field"}[other_area]
    yield Switched("area", area, _evaluated(predictions, changed(protocol, object_area=other_area), workers))
    limits = (*protocol.max_detections[:-1], NO_LIMIT)
    reason = None if _over_limit(predictions, protocol.max_detections[-1]) else "no image and label has more"
    unlimited = changed(protocol, max_detections=limits)
    yield Switched("detection limit", "none", _evaluated(predictions, unlimited, workers), reason)
    for interpolation in ("11-point", "every-point"):
        other = changed(protocol, interpolation=interpolation)
        yield Switched("interpolation", interpolation, _evaluated(predictions, other, workers))
    larger = altered.with_pixels_counted(predictions)
    yield Switched("pixels", "inclusive: widths and heights 1 larger", _evaluated(larger, protocol, workers))


def _of_absent_labels(run: Run) -> Iterator[Switched]:
    """A label without objects counts 0 in the mean, instead of being left out of it."""
    figures, protocol = run.figures(), run.protocol
    counts = run.detections_by_label()
    every = range(len(run.labels))
    detected = [label for label in every if counts[label] or figures.objects(label)]
    for setting, among in (("counted as 0", every), ("counted as 0 where detected", detected)):
        found: Figures = {}
        for name in FIGURES:
            area = protocol.area_index(Measure.parse(name).area)
            present = sum(figures.objects(label, area) > 0 for label in every)
            value = run.value(name)
            if value is not None and present < len(among):
                value = value * present / len(among)
            found[name] = value
        absent = any(not figures.objects(label) for label in among)
        yield Switched("absent labels", setting, found, None if absent else "all labels have objects")


def _of_background(predictions: Predictions, protocol: Protocol, workers: int) -> Switched:
    reason = None if altered.background(predictions).any() else "no detection lies on an image without objects"
    figures = _evaluated(altered.without_background(predictions), protocol, workers)
    return Switched("background images", "left out", figures, reason)


def _of_image_order(predictions: Predictions, protocol: Protocol, workers: int) -> Switched:
    place = altered.file_order(predictions.dataset)
    by_id = bool((place == sorted(place)).all())
    figures = _evaluated(altered.with_images_in_file_order(predictions), protocol, workers)
    reason = "the file lists its images by id" if by_id else None
    return Switched("ties across images", "by the order of the file, not by id", figures, reason)


def _of_rounding(predictions: Predictions, protocol: Protocol, workers: int) -> Iterator[Switched]:
    ways: dict[str, Callable[[Predictions], Predictions]] = {
        "sizes from corners": lambda given: altered.through_corners(given, "float64"),
        "sizes from corners, in single precision": lambda given: altered.through_corners(given, "float32"),
        "boxes and scores in single precision": altered.in_single_precision,
    }
    for setting, alter in ways.items():
        yield Switched("rounding", setting, _evaluated(alter(predictions), protocol, workers))
    points = protocol.recall_points
    equal = number_formats.figures(predictions, protocol, FIGURES, number_formats.reached(points), workers)
    yield Switched("rounding", "a recall equal to a recall point reaches it", equal)
    single = changed(protocol, **number_formats.thresholds(protocol))
    spaced = number_formats.evenly_spaced(points[0], points[-1], len(points))
    figures = number_formats.figures(predictions, single, FIGURES, spaced, workers)
    yield Switched("rounding", "IoU thresholds and recall points in single precision", figures)


def _evaluated(predictions: Predictions, protocol: Protocol, workers: int) -> Figures:
    from boxscore.pipeline.evaluate import finish

    return figures_of(finish(predictions, protocol, threads=workers))


def _over_limit(predictions: Predictions, limit: int) -> bool:
    import numpy as np

    from boxscore.io.relabel import array

    columns = [array(predictions.table, name).astype(np.int64) for name in ("image", "label")]
    together = columns[0] * max(len(predictions.dataset.labels), 1) + columns[1]
    return bool(np.unique(together, return_counts=True)[1].max(initial=0) > limit)
