"""Sharded data (Parquet in parts) read whole, for what looks at all of a data set at once.

`convert --to shards` writes them and `eval` goes by parts: neither holds all rows, as reading them here does.
"""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import shard_paths
from boxscore.io.findings import notes_of
from boxscore.io.labelling import Labelling
from boxscore.io.losses import FLAGS
from boxscore.io.places import Places
from boxscore.io.shards.layout import SOURCE_ID
from boxscore.model.labels import LabelSet
from boxscore.model.notes import Note, counted
from boxscore.model.tables import Dataset, Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any

    import numpy as np

    from boxscore.io.form_options import FormOptions
    from boxscore.io.shards.layout import Shards
    from boxscore.io.shards.rows import Boxes
    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a folder of Parquet files, of a pattern and of an address."""
    return "shards: Parquet files with a range of images each" if shard_paths.looks_sharded(path) else None


class PartPlaces(Places):
    """Rows by the file of their part."""

    __slots__ = ("_pieces", "_starts")

    def __init__(self, name: str, noun: str, pieces: Sequence[Boxes]) -> None:
        super().__init__(name, noun)
        self._pieces = pieces
        self._starts = [0]
        for piece in pieces:
            self._starts.append(self._starts[-1] + len(piece.image))

    def row(self, row: int) -> str:
        """The row with its file's name."""
        import bisect

        at = bisect.bisect_right(self._starts, row) - 1
        return self._pieces[at].place(row - self._starts[at])

    def first(self, row: int) -> str:
        """The row inside a sentence."""
        return f"first {self.row(row)}"


def read_ground_truth(
    path: str | PathLike[str],
    options: FormOptions,  # noqa: ARG001  part of the interface of forms
    reading: Reading,
    threads: int = 1,  # noqa: ARG001  likewise
) -> Dataset:
    """All parts as one data set. Raises InputError."""
    from boxscore import _kernel
    from boxscore.io.arrays import column
    from boxscore.io.shards import batches

    shards = _opened(path, "ground_truth")
    images = batches.all_images(shards)
    if not shards.labels:
        raise InputError(f"{path}: the data set declares no labels; write it again with boxscore convert")
    labels = LabelSet([i for i, _ in shards.labels], [name for _, name in shards.labels], shards.name)
    pieces = list(batches.objects(shards, images.ids))
    places = PartPlaces(shards.name, "annotation", pieces)
    rows = _Joined(pieces)
    labelling = Labelling(labels, labels, reading)
    kept, numbers = rows.numbered(labelling, places)
    crowd, ignore, difficult, group_of = (
        column(rows.flags[name][kept], "uint8") if name in rows.flags else None for name in FLAGS
    )
    kernel, findings = _kernel.dataset_from_columns(
        images.ids,
        column(rows.image[kept], "uint32"),
        column(numbers, "uint32"),
        column(rows.boxes[kept], "float64"),
        area=None if rows.area is None else column(rows.area[kept], "float64"),
        crowd=crowd,
        ignore=ignore,
        difficult=difficult,
        group_of=group_of,
        file_names=images.file_names,
        sizes=column(images.sizes, "float64"),
        drop_degenerate=reading.degenerate == "drop",
    )
    told = [finding for finding in findings if rows.area is not None or finding.code != "area-missing"]
    notes = notes_of(told, _Kept(places, kept), reading, shards.name)
    if images.groups is not None:
        kernel = kernel.with_groups(images.groups)
    return Dataset(
        kernel,
        labels,
        source=shards.name,
        notes=[_read_as(shards, len(kept)), *labelling.notes, *notes],
        corner_convention=shards.corner_convention,
        attributes={name: values[kept].tolist() for name, values in rows.further.items() if name != SOURCE_ID},
        origin=_fields(images.ids, images.further),
        grouped_by=None if images.groups is None else "group",
    )


def read_predictions(
    path: str | PathLike[str],
    dataset: Dataset,
    options: FormOptions,  # noqa: ARG001  part of the interface of forms
    reading: Reading,
    threads: int = 1,
) -> Predictions:
    """All parts as one, over a data set's images and labels. Raises InputError."""
    from boxscore import _kernel
    from boxscore.io.arrays import column
    from boxscore.io.shards import batches

    shards = _opened(path, "predictions")
    ids = batches.ids_of_detections(shards)
    if reading.unknown_images == "background":
        known = set(dataset.image_ids)
        unknown = [value for value in ids if value not in known]
        dataset = dataset.with_kernel(dataset.kernel.with_images(unknown)) if unknown else dataset
    pieces = list(batches.detections(shards, ids))
    places = PartPlaces(shards.name, "detection", pieces)
    rows = _Joined(pieces)
    labelling = Labelling(dataset.declared, dataset.labels, reading)
    kept, numbers = rows.numbered(labelling, places)
    kernel, findings = _kernel.detections_from_columns(
        dataset.kernel,
        ids,
        column(rows.image[kept], "uint32"),
        column(numbers, "uint32"),
        column(rows.boxes[kept], "float64"),
        column(rows.scores[kept], "float64"),
        drop_degenerate=reading.degenerate == "drop",
        threads=threads,
    )
    notes = notes_of(findings, _Kept(places, kept), reading, dataset.source or "the ground truth")
    return Predictions(
        kernel, dataset, source=shards.name, notes=[_read_as(shards, len(kept)), *labelling.notes, *notes]
    )


