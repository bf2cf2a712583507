"""The tidy table of a run at an operating point."""

from __future__ import annotations

from boxscore.measures.operating_point import OperatingPoint
from boxscore.measures.table import counts_of, row_of
from boxscore.model.measure import FALSE_PER_IMAGE, SHARES, TALLIES, Measure, at_thresholds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from boxscore.measures.localisation import Overlaps
    from boxscore.model.tables import Matches

    Row = dict[str, Any]

WITH_OBJECTS = "images with objects"
WITHOUT_OBJECTS = "images without objects"
"""Slices: whether anything is to be found in an image."""


def rows(
    matches: Matches,
    labels: Sequence[str],
    *,
    floors: Sequence[float] | None,
    detections: Sequence[int],
    label_agnostic: bool = False,
    overlaps: Callable[[int], Overlaps] | None = None,
) -> list[Row]:
    """Headline and counts over all labels, images with and without objects apart, then the same few for each label.

    `detections` counts all rows a label, those below the floors included; `overlaps` gives those of matches at a cell,
    for a headline that asks for mean IoU.
    """
    point = OperatingPoint(matches, labels, floors=floors, overlaps=overlaps)
    measures = measures_of(matches)
    positions = range(len(labels))
    objects = [counts.objects for counts in point.counts(measures[0])]
    table = list(_overall(point, matches, positions, label_agnostic=label_agnostic))
    table += counts_of(None, sum(objects), sum(detections), point.images)
    table.append(row_of("images", None, "sum", point.images, None, point.images, sum(objects)))
    table += _by_kind_of_image(point, matches, labels, floors)
    if not label_agnostic:
        for position in positions:
            for measure in measures:
                figure = point.figure(measure, [position])
                table.append(row_of(str(measure), labels[position], None, *figure, point.images, objects[position]))
            table += counts_of(labels[position], objects[position], detections[position], point.images)
    return table


def measures_of(matches: Matches) -> list[Measure]:
    """What is given for each label: precision, recall, F-beta (the betas of the headline), counts; by threshold."""
    protocol = matches.protocol
    weighed = dict.fromkeys(measure.kind for measure in protocol.headline if measure.beta is not None)
    kinds = (*SHARES, *(weighed or ("F1",)), *TALLIES)
    measures = [Measure(kind) for kind in kinds]
    several = len(protocol.iou_thresholds) > 1
    return list(at_thresholds(measures, protocol.iou_thresholds)) if several else measures


def _overall(
    point: OperatingPoint, matches: Matches, positions: Sequence[int], *, label_agnostic: bool
) -> Iterator[Row]:
    for measure in dict.fromkeys((*matches.protocol.headline, *measures_of(matches))):
        if measure.at_point:
            average = "label-agnostic" if label_agnostic else _average(measure)
            objects = sum(counts.objects for counts in point.counts(measure.replaced(conf=None, average=None)))
            yield row_of(str(measure), None, average, *point.figure(measure, positions), point.images, objects)


def _average(measure: Measure) -> str:
    if measure.average is not None:
        return measure.average
    return "sum" if measure.kind in TALLIES else "micro"


def _by_kind_of_image(
    point: OperatingPoint, matches: Matches, labels: Sequence[str], floors: Sequence[float] | None
) -> Iterator[Row]:
    measures = measures_of(matches)
    objects = [counts.objects for counts in point.by_image(measures[0])]
    with_objects = [int(count > 0) for count in objects]
    parts = {WITH_OBJECTS: with_objects, WITHOUT_OBJECTS: [1 - one for one in with_objects]}
    several = len(matches.protocol.iou_thresholds) > 1
    false_alarms = [Measure(FALSE_PER_IMAGE)]
    false_alarms = list(at_thresholds(false_alarms, matches.protocol.iou_thresholds)) if several else false_alarms
    for name, images in parts.items():
        part = OperatingPoint(matches, labels, floors=floors, images=images)
        yield row_of("images", None, "sum", part.images, None, part.images, _sum(objects, images)) | {"slice": name}
        for measure in (*measures, *false_alarms):
            figure = part.figure(measure, range(len(labels)))
            row = row_of(str(measure), None, _average(measure), *figure, part.images, _sum(objects, images))
            yield row | {"slice": name}


def _sum(objects: Sequence[int], images: Sequence[int]) -> int:
    return sum(count for count, weight in zip(objects, images, strict=True) if weight)
