"""Tables (CSV, TSV, Parquet, Arrow IPC) as sources, some rows at a time."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.io import class_list, image_names
from boxscore.io.flat import FLAGS, aligned
from boxscore.io.labelling import Labelling
from boxscore.io.places import Places
from boxscore.io.shards.rows import Images
from boxscore.io.table_batches import TableBatches
from boxscore.model.labels import LabelSet, id_order
from boxscore.pipeline.converting.noticed import LabelUses, Noticed, StatedIds
from boxscore.pipeline.converting.sources import (
    detection_rows,
    images_of,
    label_pairs,
    object_rows,
    positions_of,
    rows_in,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.io.flat import Columns
    from boxscore.io.form_options import FormOptions
    from boxscore.io.labelling import Use
    from boxscore.io.shards.columns import Rows
    from boxscore.model.labels import Id
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset


class LinePlaces(Places):
    """Rows of a table by their lines."""

    __slots__ = ()

    def row(self, row: int) -> str:
        """The row with its file's name."""
        return f"{self.name} line {row}"

    def first(self, row: int) -> str:
        """The row inside a sentence."""
        return f"first {self.row(row)}"


class _Table:
    """What both kinds of table share: batches, labels as they appear, what the kernel notices."""

    def __init__(self, path: str | PathLike[str], options: FormOptions, reading: Reading, *, predictions: bool) -> None:
        self.name = Path(path).name
        self.path = os.fspath(path)
        self._batches = TableBatches(path, options, predictions=predictions)
        self._noun = "detection" if predictions else "annotation"
        self._options, self._reading = options, reading
        self._noticed, self._uses = Noticed(), LabelUses()
        self._count = 0

    def _numbers(self, columns: Columns) -> Any:  # noqa: ANN401  a column of labels
        """The label number of each row of a batch; its lines are added to what is known of the labels."""
        import numpy as np

        stated = np.asarray(columns.label, dtype=np.int64)
        lines = np.asarray(columns.line, dtype=np.int64)
        used, first, counts = np.unique(stated, return_index=True, return_counts=True)
        order = np.argsort(first)
        uses: list[Use] = [
            (True, str(columns.label_names[int(used[at])]), int(lines[first[at]]), int(counts[at])) for at in order
        ]
        numbers = np.zeros(len(columns.label_names) or 1, dtype=np.uint32)
        numbers[used[order]] = self._uses.numbers(uses, 0)
        self._count += len(stated)
        return numbers[stated]

    def _add_noticed(self, findings: Sequence[Any], columns: Columns, *, drop: Sequence[str] = ()) -> None:
        """Findings, the rows of which are lines of the file."""
        for finding in findings:
            if finding.code not in drop:
                self._noticed.add(
                    [finding], int(columns.line[finding.row]) - int(finding.row) if columns.num_rows else 0
                )

    def _labelled(self, declared: LabelSet, kept: LabelSet) -> tuple[list[str | None], list[Note]]:
        labelling = Labelling(declared, kept, self._reading)
        numbers = labelling.numbers(self._uses.all(), LinePlaces(self.name, self._noun))
        return [None if number < 0 else kept.names[number] for number in numbers], labelling.notes


class TableTruth(_Table):
    """Ground truth, a box a row. See `sources.Source`."""

    def __init__(self, path: str | PathLike[str], options: FormOptions, reading: Reading) -> None:
        super().__init__(path, options, reading, predictions=False)
        self._declared = class_list.label_set(options) or LabelSet.from_names(self._batches.labels())
        self.labels = label_pairs(self._declared)
        self.images = _canonical(self._batches.images())
        self.corner_convention = "continuous"
        self._positions = positions_of(self.images)

    def rows(self) -> Iterator[Rows]:
        """The objects, with further columns."""
        import numpy as np

        from boxscore import _kernel
        from boxscore.io.arrays import column

        for columns in self._batches.columns():
            areas = columns.areas if any(area == area for area in columns.areas) else None  # noqa: PLR0124  NaN: not stated
            own = np.array([self._positions[value] for value in columns.image_ids] or [0], dtype=np.uint32)
            kernel, findings = _kernel.dataset_from_columns(
                self.images.ids,
                column(own[np.asarray(columns.image, dtype=np.int64)], "uint32"),
                column(self._numbers(columns), "uint32"),
                aligned(columns.boxes, "d"),
                area=areas,
                **{flag: columns.flags[flag] for flag in FLAGS if any(columns.flags[flag])},
                drop_degenerate=self._reading.degenerate == "drop",
            )
            self._add_noticed(findings, columns, drop=() if areas is not None else ("area-missing",))
            filled = {name: [*values, *[None] * columns.num_rows] for name, values in columns.attributes.items()}
            yield object_rows(kernel, filled)

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        names, notes = self._labelled(self._declared, self._declared)
        places = LinePlaces(self.name, self._noun)
        found = self._noticed.notes(places, self._reading, self.name, {})
        return names, [self._batches.read_as(self.name, self._count), *notes, *found]


class TableResults(_Table):
    """Predictions, a box a row. See `sources.Source`."""

    def __init__(
        self, path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int
    ) -> None:
        super().__init__(path, options, reading, predictions=True)
        self._dataset, self._threads = dataset, threads
        self.images = images_of(dataset)
        self.labels = label_pairs(dataset.declared)
        self.corner_convention = dataset.corner_convention
        stated = self._batches.images().image_ids
        ids, self._notes = image_names.resolve(stated, dataset, self.name)
        self._resolved: Mapping[Id, Id] = dict(zip(stated, ids, strict=True))
        self._ids = StatedIds(positions_of(self.images))

    def rows(self) -> Iterator[Rows]:
        """The detections."""
        from boxscore import _kernel
        from boxscore.io.arrays import column

        for columns in self._batches.columns():
            ids = [self._resolved[value] for value in columns.image_ids]
            kernel, findings = _kernel.detections_from_columns(
                self._dataset.kernel,
                ids,
                aligned(columns.image, "I"),
                column(self._numbers(columns), "uint32"),
                aligned(columns.boxes, "d"),
                aligned(columns.scores, "d"),
                drop_degenerate=self._reading.degenerate == "drop",
                threads=self._threads,
            )
            self._add_noticed(findings, columns)
            rows = detection_rows(kernel)
            self._ids.add(rows_in(rows), ids)
            yield rows

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        names, notes = self._labelled(self._dataset.declared, self._dataset.labels)
        places, images_in = LinePlaces(self.name, self._noun), self._dataset.source or "the ground truth"
        found = self._noticed.notes(places, self._reading, images_in, self._ids.distinct())
        return names, [self._batches.read_as(self.name, self._count), *self._notes, *notes, *found]


def _canonical(columns: Columns) -> Images:
    """Images in canonical order."""
    import numpy as np

    order = sorted(range(len(columns.image_ids)), key=lambda at: id_order(columns.image_ids[at]))
    sizes = np.asarray(columns.sizes, dtype=np.float64).reshape(-1, 2)[order] if order else np.empty((0, 2))
    ids = [columns.image_ids[at] for at in order]
    return Images(ids, [columns.file_names[at] for at in order], sizes)
