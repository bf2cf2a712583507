"""Boxes in flat columns as sources, some rows at a time: tables, and forms whose readers fill columns step by step."""

from __future__ import annotations

from boxscore.io import image_names
from boxscore.io.flat import FLAGS, aligned
from boxscore.io.labelling import Labelling
from boxscore.io.places import Places
from boxscore.io.shards.rows import Images
from boxscore.model.labels import LabelSet, id_order
from boxscore.pipeline.converting.noticed import LabelUses, Noticed, StatedIds
from boxscore.pipeline.converting.sources import (
    detection_rows,
    images_of,
    label_pairs,
    object_rows,
    placed,
    positions_of,
    rows_in,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Protocol

    import numpy as np

    from boxscore.io.flat import Columns
    from boxscore.io.labelling import Use
    from boxscore.io.shards.columns import Rows
    from boxscore.model.labels import Id
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset

    class Batches(Protocol):
        """A file or folder whose rows come in batches. `survey` are its images and labels, without rows."""

        survey: Columns

        @property
        def corner_convention(self) -> str:
            """See `Dataset`."""

        def columns(self) -> Iterator[Columns]:
            """All rows, some at a time. Raises InputError that names file, line and value."""

        def labels(self) -> LabelSet:
            """Of ground truth: those given, else those of the rows, in their order."""

        def notes(self, count: int) -> list[Note]:
            """How it is read, of so many rows in all."""


_FILE = 32
"""Bits of a row's number in its file, below that of the file: a key by which a row of any batch is named."""


def _keys(columns: Columns) -> np.ndarray[Any, np.dtype[np.int64]]:
    import numpy as np

    return np.asarray(columns.file, dtype=np.int64) << _FILE | np.asarray(columns.line, dtype=np.int64)


class KeyPlaces(Places):
    """Rows by the keys of their files and lines."""

    __slots__ = ("_files", "_unit")

    def __init__(self, columns: Columns) -> None:
        super().__init__(columns.name, columns.noun)
        self._files, self._unit = columns.files, columns.unit

    def row(self, row: int) -> str:
        """The row with its file's name."""
        return f"{self._files[row >> _FILE]} {self._unit} {row & (1 << _FILE) - 1}"

    def first(self, row: int) -> str:
        """The row inside a sentence."""
        return f"first {self.row(row)}"


class _Flat:
    """What ground truth and predictions share: batches, labels as they appear, what the kernel notices."""

    def __init__(self, batches: Batches, reading: Reading) -> None:
        self.name = batches.survey.name
        self._batches, self._reading = batches, reading
        self._noticed, self._uses = Noticed(), LabelUses()
        self._count = 0

    def _numbers(self, columns: Columns) -> Any:  # noqa: ANN401  a column of labels
        """The label number of each row of a batch; its rows are added to what is known of the labels."""
        import numpy as np

        stated = np.asarray(columns.label, dtype=np.int64)
        keys = _keys(columns)
        used, first, counts = np.unique(stated, return_index=True, return_counts=True)
        order = np.argsort(first)
        uses: list[Use] = [
            (isinstance(name := columns.label_names[used[at]], str), name, int(keys[first[at]]), int(counts[at]))
            for at in order
        ]
        numbers = np.zeros(len(columns.label_names) or 1, dtype=np.uint32)
        numbers[used[order]] = self._uses.numbers(uses, 0)
        self._count += len(stated)
        return numbers[stated]

    def _add_noticed(self, findings: Sequence[Any], columns: Columns, *, drop: Sequence[str] = ()) -> None:
        """Findings, the rows of which go by their keys."""
        keys = _keys(columns)
        for finding in findings:
            if finding.code not in drop:
                self._noticed.add([finding], int(keys[finding.row]) - int(finding.row) if columns.num_rows else 0)

    def _labelled(self, declared: LabelSet, kept: LabelSet) -> tuple[list[str | None], list[Note]]:
        labelling = Labelling(declared, kept, self._reading)
        numbers = labelling.numbers(self._uses.all(), KeyPlaces(self._batches.survey))
        return [None if number < 0 else kept.names[number] for number in numbers], labelling.notes


class FlatTruth(_Flat):
    """Ground truth. See `sources.Source`."""

    def __init__(self, batches: Batches, reading: Reading) -> None:
        super().__init__(batches, reading)
        self._declared = batches.labels()
        self.labels = label_pairs(self._declared)
        self.images = _canonical(batches.survey)
        self.corner_convention = batches.corner_convention
        self._positions = positions_of(self.images)

    def rows(self) -> Iterator[Rows]:
        """The objects, with further columns."""
        from boxscore import _kernel
        from boxscore.io.arrays import column

        for columns in self._batches.columns():
            areas = columns.areas if any(area == area for area in columns.areas) else None  # noqa: PLR0124  NaN: not stated
            kernel, findings = _kernel.dataset_from_columns(
                columns.image_ids,
                aligned(columns.image, "I"),
                column(self._numbers(columns), "uint32"),
                aligned(columns.boxes, "d"),
                area=areas,
                **{flag: columns.flags[flag] for flag in FLAGS if any(columns.flags[flag])},
                drop_degenerate=self._reading.degenerate == "drop",
            )
            self._add_noticed(findings, columns, drop=() if areas is not None else ("area-missing",))
            filled = {name: [*values, *[None] * columns.num_rows] for name, values in columns.attributes.items()}
            yield placed(object_rows(kernel, filled), kernel, self._positions)

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        names, notes = self._labelled(self._declared, self._declared)
        places = KeyPlaces(self._batches.survey)
        found = self._noticed.notes(places, self._reading, self.name, {})
        return names, [*self._batches.notes(self._count), *notes, *found]


class FlatResults(_Flat):
    """Predictions. See `sources.Source`."""

    def __init__(self, batches: Batches, dataset: Dataset, reading: Reading, threads: int) -> None:
        super().__init__(batches, reading)
        self._dataset, self._threads = dataset, threads
        self.images = images_of(dataset)
        self.labels = label_pairs(dataset.declared)
        self.corner_convention = dataset.corner_convention
        stated = batches.survey.image_ids
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
        places, images_in = KeyPlaces(self._batches.survey), self._dataset.source or "the ground truth"
        found = self._noticed.notes(places, self._reading, images_in, self._ids.distinct())
        return names, [*self._batches.notes(self._count), *self._notes, *notes, *found]


def _canonical(columns: Columns) -> Images:
    """Images in canonical order."""
    import numpy as np

    order = sorted(range(len(columns.image_ids)), key=lambda at: id_order(columns.image_ids[at]))
    sizes = np.asarray(columns.sizes, dtype=np.float64).reshape(-1, 2)[order] if order else np.empty((0, 2))
    ids = [columns.image_ids[at] for at in order]
    return Images(ids, [columns.file_names[at] for at in order], sizes)
