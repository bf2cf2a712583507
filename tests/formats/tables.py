"""Tables as plain rows, to compare what was written with what is read back, and data sets made from such rows."""

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from boxscore import _kernel
from boxscore.io import image_names, table_rows
from boxscore.io.flat import aligned
from boxscore.model.labels import LabelSet
from boxscore.model.tables import Dataset, Predictions

Box = tuple[float, float, float, float]
Row = tuple[Any, ...]


@dataclass
class Plan:
    """What a data set and its detections are made from: rows by position of image and label."""

    image_ids: list[int | str]
    file_names: list[str | None]
    sizes: list[tuple[float, float]]
    labels: list[str]
    objects: list[tuple[int, int, Box, frozenset[str]]]
    detections: list[tuple[int, int, Box, float]]
    attributes: dict[str, list[object]] = field(default_factory=dict)


def dataset_of(plan: Plan, convention: str = "continuous") -> Dataset:
    """The data set of a plan."""
    rows = plan.objects
    flags: dict[str, Any] = {flag: bytearray(flag in row[3] for row in rows) for flag in table_rows.FLAGS}
    kernel, _ = _kernel.dataset_from_columns(
        plan.image_ids,
        array("I", [row[0] for row in rows]),
        array("I", [row[1] for row in rows]),
        array("d", [value for row in rows for value in row[2]]),
        file_names=plan.file_names,
        sizes=array("d", [side for size in plan.sizes for side in size]),
        **flags,
    )
    labels = LabelSet.from_names(plan.labels)
    return Dataset(kernel, labels, corner_convention=convention, attributes=plan.attributes)


def predictions_of(plan: Plan, dataset: Dataset) -> Predictions:
    """The detections of a plan over its data set."""
    rows = plan.detections
    kernel, _ = _kernel.detections_from_columns(
        dataset.kernel,
        plan.image_ids,
        aligned(array("I", [row[0] for row in rows]), "I"),
        aligned(array("I", [row[1] for row in rows]), "I"),
        aligned(array("d", [value for row in rows for value in row[2]]), "d"),
        aligned(array("d", [row[3] for row in rows]), "d"),
    )
    return Predictions(kernel, dataset)


def images_of(dataset: Dataset, fields: Sequence[str] = ()) -> list[Row]:
    """Images by name, with these columns."""
    columns = [dataset.images.column(name).to_list() for name in fields]
    return sorted(zip(image_names.stems_of(dataset), *columns, strict=True), key=str)


def objects_of(dataset: Dataset, flags: Collection[str] = (), attributes: Collection[str] = ()) -> list[Row]:
    """Objects with the image's and label's name, box, and these flags and attributes, in no order."""
    names = image_names.stems_of(dataset)
    return sorted(
        (
            names[row.image],
            row.label,
            row.box,
            tuple(flag for flag in row.flags if flag in flags),
            tuple((name, row.attributes.get(name)) for name in attributes),
        )
        for row in table_rows.objects_of(dataset)
    )


def detections_of(predictions: Predictions) -> list[Row]:
    """Detections with the image's and label's name, box and score, in no order."""
    names = image_names.stems_of(predictions.dataset)
    return sorted((names[row.image], row.label, row.box, row.score) for row in table_rows.detections_of(predictions))
