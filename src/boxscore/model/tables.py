"""Dataset, Predictions and Matches: a kernel table each, with the names that the kernel doesn't know."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any

    from boxscore import _kernel
    from boxscore.model.labels import Id, LabelSet
    from boxscore.model.notes import Note
    from boxscore.model.protocol import Protocol


class Dataset:
    """Images and ground truth. Boxes are x, y, w, h in pixels of the original image, top-left origin, float64.

    `labels` names label numbers, `declared` also the labels that were left out on request; `source` is the file it
    came from, if any; `notes` say what was seen when it was read; `kernel` holds the columns. `attributes` are further
    columns that the form keeps with its objects, such as `truncated`, by `source_row` (None: not stated). `origin` is
    the COCO file, or its content, of which a second pass may read further fields; `grouped_by` is the field that the
    images' column `group` was made of.
    """

    __slots__ = (
        "attributes",
        "corner_convention",
        "declared",
        "grouped_by",
        "kernel",
        "labels",
        "notes",
        "origin",
        "source",
    )

    def __init__(
        self,
        kernel: _kernel.Dataset,
        labels: LabelSet,
        *,
        declared: LabelSet | None = None,
        source: str | None = None,
        notes: Sequence[Note] = (),
        corner_convention: str = "continuous",
        attributes: Mapping[str, Sequence[object]] | None = None,
        origin: str | PathLike[str] | dict[str, Any] | None = None,
        grouped_by: str | None = None,
    ) -> None:
        self.kernel = kernel
        self.labels = labels
        self.declared = declared or labels
        self.source = source
        self.notes = list(notes)
        self.corner_convention = corner_convention
        self.attributes = dict(attributes or {})
        self.origin = origin
        self.grouped_by = grouped_by

    @property
    def num_images(self) -> int:
        """Number of images, those without objects included."""
        return self.kernel.num_images

    @property
    def num_objects(self) -> int:
        """Number of annotations, crowds included."""
        return self.kernel.num_objects

    @property
    def image_ids(self) -> list[Id]:
        """Ids in canonical order: integers ascending, then text by code point."""
        return self.kernel.image_ids

    @property
    def images(self) -> _kernel.Table:
        """Columns image, image_id, file_name, width, height, group, source_row (Arrow)."""
        return self.kernel.images

    @property
    def ground_truth(self) -> _kernel.Table:
        """Columns image, label, box, area, flags, source_id, source_row (Arrow), by image, label, file order."""
        return self.kernel.ground_truth

    def with_kernel(self, kernel: _kernel.Dataset, labels: LabelSet | None = None) -> Dataset:
        """The same with other columns, and other labels where these are given."""
        return Dataset(
            kernel,
            labels or self.labels,
            declared=labels or self.declared,
            source=self.source,
            notes=self.notes,
            corner_convention=self.corner_convention,
            attributes=self.attributes,
            origin=self.origin,
            grouped_by=self.grouped_by,
        )

    def __repr__(self) -> str:
        return f"<Dataset {self.num_images} images, {self.num_objects} objects, {len(self.labels)} labels>"


class Predictions:
    """Detections over the images of one Dataset, by image, label, descending score, file order.

    `dataset` is the data set they were read against (with the images that it lacked, where these were asked to be
    taken as background). `steps` records what was done to them since they were read, such as
    `{"step": "nms", "iou": 0.5, "before": 20, "after": 17}`, in order.
    """

    __slots__ = ("dataset", "kernel", "notes", "source", "steps")

    def __init__(
        self,
        kernel: _kernel.Detections,
        dataset: Dataset,
        *,
        source: str | None = None,
        notes: Sequence[Note] = (),
        steps: Sequence[dict[str, Any]] = (),
    ) -> None:
        self.kernel = kernel
        self.dataset = dataset
        self.source = source
        self.notes = list(notes)
        self.steps = list(steps)

    @property
    def num_rows(self) -> int:
        """Number of detections."""
        return self.kernel.num_rows

    @property
    def table(self) -> _kernel.Table:
        """Columns image, label, box, score, source_row (Arrow)."""
        return self.kernel.table

    def __repr__(self) -> str:
        return f"<Predictions {self.num_rows} detections over {self.dataset.num_images} images>"


class Matches:
    """What matching found, under the protocol that it was found by. Everything else derives from it.

    A cell is one (area range, IoU threshold) pair; bit `cell(area, iou)` of the columns `matched` and `ignored` tells
    the outcome there.
    """

    __slots__ = ("kernel", "protocol")

    def __init__(self, kernel: _kernel.Matches, protocol: Protocol) -> None:
        self.kernel = kernel
        self.protocol = protocol

    @property
    def num_cells(self) -> int:
        """Number of cells: area ranges times IoU thresholds."""
        return len(self.protocol.area_ranges) * len(self.protocol.iou_thresholds)

    @property
    def num_images(self) -> int:
        """Number of images, those without objects and detections included."""
        return self.kernel.num_images

    def detections_by_label(self, num_labels: int) -> list[int]:
        """Detections of each label, those beyond the detection limit included."""
        return self.kernel.detections_by_label(num_labels)

    @property
    def one_score(self) -> float | None:
        """The score that all detections have, where there are two or more and they agree."""
        scores = memoryview(self.detections.column("score"))
        if len(scores) <= 1:
            return None
        first: float = scores[0]
        return first if all(score == first for score in scores) else None

    @property
    def detections(self) -> _kernel.Table:
        """Columns image, label, score, rank, matched, ignored, gt (Arrow)."""
        return self.kernel.detections

    @property
    def ground_truth(self) -> _kernel.Table:
        """Columns image, label, matched, ignored (Arrow)."""
        return self.kernel.ground_truth

    @property
    def over_limit(self) -> tuple[int, int]:
        """Pairs of image and label with more detections than the largest limit, and detections beyond it."""
        return self.kernel.over_limit(self.protocol.max_detections[-1])

    def cell(self, iou: float, area: str | None = None) -> int:
        """Number of the cell of an IoU threshold and an area range. Raises ProtocolError for those there are not."""
        return self.protocol.area_index(area) * len(self.protocol.iou_thresholds) + self.protocol.iou_index(iou)

    def __repr__(self) -> str:
        return f"<Matches in {self.num_cells} cells over {self.num_images} images>"
