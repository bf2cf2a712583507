"""The tidy table of all figures of a run."""

from __future__ import annotations

from boxscore.model.measure import Measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from boxscore.measures.figures import Figures
    from boxscore.model.protocol import Protocol

    Row = dict[str, Any]


def rows(
    figures: Figures,
    protocol: Protocol,
    labels: Sequence[str],
    *,
    detections: Sequence[int],
    images: int,
    label_agnostic: bool = False,
) -> list[Row]:
    """The headline, AP and AR at each threshold, counts, then the same few figures for each label.

    `detections` counts rows a label. With `label_agnostic` there is one nameless label and no row of a single label.
    """
    positions = range(1 if label_agnostic else len(labels))
    objects = [figures.objects(label) for label in positions]
    table = list(_overall(figures, protocol, positions, images, label_agnostic=label_agnostic))
    table += counts_of(None, sum(objects), sum(detections), images)
    table.append(row_of("images", None, "sum", images, None, images, sum(objects)))
    if not label_agnostic:
        for label in positions:
            table += _of_label(figures, protocol, label, labels[label], images)
            table += counts_of(labels[label], objects[label], detections[label], images)
    return table


def _overall(
    figures: Figures, protocol: Protocol, positions: Sequence[int], images: int, *, label_agnostic: bool
) -> Iterator[Row]:
    average = "label-agnostic" if label_agnostic else "macro"
    every = [Measure(kind, iou=iou) for kind in ("AP", "AR") for iou in protocol.iou_thresholds]
    for measure in dict.fromkeys((*protocol.headline, *every)):
        value, reason = figures.figure(measure, positions)
        area = protocol.area_index(measure.area)
        objects = sum(figures.objects(label, area) for label in positions)
        yield row_of(str(measure), None, average, value, reason, images, objects)


def _of_label(figures: Figures, protocol: Protocol, label: int, name: str, images: int) -> Iterator[Row]:
    half = [Measure("AP", iou=0.5)] if protocol.gives(Measure("AP", iou=0.5)) else []
    for measure in (Measure("AP"), *half, Measure("AR")):
        value, reason = figures.figure(measure, [label])
        yield row_of(str(measure), name, None, value, reason, images, figures.objects(label))


def counts_of(label: str | None, objects: int, detections: int, images: int) -> list[Row]:
    """Rows of the counts of a label, or of all (None)."""
    average = "sum" if label is None else None
    return [
        row_of("objects", label, average, objects, None, images, objects),
        row_of("detections", label, average, detections, None, images, objects),
    ]


def row_of(
    measure: str,
    label: str | None,
    average: str | None,
    value: float | None,
    reason: str | None,
    images: int,
    objects: int,
) -> Row:
    """A row of the tidy table, in its order of columns."""
    # All of `COLUMNS`, in order; those of intervals are filled in by whoever makes one.
    return {
        "measure": measure,
        "label": label,
        "slice": None,
        "average": average,
        "value": value,
        "reason": reason,
        "low": None,
        "high": None,
        "mean": None,
        "std_error": None,
        "bias": None,
        "confidence": None,
        "interval": None,
        "interval_reason": None,
        "unit": None,
        "replicates": None,
        "seed": None,
        "images": images,
        "objects": objects,
    }
