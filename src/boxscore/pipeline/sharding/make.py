"""One part: read, matched, cut by label."""

from __future__ import annotations

from dataclasses import replace

from boxscore.io.arrays import column
from boxscore.io.shards import rows as shard_rows
from boxscore.io.shards.layout import FLAGS
from boxscore.pipeline.sharding.jobs import LabelUse, PartOutcome, PlacedFinding, RowPlace, Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np

    from boxscore import _kernel
    from boxscore.io.shards.rows import Boxes, Images
    from boxscore.model.labels import Id
    from boxscore.pipeline.sharding.jobs import PartJob, Settings

    Array = np.ndarray[Any, np.dtype[Any]]

_OPTIONAL = "area-missing"
"""Areas are optional in tables: what isn't stated at all needs no word."""


def make_part(settings: Settings, job: PartJob, *, threads: int = 1) -> PartOutcome:
    """Read a part's files, match, and cut the matches by label. Raises InputError that names file and row."""
    images, truth = shard_rows.ground_truth(settings.truth, job.truth, further=settings.keep)
    found = shard_rows.detections(settings.found, job.found, images.ids)
    part = _Part(settings, images, truth, found)
    part.match(threads)
    tables: dict[str, bytes] = {}
    if settings.keep:
        from boxscore.pipeline.sharding.tables import tables_of

        tables = tables_of(settings, part.truth, part.dataset, part.detections, part.matches, threads=threads)
    return PartOutcome(part.summary(), part.matches.kernel.blocks(settings.num_labels), tables)


class _Part:
    """The rows of a part, as they become tables and matches."""

    def __init__(self, settings: Settings, images: Images, truth: Boxes, found: Boxes) -> None:
        self._settings = settings
        self._images = images
        self._uses = _uses(truth, images), _uses(found, images)
        self._rows_read = len(found.image)
        self.truth = _numbered(truth, settings, fold=False)
        self._found = _numbered(found, settings, fold=True)

    def match(self, threads: int) -> None:
        """Tables, suppression if it is asked for, matches."""
        from boxscore.matching import match, pixel

        settings, corners = self._settings, self._settings.truth.corner_convention
        self.dataset, self._truth_noticed = self._dataset()
        self.detections, self._found_noticed = self._detections(threads)
        self._suppressed: tuple[int, int] | None = None
        if settings.nms is not None:
            kept = self.detections.suppress(settings.nms, pixel=pixel(settings.protocol, corners), threads=threads)
            self._suppressed = self.detections.num_rows, kept.num_rows
            self.detections = kept
        if settings.label_agnostic:
            self.dataset, self.detections = self.dataset.merge_labels(), self.detections.merge_labels()
        self.matches = match(
            self.dataset, self.detections, settings.protocol, corner_convention=corners, threads=threads
        )

    def summary(self) -> Summary:
        """What the driver gets to know."""
        settings, kernel = self._settings, self.matches.kernel
        noticed = _placed(self._truth_noticed, self.truth, self._images)
        return Summary(
            image_ids=self._images.ids,
            file_names=self._images.file_names,
            groups=self._images.groups,
            metadata=self._images.further,
            objects=kernel.objects_by_label(settings.num_labels),
            detections=kernel.detections_by_label(settings.num_labels),
            rows=self._rows_read,
            over_limit=self.matches.over_limit,
            scores=_extremes(self.matches.detections),
            out_of_range=self._out_of_range(),
            truth_uses=self._uses[0],
            found_uses=self._uses[1],
            truth_findings=[one for one in noticed if one.code != _OPTIONAL or self.truth.area is not None],
            found_findings=_placed(self._found_noticed, self._found, self._images),
            suppressed=self._suppressed,
            digests=_digests(self.dataset, settings) if settings.keep or settings.identity else None,
        )

    def _out_of_range(self) -> tuple[int, RowPlace | None]:
        from boxscore.pipeline.run_notes import count_out_of_range

        count, row = count_out_of_range(self.dataset, self._settings.protocol)
        return count, None if row is None else _at(self.truth, self._images, row)

    def _ids(self) -> Sequence[Id]:
        """Of the kernel's table of images: positions will do where no run folder asks for ids."""
        return self._images.ids if self._settings.keep else range(len(self._images.ids))

    def _dataset(self) -> tuple[_kernel.Dataset, list[_kernel.Finding]]:
        from boxscore import _kernel

        truth = self.truth
        flags = {name: truth.flags.get(name) for name in FLAGS}
        crowd, ignore, difficult, group_of = (
            None if flag is None else column(flag, "uint8") for flag in flags.values()
        )
        return _kernel.dataset_from_columns(
            self._ids(),
            column(truth.image, "uint32"),
            column(truth.label, "uint32"),
            column(truth.boxes, "float64"),
            area=None if truth.area is None else column(truth.area, "float64"),
            crowd=crowd,
            ignore=ignore,
            difficult=difficult,
            group_of=group_of,
            file_names=self._images.file_names,
            sizes=column(self._images.sizes, "float64"),
            drop_degenerate=self._settings.reading.degenerate == "drop",
            part=True,
        )

    def _detections(self, threads: int) -> tuple[_kernel.Detections, list[_kernel.Finding]]:
        from boxscore import _kernel

        found = self._found
        return _kernel.detections_from_columns(
            self.dataset,
            self._ids(),
            column(found.image, "uint32"),
            column(found.label, "uint32"),
            column(found.boxes, "float64"),
            column(found.boxes[:, 0] if found.scores is None else found.scores, "float64"),
            drop_degenerate=self._settings.reading.degenerate == "drop",
            part=True,
            threads=threads,
        )