class _Kept(Places):
    """Places of those rows that are left."""

    __slots__ = ("_kept", "_places")

    def __init__(self, places: Places, kept: np.ndarray[Any, np.dtype[Any]]) -> None:
        super().__init__(places.name, places.noun)
        self._places = places
        self._kept = kept

    def row(self, row: int) -> str:
        """The row with its file's name."""
        return self._places.row(int(self._kept[row]))

    def first(self, row: int) -> str:
        """The row inside a sentence."""
        return self._places.first(int(self._kept[row]))


class _Joined:
    """The columns of all pieces one behind the other."""

    def __init__(self, pieces: Sequence[Boxes]) -> None:
        import numpy as np

        self.image = np.concatenate([np.empty(0, np.uint32), *(piece.image for piece in pieces)])
        self.boxes = np.concatenate([np.empty((0, 4)), *(piece.boxes for piece in pieces)])
        self.scores = np.concatenate([np.empty(0), *(piece.scores for piece in pieces if piece.scores is not None)])
        self.area = self._filled([piece.area for piece in pieces], pieces, np.nan, np.float64)
        flags = {name: [piece.flags.get(name) for piece in pieces] for name in FLAGS}
        stated = {name: self._filled(values, pieces, 0, np.uint8) for name, values in flags.items()}
        self.flags = {name: values for name, values in stated.items() if values is not None}
        names = dict.fromkeys(name for piece in pieces for name in piece.further)
        further = {
            name: self._filled([piece.further.get(name) for piece in pieces], pieces, None, object) for name in names
        }
        self.further = {name: values for name, values in further.items() if values is not None}
        self._pieces = pieces

    def numbered(self, labelling: Labelling, places: Places) -> tuple[Any, Any]:
        """Rows whose label counts, and their label numbers. Raises InputError for labels that are not known."""
        import numpy as np

        number: dict[str, int] = {}
        codes = [
            np.array([number.setdefault(name, len(number)) for name in piece.label_names] or [0])[piece.label]
            for piece in self._pieces
        ]
        label = np.concatenate([np.empty(0, np.int64), *codes])
        used, first, counts = np.unique(label, return_index=True, return_counts=True)
        names = list(number)
        order = np.argsort(first)
        uses = [(True, names[used[at]], int(first[at]), int(counts[at])) for at in order]
        numbers = np.full(len(names) or 1, -1, dtype=np.int64)
        numbers[used[order]] = labelling.numbers(uses, places)
        found = numbers[label]
        kept = np.flatnonzero(found >= 0)
        return kept, found[kept]

    @staticmethod
    def _filled(values: Sequence[Any], pieces: Sequence[Boxes], missing: object, kind: Any) -> Any:  # noqa: ANN401  arrays of several types
        import numpy as np

        if all(one is None for one in values):
            return None
        held = [
            np.full(len(piece.image), missing, dtype=kind) if one is None else one
            for one, piece in zip(values, pieces, strict=True)
        ]
        return np.concatenate(held)


def _opened(path: str | PathLike[str], role: str) -> Shards:
    from boxscore.io.shards.opened import open_shards

    shards = open_shards(os.fspath(path), role)
    if shards.role == role:
        return shards
    if role == "predictions":
        raise InputError(f"{path}: these shards hold ground truth, not predictions; give it in the other place")
    raise InputError(
        f"{path} holds predictions (shards), which need the images and labels of their ground truth; give it with "
        "--ground-truth"
    )


def _read_as(shards: Shards, rows: int) -> Note:
    noun = "detection" if shards.role == "predictions" else "object"
    message = f"{shards.name}: shards, {counted(rows, noun)} in {counted(len(shards.parts), 'part')}, read whole"
    return Note("read-as", message, rows)


def _fields(ids: Sequence[Id], further: dict[str, list[object]]) -> dict[str, Any] | None:
    """Metadata of images as a COCO file would hold them, so that what asks for a field finds it."""
    if not further:
        return None
    images = [
        {"id": value, **{name: values[at] for name, values in further.items() if values[at] is not None}}
        for at, value in enumerate(ids)
    ]
    return {"images": images, "annotations": [], "categories": []}
