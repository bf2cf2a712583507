"""What is converted: images, labels, and rows that come a batch at a time."""

from __future__ import annotations

from array import array

from boxscore.io.flat import aligned
from boxscore.io.shards.columns import Rows
from boxscore.io.shards.rows import Images
from boxscore.model.labels import LabelSet
from boxscore.model.tables import Dataset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Protocol

    import numpy as np

    from boxscore import _kernel
    from boxscore.model.labels import Id
    from boxscore.model.notes import Note

    class Source(Protocol):
        """Rows in the order of their file; what they mean and what is to be said of them is known once all were read.

        `images` are all images in canonical order, `labels` those that ground truth declares (of predictions: those of
        their ground truth), `name` is what notes call the source.
        """

        name: str
        images: Images
        labels: list[tuple[Id, str]]
        corner_convention: str

        def rows(self) -> Iterator[Rows]:
            """All rows, once. Raises InputError for rows that can't be read."""

        def settle(self) -> tuple[list[str | None], list[Note]]:
            """The name of each label number that rows have (None: those rows are left out), and notes.

            Raises InputError for what the reading doesn't let pass.
            """


def label_pairs(labels: LabelSet) -> list[tuple[Id, str]]:
    """Ids and names in order."""
    return list(zip(labels.ids, labels.names, strict=True))


def images_of(dataset: Dataset, further: dict[str, list[object]] | None = None) -> Images:
    """The images of a data set."""
    import numpy as np

    table = dataset.images
    sizes = np.full((dataset.num_images, 2), np.nan)
    for at, name in enumerate(("width", "height")):
        sizes[:, at] = [np.nan if value is None else value for value in table.column(name).to_list()]
    names, groups = ([_text(value) for value in table.column(name).to_list()] for name in ("file_name", "group"))
    known = any(group is not None for group in groups)
    return Images(dataset.image_ids, names, sizes, groups if known else None, further or {})


def without_objects(images: Images, labels: LabelSet, source: str, corner_convention: str) -> Dataset:
    """A data set of images and labels alone, as predictions are read against it."""
    from boxscore import _kernel
    from boxscore.io.arrays import column

    nothing = array("I"), array("I"), array("d")
    image, label, boxes = (aligned(values, values.typecode) for values in nothing)
    kernel, _ = _kernel.dataset_from_columns(
        images.ids, image, label, boxes, file_names=images.file_names, sizes=column(images.sizes, "float64")
    )
    return Dataset(kernel, labels, source=source, corner_convention=corner_convention)


def object_rows(kernel: _kernel.Dataset, further: Mapping[str, Sequence[object]] | None = None) -> Rows:
    """The objects of a table in the order of their file; values of `further` columns are by its rows."""
    import numpy as np
    import polars as pl

    table = pl.DataFrame(kernel.ground_truth)
    order = np.argsort(table["source_row"].to_numpy(), kind="stable")
    table = table[order]
    ids = table["source_id"]
    rows = Rows(
        image=table["image"].to_numpy(),
        label=table["label"].to_numpy(),
        boxes=table.select("x", "y", "w", "h").to_numpy(),
        area=table["area"].to_numpy(),
        flags={name: table[name].to_numpy() for name in ("crowd", "ignore", "difficult", "group_of")},
        source_id=None if ids.null_count() == len(ids) else ids.cast(pl.String).to_list(),
    )
    stated = table["source_row"].to_list()
    rows.further = {name: [values[row] for row in stated] for name, values in (further or {}).items()}
    return rows


def detection_rows(kernel: _kernel.Detections) -> Rows:
    """The detections of a table in the order of their file."""
    import numpy as np
    import polars as pl

    table = pl.DataFrame(kernel.table)
    table = table[np.argsort(table["source_row"].to_numpy(), kind="stable")]
    return Rows(
        image=table["image"].to_numpy(),
        label=table["label"].to_numpy(),
        boxes=table.select("x", "y", "w", "h").to_numpy(),
        scores=table["score"].to_numpy(),
    )


def _text(value: Any) -> str | None:  # noqa: ANN401  of a column
    return None if value is None else str(value)


def placed(rows: Rows, kernel: _kernel.Dataset, positions: Mapping[Id, int]) -> Rows:
    """The rows of some images with the positions of these among all."""
    import numpy as np

    own = [positions[value] for value in kernel.image_ids]
    rows.image = np.array(own or [0], dtype=np.uint32)[rows.image]
    return rows


def positions_of(images: Images) -> dict[Id, int]:
    """Position of each image id."""
    return {value: place for place, value in enumerate(images.ids)}


def rows_in(rows: Rows) -> np.ndarray[Any, np.dtype[Any]]:
    """The positions of the images that rows speak of."""
    import numpy as np

    return np.unique(rows.image)
