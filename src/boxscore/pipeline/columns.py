"""Per-image arrays as flat columns that can be cut by image."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import arrays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np

    from boxscore.io.arrays import Images, Rows
    from boxscore.model.labels import LabelSet
    from boxscore.model.reading import Reading

    Array = np.ndarray[Any, np.dtype[Any]]

_MOST_LABELS = 2**31
"""Label numbers that stand for themselves end here: the kernel's are 32 bits."""


class Columns:
    """Rows of one side of a batch: `image` (position in the batch), `place` in that image's list, label, boxes, more.

    Images ascend. `unknown`, by image, are rows left out for their label: place and label as given.
    """

    __slots__ = ("boxes", "fields", "image", "label", "place", "unknown")

    def __init__(
        self,
        image: Array,
        place: Array,
        label: Array,
        boxes: Array,
        fields: dict[str, Array],
        unknown: Mapping[int, list[tuple[int, object]]] | None = None,
    ) -> None:
        self.image = image
        self.place = place
        self.label = label
        self.boxes = boxes
        self.fields = fields
        self.unknown = dict(unknown or {})

    def where(self, kept: Array | slice) -> Columns:
        """The rows that a mask or a slice keeps."""
        fields = {name: values[kept] for name, values in self.fields.items()}
        return Columns(self.image[kept], self.place[kept], self.label[kept], self.boxes[kept], fields)

    def of_images(self, positions: Sequence[int], num_images: int) -> Columns:
        """The rows of some images (ascending), which are numbered anew."""
        import numpy as np

        number = np.full(num_images, -1, dtype=np.int64)
        number[list(positions)] = np.arange(len(positions))
        chosen = self.where(number[self.image] >= 0)
        chosen.image = number[chosen.image]
        chosen.unknown = {int(number[i]): rows for i, rows in self.unknown.items() if number[i] >= 0}
        return chosen

    def of_image(self, position: int) -> Columns:
        """The rows of one image, numbered 0."""
        import numpy as np

        # In the column's own type: else NumPy would convert the whole column for each image.
        bounds = np.array([position, position + 1], dtype=self.image.dtype)
        start, end = np.searchsorted(self.image, bounds).tolist()
        chosen = self.where(slice(start, end))
        chosen.image = np.zeros(end - start, dtype=np.uint32)
        chosen.unknown = {0: self.unknown[position]} if position in self.unknown else {}
        return chosen


def read(images: Images, name: str, labels: LabelSet | None, box_format: str, reading: Reading) -> Columns:
    """Columns of `targets` or `predictions`. Labels None: numbers stand for themselves.

    Raises InputError that names the entry for a wrong shape or a missing field, and for an unknown label unless
    `reading` drops those.
    """
    import numpy as np

    needed, optional = (("labels",), ("iscrowd", "area")) if name == "targets" else (("labels", "scores"), ())
    rows = arrays.Rows(images, name, box_format, needed, optional)
    place = np.arange(len(rows.image)) - np.cumsum([0, *rows.counts])[rows.image]
    fields = {field: values for field, values in rows.columns.items() if field != "labels"}
    if labels is None:
        return Columns(rows.image, place, _own_numbers(rows), rows.boxes, fields)
    if reading.unknown_labels == "error":
        return Columns(rows.image, place, arrays.label_numbers(rows, labels), rows.boxes, fields)
    numbers = _numbers_or_none(rows, labels)
    columns = Columns(rows.image, place, numbers, rows.boxes, fields).where(numbers >= 0)
    for row in np.flatnonzero(numbers < 0).tolist():
        stated = rows.columns["labels"][row].item()
        columns.unknown.setdefault(int(rows.image[row]), []).append((int(place[row]), stated))
    return columns


def number_densely(*sides: Columns) -> list[int]:
    """Number labels by their position among those that occur, which are returned (ascending)."""
    import numpy as np

    occurring = np.unique(np.concatenate([side.label for side in sides]))
    for side in sides:
        side.label = np.searchsorted(occurring, side.label)
    return [int(number) for number in occurring.tolist()]


def _own_numbers(rows: Rows) -> Array:
    import numpy as np

    stated = rows.columns["labels"]
    wrong = np.ones(stated.shape, dtype=bool)
    if stated.dtype.kind in "iuf":
        wrong = (stated != np.floor(stated)) | (stated < 0) | (stated >= _MOST_LABELS)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"{rows.places('box').row(row)}: label {stated[row].item()!r} can't stand for itself: without labels= "
            "they are whole numbers from 0 on; say with labels= what labels there are"
        )
    return stated.astype(np.int64)


def _numbers_or_none(rows: Rows, labels: LabelSet) -> Array:
    """Position in `labels` of each row's label, -1 for one that isn't there."""
    import numpy as np

    values, inverse = np.unique(rows.columns["labels"], return_inverse=True)
    position = {i: n for n, i in enumerate(labels.ids)} | {name: n for n, name in enumerate(labels.names)}
    numbers = np.array([position.get(value, -1) for value in values.tolist()], dtype=np.int64)
    return numbers[inverse.reshape(-1)]
