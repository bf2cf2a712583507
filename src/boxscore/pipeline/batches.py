"""One batch of per-image arrays, made into tables: what an Evaluator draws from it before letting it go."""

from __future__ import annotations

from boxscore.io import arrays
from boxscore.io.findings import notes_of
from boxscore.pipeline import columns
from boxscore.pipeline.run_notes import count_out_of_range
from boxscore.pipeline.seen import OUT_OF_RANGE, PREDICTIONS, TARGETS, ImagePlaces, Seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boxscore import _kernel
    from boxscore.io.arrays import Images
    from boxscore.model.labels import Id, LabelSet
    from boxscore.model.protocol import Protocol
    from boxscore.model.reading import Reading
    from boxscore.pipeline.columns import Columns

    Findings = list[_kernel.Finding]

ANY_LABEL = "any label"
_NOT_BY_IMAGE = {"area-missing", "tied-scores", "scores-equal"}
"""Areas are optional in arrays; the other two are found over whole tables."""


class Settings:
    """How batches are read and matched. `labels` None: label numbers stand for themselves."""

    __slots__ = ("box_format", "label_agnostic", "labels", "protocol", "reading")

    def __init__(
        self, labels: LabelSet | None, protocol: Protocol, reading: Reading, box_format: str, *, label_agnostic: bool
    ) -> None:
        self.labels = labels
        self.protocol = protocol
        self.box_format = box_format
        self.reading = reading
        self.label_agnostic = label_agnostic


class Batch:
    """Tables of some images, numbered by their position, with what was noticed in them.

    `own_labels`: where label numbers stand for themselves, those that occur; the tables count in them, because the
    kernel's memory goes with the largest label. None where labels are given.
    """

    __slots__ = ("_codes", "_found", "_settings", "_ties", "_truth", "dataset", "detections", "ids", "own_labels")

    def __init__(
        self, settings: Settings, truth: Columns, found: Columns, ids: Sequence[Id], own_labels: list[int] | None
    ) -> None:
        self.own_labels = own_labels
        self._settings = settings
        self._truth = truth
        self._found = found
        self.ids = list(ids)
        self.dataset, noticed = _dataset(truth, len(ids), settings.reading)
        notes_of(noticed, _places(TARGETS, truth, ids), settings.reading, TARGETS)
        self.detections, more = _detections(found, self.dataset, len(ids), settings.reading)
        notes_of(more, _places(PREDICTIONS, found, ids), settings.reading, TARGETS)
        codes = {finding.code for finding in (*noticed, *more)}
        outside, _ = count_out_of_range(self.dataset, settings.protocol)
        self._codes = (codes | ({OUT_OF_RANGE} if outside else set())) - _NOT_BY_IMAGE
        self._ties = _ties(self.detections.table, found) if codes & {"tied-scores", "scores-equal"} else {}
        if settings.label_agnostic:
            self.dataset, self.detections = self.dataset.merge_labels(), self.detections.merge_labels()

    @staticmethod
    def read(settings: Settings, targets: Images, predictions: Images, ids: Sequence[Id]) -> Batch:
        """Tables of a batch as the user has it. Raises InputError that names the entry, or the image by its id."""
        how = (settings.labels, settings.box_format, settings.reading)
        truth, found = columns.read(targets, TARGETS, *how), columns.read(predictions, PREDICTIONS, *how)
        own_labels = columns.number_densely(truth, found) if settings.labels is None else None
        return Batch(settings, truth, found, ids, own_labels)

    def of_images(self, positions: Sequence[int]) -> Batch:
        """The batch of some of its images (positions ascending)."""
        truth, found = (side.of_images(positions, len(self.ids)) for side in (self._truth, self._found))
        return Batch(self._settings, truth, found, [self.ids[i] for i in positions], self.own_labels)

    def name_of(self, label: int) -> str:
        """The name of a label number of the tables."""
        if self._settings.label_agnostic:
            return ANY_LABEL
        if self.own_labels is not None:
            return str(self.own_labels[label])
        labels = self._settings.labels
        return str(label) if labels is None else labels.names[label]

    def digests(self) -> list[bytes]:
        """One digest an image: 16 bytes of its objects, 16 of its detections, in the tables' canonical order."""
        from boxscore.runs import digests

        count = len(self.ids)
        objects = digests.object_digests(self.dataset.ground_truth, count, self.name_of)
        found = digests.detection_digests(self.detections.table, count, self.name_of)
        return [one + two for one, two in zip(objects, found, strict=True)]

    def counts(self) -> list[tuple[int, int]]:
        """Objects and detections of each image."""
        import numpy as np

        tables = (self.dataset.ground_truth, self.detections.table)
        images = (np.asarray(table.column("image")) for table in tables)
        objects, found = (np.bincount(image, minlength=len(self.ids)).tolist() for image in images)
        return list(zip(objects, found, strict=True))

    def seen(self) -> dict[Id, list[Seen]]:
        """What was noticed, by image; images with nothing to tell are left out."""
        by_image = ((image_id, self._seen_in(position)) for position, image_id in enumerate(self.ids))
        return {image_id: found for image_id, found in by_image if found}

    def _seen_in(self, position: int) -> list[Seen]:
        ties = [self._ties[position]] if position in self._ties else []
        if not self._codes and not self._truth.unknown and not self._found.unknown:
            return ties
        # The kernel counts over a whole batch: to know each image's share, its rows are built once more by themselves.
        truth, found = self._truth.of_image(position), self._found.of_image(position)
        dataset, noticed = _dataset(truth, 1, self._settings.reading)
        _, more = _detections(found, dataset, 1, self._settings.reading)
        seen = [*_seen(TARGETS, truth, noticed), *_seen(PREDICTIONS, found, more), *ties]
        outside, row = count_out_of_range(dataset, self._settings.protocol)
        if row is not None:
            seen.append(Seen(TARGETS, OUT_OF_RANGE, outside, int(truth.place[row]), None, "area", None))
        return seen


