"""A data set with other labels: numbers mapped, rows of dropped labels left out, everything else as it was."""

from __future__ import annotations

from boxscore.model.tables import Dataset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np

    from boxscore import _kernel
    from boxscore.model.labels import LabelSet

    Array = np.ndarray[Any, np.dtype[Any]]


def relabelled(dataset: Dataset, numbers: Sequence[int], labels: LabelSet, declared: LabelSet) -> Dataset:
    """The data set with label `i` as label `numbers[i]` of `labels` (-1: its objects are left out).

    `source_row` counts the objects that are left, in file order.
    """
    import numpy as np

    table = dataset.ground_truth
    mapped = np.asarray(numbers, dtype=np.int64)[array(table, "label").astype(np.int64)]
    boxes = np.stack([array(table, name) for name in ("x", "y", "w", "h")], axis=1)
    return _rebuilt(dataset, mapped, boxes, labels, declared)[0]


def with_boxes(dataset: Dataset, boxes: Array) -> tuple[Dataset, list[_kernel.Finding]]:
    """The data set with other boxes, (objects, 4) as x, y, w, h in pixels, in the order of its table.

    Areas are those of the new boxes. Also what the kernel found about them.
    """
    import numpy as np

    label = array(dataset.ground_truth, "label").astype(np.int64)
    return _rebuilt(dataset, label, boxes, dataset.labels, dataset.declared, area_from_box=True)


def _rebuilt(
    dataset: Dataset, label: Array, boxes: Array, labels: LabelSet, declared: LabelSet, *, area_from_box: bool = False
) -> tuple[Dataset, list[_kernel.Finding]]:
    """The data set with a label (-1: left out) and a box for each object, in the order of its table."""
    import numpy as np

    from boxscore import _kernel

    table, images = dataset.ground_truth, dataset.images
    order = np.argsort(array(table, "source_row"), kind="stable")
    rows = order[label[order] >= 0]
    flags = {
        name: np.ascontiguousarray(_flags(table, name)[rows]) for name in ("crowd", "ignore", "difficult", "group_of")
    }
    kernel, findings = _kernel.dataset_from_columns(
        dataset.image_ids,
        _column(array(table, "image")[rows], "uint32"),
        _column(label[rows], "uint32"),
        _column(boxes[rows], "float64"),
        area=None if area_from_box else _column(array(table, "area")[rows], "float64"),
        file_names=[None if name is None else str(name) for name in images.column("file_name").to_list()],
        sizes=_column(image_sizes(dataset), "float64"),
        **{name: _column(values, "uint8") for name, values in flags.items()},
    )
    groups = images.column("group").to_list()
    if any(group is not None for group in groups):
        kernel = kernel.with_groups([None if group is None else str(group) for group in groups])
    other = dataset.with_kernel(kernel, labels)
    other.declared = declared
    stated = array(table, "source_row")[rows].tolist()
    other.attributes = {name: [values[row] for row in stated] for name, values in dataset.attributes.items()}
    return other, findings


def image_sizes(dataset: Dataset) -> Array:
    """Width and height of each image, (images, 2); NaN where they are not known."""
    import numpy as np

    columns = [dataset.images.column(name).to_list() for name in ("width", "height")]
    known = [[np.nan if value is None else float(value) for value in column] for column in columns]
    return np.array(known, dtype=np.float64).T.reshape(-1, 2)


def array(table: _kernel.Table, name: str) -> Array:
    """A numeric column as an array."""
    import numpy as np

    column: Any = table.column(name)
    return np.asarray(column)


def _flags(table: _kernel.Table, name: str) -> Array:
    import numpy as np

    return np.array(table.column(name).to_list(), dtype=np.float64) > 0


def _column(values: Array, kind: str) -> Any:  # noqa: ANN401  the stub's Buffer, which NumPy's types miss before 3.12
    import numpy as np

    return np.ascontiguousarray(values, dtype=kind)
