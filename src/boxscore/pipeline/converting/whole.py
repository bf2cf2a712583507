"""Forms whose reader takes them whole, and sharded data, as sources."""

from __future__ import annotations

from boxscore.io.findings import notes_of
from boxscore.io.places import Places
from boxscore.io.shards import batches
from boxscore.io.shards.columns import Rows
from boxscore.io.shards.layout import SOURCE_ID
from boxscore.io.shards.unknown import unknown_images
from boxscore.pipeline.converting.noticed import Gathered
from boxscore.pipeline.converting.sources import detection_rows, images_of, label_pairs, object_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.io.shards.layout import Shards
    from boxscore.io.shards.rows import Boxes
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions


class WholeTruth:
    """Ground truth that was read. See `sources.Source`."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self.name = dataset.source or "the ground truth"
        self.images = images_of(dataset)
        self.labels = label_pairs(dataset.labels)
        self.corner_convention = dataset.corner_convention

    def rows(self) -> Iterator[Rows]:
        """All objects at once."""
        yield object_rows(self._dataset.kernel, self._dataset.attributes)

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        return [*self._dataset.labels.names], self._dataset.notes


class WholePredictions:
    """Predictions that were read. See `sources.Source`."""

    def __init__(self, predictions: Predictions) -> None:
        self._predictions = predictions
        self.name = predictions.source or "the predictions"
        self.images = images_of(predictions.dataset)
        self.labels = label_pairs(predictions.dataset.labels)
        self.corner_convention = predictions.dataset.corner_convention

    def rows(self) -> Iterator[Rows]:
        """All detections at once."""
        yield detection_rows(self._predictions.kernel)

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        return [*self._predictions.dataset.labels.names], self._predictions.notes


class ShardTruth:
    """Sharded ground truth, to be cut another way or sorted by image. See `sources.Source`."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards
        self.name = shards.name
        self.labels = list(shards.labels or ())
        self.images = batches.all_images(shards)
        self.corner_convention = shards.corner_convention
        self._names: dict[str, int] = {}

    def rows(self) -> Iterator[Rows]:
        """Objects part by part."""
        for boxes in batches.objects(self._shards, self.images.ids):
            yield _rows(boxes, self._names)

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        return [*self._names], []


class ShardPredictions:
    """Sharded predictions, likewise; their images are those of a data set."""

    def __init__(self, shards: Shards, dataset: Dataset, reading: Reading) -> None:
        self._shards, self._dataset, self._reading = shards, dataset, reading
        self.name = shards.name
        self.images = images_of(dataset)
        self.labels = label_pairs(dataset.declared)
        self.corner_convention = dataset.corner_convention
        self._names: dict[str, int] = {}
        self._read = 0

    def rows(self) -> Iterator[Rows]:
        """Detections part by part."""
        for boxes in batches.detections(self._shards, self.images.ids):
            self._read += len(boxes.image)
            yield _rows(boxes, self._names)

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        notes: list[Note] = []
        if self._read < self._shards.rows:
            notes += self._of_unknown_images()
        return [*self._names], notes

    def _of_unknown_images(self) -> list[Note]:
        found = unknown_images(self._shards, set(self.images.ids))
        if found.first is None:
            return []
        value = str(found.first.image_id)
        finding: Any = Gathered("unknown-image", found.rows, 0, None, "image_id", value, float(found.images))
        place, images_in = _Named(self.name, found.first.words), self._dataset.source or ""
        return notes_of([finding], place, self._reading, images_in, background=False)


class _Named(Places):
    """One row, whose place is known in words."""

    __slots__ = ("_words",)

    def __init__(self, name: str, words: str) -> None:
        super().__init__(name)
        self._words = words

    def row(self, row: int) -> str:  # noqa: ARG002  there is one
        """The row with its file's name."""
        return self._words

    def first(self, row: int) -> str:  # noqa: ARG002  likewise
        """The row inside a sentence."""
        return f"first {self._words}"


def _rows(boxes: Boxes, names: dict[str, int]) -> Rows:
    """Rows of a part, whose labels are numbered over all parts."""
    import numpy as np

    further = {name: values.tolist() for name, values in boxes.further.items()}
    numbers = [names.setdefault(name, len(names)) for name in boxes.label_names]
    return Rows(
        image=boxes.image,
        label=np.array(numbers or [0], dtype=np.uint32)[boxes.label],
        boxes=boxes.boxes,
        scores=boxes.scores,
        area=boxes.area,
        flags={name: values.astype(bool) for name, values in boxes.flags.items()},
        source_id=further.pop(SOURCE_ID, None),
        further=further,
    )