def _uses(boxes: Boxes, images: Images) -> list[LabelUse]:
    """The labels that occur, each with its first row."""
    import numpy as np

    if not len(boxes.label):
        return []
    rows = len(boxes.label)
    counts = np.bincount(boxes.label + 1)
    first = np.empty(len(counts), np.int64)
    first[boxes.label[::-1] + 1] = np.arange(rows - 1, -1, -1)  # the last to be written is the first to occur
    labels = np.flatnonzero(counts)
    return [
        LabelUse(boxes.label_names[at - 1], int(counts[at]), _at(boxes, images, int(first[at])))
        for at in labels.tolist()
    ]


def _numbered(boxes: Boxes, settings: Settings, *, fold: bool) -> Boxes:
    """The rows whose label counts, by label numbers."""
    import numpy as np

    numbers = [_number(name, settings, fold=fold) for name in boxes.label_names]
    label = np.array(numbers or [-1], dtype=np.int64)[boxes.label]
    numbered = replace(boxes, label=label)
    return numbered if (label >= 0).all() else numbered.select(np.flatnonzero(label >= 0))


def _number(name: str, settings: Settings, *, fold: bool) -> int:
    from boxscore.model.labels import fold as folded

    number = settings.labels.get(name)
    if number is None and fold and settings.folded:
        number = settings.folded.get(folded(name))
    return -1 if number is None else number


def _at(boxes: Boxes, images: Images, row: int) -> RowPlace:
    return RowPlace(images.ids[int(boxes.image[row])], int(boxes.within[row]), boxes.place(row))


def _placed(findings: Sequence[_kernel.Finding], boxes: Boxes, images: Images) -> list[PlacedFinding]:
    return [
        PlacedFinding(f.code, f.count, _at(boxes, images, f.row), f.field, f.value, f.extra)
        for f in findings
        if len(boxes.image)
    ]


def _extremes(table: _kernel.Table) -> tuple[float, float] | None:
    import numpy as np

    scores = np.asarray(table.column("score"))
    return (float(scores.min()), float(scores.max())) if len(scores) else None


def _digests(dataset: _kernel.Dataset, settings: Settings) -> list[str]:
    from boxscore.runs import digests

    per_image = digests.object_digests(dataset.ground_truth, dataset.num_images, settings.label_names.__getitem__)
    return [digest.hex() for digest in per_image]
