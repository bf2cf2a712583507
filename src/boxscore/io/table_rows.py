"""Rows of the tables for writers, as they stood in the file: names in place of numbers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.model.tables import Dataset, Predictions

    Box = tuple[float, float, float, float]

FLAGS = ("crowd", "ignore", "difficult", "group_of")


class Object:
    """One object: its image's row, label, box (x, y, w, h), area, the flags that are set, attributes by name."""

    __slots__ = ("area", "attributes", "box", "flags", "image", "label")

    def __init__(
        self, image: int, label: str, box: Box, area: float, flags: tuple[str, ...], attributes: dict[str, object]
    ) -> None:
        self.image = image
        self.label = label
        self.box = box
        self.area = area
        self.flags = flags
        self.attributes = attributes


class Found:
    """One detection: its image's row, label, box (x, y, w, h), score."""

    __slots__ = ("box", "image", "label", "score")

    def __init__(self, image: int, label: str, box: Box, score: float) -> None:
        self.image = image
        self.label = label
        self.box = box
        self.score = score


def objects_of(dataset: Dataset) -> Iterator[Object]:
    """Objects by image; those of an image in the order of the file they came from."""
    table, names = dataset.ground_truth, dataset.labels.names
    columns = {name: table.column(name).to_list() for name in ("image", "label", "x", "y", "w", "h", "area", *FLAGS)}
    source = table.column("source_row").to_list()
    order = sorted(range(table.num_rows), key=lambda row: (columns["image"][row], source[row]))
    for row in order:
        at = source[row]
        yield Object(
            int(columns["image"][row] or 0),
            names[int(columns["label"][row] or 0)],
            _box(columns, row),
            _number(columns["area"][row]),
            tuple(flag for flag in FLAGS if columns[flag][row]),
            {name: values[int(at)] for name, values in dataset.attributes.items()} if at is not None else {},
        )


def objects_by_image(dataset: Dataset) -> dict[int, list[Object]]:
    """The same, a list an image (by row) that has any."""
    grouped: dict[int, list[Object]] = {}
    for row in objects_of(dataset):
        grouped.setdefault(row.image, []).append(row)
    return grouped


def detections_of(predictions: Predictions) -> Iterator[Found]:
    """Detections in the order of the file they came from."""
    table, names = predictions.table, predictions.dataset.labels.names
    columns = {name: table.column(name).to_list() for name in ("image", "label", "x", "y", "w", "h", "score")}
    source: list[Any] = table.column("source_row").to_list()
    for row in sorted(range(table.num_rows), key=source.__getitem__):
        label = names[int(columns["label"][row] or 0)]
        yield Found(int(columns["image"][row] or 0), label, _box(columns, row), _number(columns["score"][row]))


def _box(columns: dict[str, list[int | float | str | bool | None]], row: int) -> Box:
    return tuple(_number(columns[name][row]) for name in ("x", "y", "w", "h"))  # type: ignore[return-value]  # of four


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")