def _seen(side: str, rows: Columns, findings: Findings) -> list[Seen]:
    told = [finding for finding in findings if finding.code not in _NOT_BY_IMAGE]
    seen = [Seen(side, f.code, f.count, int(rows.place[f.row]), f.value, f.field, f.extra) for f in told]
    for left_out in rows.unknown.values():
        place, value = left_out[0]
        seen.append(Seen(side, "unknown-label", len(left_out), place, repr(value), "labels", None))
    return seen


def _ties(table: _kernel.Table, found: Columns) -> dict[int, Seen]:
    """By image: detections with the score of another one of the same image and label."""
    import numpy as np

    image, label, score, row = (np.asarray(table.column(name)) for name in ("image", "label", "score", "source_row"))
    later = np.flatnonzero((image[1:] == image[:-1]) & (label[1:] == label[:-1]) & (score[1:] == score[:-1])) + 1
    positions, starts, counts = np.unique(image[later], return_index=True, return_counts=True)
    firsts = np.minimum.reduceat(row[later], starts) if len(later) else row[:0]
    ties: dict[int, Seen] = {}
    for position, first, count in zip(positions.tolist(), firsts.tolist(), counts.tolist(), strict=True):
        value = f"{found.fields['scores'][first].item()!r}"
        ties[position] = Seen(PREDICTIONS, "tied-scores", count, int(found.place[first]), value, "score", None)
    return ties


def _places(side: str, rows: Columns, ids: Sequence[Id]) -> ImagePlaces:
    find: Callable[[int], tuple[Id, int]] = lambda row: (ids[rows.image[row]], int(rows.place[row]))  # noqa: E731  looked up only when something is told
    return ImagePlaces(side, find)


def _dataset(rows: Columns, num_images: int, reading: Reading) -> tuple[_kernel.Dataset, Findings]:
    from boxscore import _kernel

    area, crowd = rows.fields.get("area"), rows.fields.get("iscrowd")
    return _kernel.dataset_from_columns(
        range(num_images),
        arrays.column(rows.image, "uint32"),
        arrays.column(rows.label, "uint32"),
        arrays.column(rows.boxes, "float64"),
        area=None if area is None else arrays.column(area, "float64"),
        crowd=None if crowd is None else arrays.column(crowd.astype(bool), "uint8"),
        drop_degenerate=reading.degenerate == "drop",
    )


def _detections(
    rows: Columns, dataset: _kernel.Dataset, num_images: int, reading: Reading
) -> tuple[_kernel.Detections, Findings]:
    from boxscore import _kernel

    return _kernel.detections_from_columns(
        dataset,
        range(num_images),
        arrays.column(rows.image, "uint32"),
        arrays.column(rows.label, "uint32"),
        arrays.column(rows.boxes, "float64"),
        arrays.column(rows.fields["scores"], "float64"),
        drop_degenerate=reading.degenerate == "drop",
    )
