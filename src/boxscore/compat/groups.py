"""Rows of the kernel's tables by image and category: what pycocotools looks at, one after the other."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.compat.evaluation import Evaluation
from boxscore.compat.ids import shown_id

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


class Groups:
    """Each image's and category's ground truth (file order) and detections (best first, up to the largest limit).

    `objects` and `detections` say which rows of the columns (of the COCO objects) the rows here are; `kept` which rows
    of the kernel's detections take part. Iterating gives image, label, and two slices of these arrays.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self.settings = evaluation.settings
        self._ids = evaluation.objects.ids, evaluation.detections.ids
        truth, found = evaluation.dataset.ground_truth, evaluation.found.table
        self._object_keys = self._keys(truth)
        keys = self._keys(found)
        # Rank inside the group: the distance to where it begins.
        rank = np.arange(len(keys)) - np.searchsorted(keys, keys)
        self.kept: Rows = np.flatnonzero(rank < self.settings.limits[-1])
        self._detection_keys = keys[self.kept]
        self.objects: Rows = np.asarray(truth.column("source_row")).astype(np.int64)
        self.detections: Rows = np.asarray(found.column("source_row"))[self.kept].astype(np.int64)

    def _keys(self, table: Any) -> Rows:
        image, label = (np.asarray(table.column(name)).astype(np.int64) for name in ("image", "label"))
        keys: Rows = image * len(self.settings.labels) + label
        return keys

    @cached_property
    def shown(self) -> tuple[Floats, Floats]:
        """Ids of ground truth and of detections, as arrays of floats show them."""
        objects, detections = self._ids
        return (
            np.array([shown_id(objects[row]) for row in self.objects.tolist()], dtype=np.float64),
            np.array([shown_id(detections[row]) for row in self.detections.tolist()], dtype=np.float64),
        )

    @property
    def object_keys(self) -> Rows:
        """A number for the group of each ground truth, ascending."""
        return self._object_keys

    def __iter__(self) -> Iterator[tuple[int, int, slice, slice]]:
        keys = np.union1d(self._object_keys, self._detection_keys)
        spans = [
            np.searchsorted(own, keys, side=side).tolist()
            for own in (self._object_keys, self._detection_keys)
            for side in ("left", "right")
        ]
        for key, *edges in zip(keys.tolist(), *spans, strict=True):
            image, label = divmod(key, len(self.settings.labels))
            yield image, label, slice(edges[0], edges[1]), slice(edges[2], edges[3])
