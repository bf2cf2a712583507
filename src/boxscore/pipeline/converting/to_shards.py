"""`convert --to shards`: any form into parts by image, in bounded memory where the form allows it."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io.shards import columns, layout, target
from boxscore.io.shards.cut import Cutting, parts_of
from boxscore.io.shards.spill import Spill
from boxscore.model.labels import LabelSet
from boxscore.model.notes import counted
from boxscore.pipeline.converting import finding
from boxscore.pipeline.converting.sources import without_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping
    from os import PathLike
    from typing import Any

    from boxscore.io.form_options import FormOptions
    from boxscore.io.shards.layout import Shards
    from boxscore.io.shards.write import ShardWriter
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading
    from boxscore.pipeline.converting.sources import Source

_RESERVED = {
    "image": frozenset(layout.IMAGE_COLUMNS),
    "object": frozenset((*layout.OBJECT_COLUMNS, "score")),
}


@dataclass
class Sharded:
    """What was written: how much of it, notes of how it was read, and what of it parts can't hold."""

    role: str
    images: int
    rows: int
    labels: int
    parts: int
    notes: list[Note] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        parts = counted(self.parts, "part")
        if self.role == "predictions":
            return f"<Predictions {self.rows} detections over {self.images} images in {parts}>"
        return f"<Dataset {self.images} images, {self.rows} objects, {self.labels} labels in {parts}>"


def to_shards(
    source: str | PathLike[str],
    place: str | PathLike[str],
    *,
    source_format: str | None,
    ground_truth: str | PathLike[str] | None,
    gt_format: str | None,
    options: FormOptions,
    reading: Reading,
    overwrite: bool,
    threads: int,
    images: int | None = None,
    rows: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Sharded:
    """Write `source` as shards at a folder or an address; `images` or `rows` are the most of a part.

    Predictions are cut where the parts of their ground truth are, where this is sharded. Raises InputError.
    """
    if reading.unknown_images == "background":
        raise InputError(
            "images that the ground truth lacks can't be counted as empty in shards of predictions; leave them out "
            f"({reading.option('unknown_images', 'drop')}), or add them to the ground truth"
        )
    asked = Cutting(images, rows)
    with ExitStack() as stack:
        writing = stack.enter_context(target.writing(os.fspath(place), overwrite=overwrite))
        opener = finding.Opener(stack, options, reading, threads)
        like: Shards | None = None
        if ground_truth is None:
            found = opener.truth(source, source_format, "--from")
        else:
            truth = opener.images(ground_truth, gt_format)
            like = finding.shards_at(ground_truth, "ground_truth")
            labels = LabelSet([i for i, _ in truth.labels], [name for _, name in truth.labels], truth.name)
            dataset = without_objects(truth.images, labels, truth.name, truth.corner_convention)
            found = opener.predictions(source, source_format, dataset)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boxscore-rows-")))
        role = "ground_truth" if ground_truth is None else "predictions"
        spill = stack.enter_context(closing(Spill(folder, len(found.images.ids), role)))
        cutting = asked if images or rows or like is None else Cutting(like=like)
        done = _Conversion(found, role, spill, progress).write(
            writing.writer,
            cutting,
            os.path.basename(os.fspath(source).rstrip("/")),  # noqa: PTH119  may be an address
        )
        writing.complete()
        return done


class _Conversion:
    """Rows of a source into a spill, and out of it into parts."""

    def __init__(
        self, source: Source, role: str, spill: Spill, progress: Callable[[str, int, int], None] | None
    ) -> None:
        self._source = source
        self._role = role
        self._spill = spill
        self._progress = progress
        self._lost: list[str] = []

    def write(self, writer: Callable[..., ShardWriter], cutting: Cutting, made_of: str) -> Sharded:
        """Read, sort, write."""
        source, spill = self._source, self._spill
        images = source.images
        if images.groups is None and "group" in images.further:
            stated = images.further.pop("group")
            images.groups = [None if value is None else str(value) for value in stated]
        self._keep_own_names(images.further, "image")
        columns.id_type(images)  # refuses ids of both kinds before anything is read
        for rows in source.rows():
            self._keep_own_names(rows.further, "object")
            spill.add(rows)
        names, notes = source.settle()
        truth = self._role == "ground_truth"
        written = writer(
            self._role,
            labels=source.labels if truth else None,
            corner_convention=source.corner_convention,
            made_of=made_of,
        )
        ranges = cutting.ranges(images, spill.counts)
        kept = 0
        for number, (start, end, table) in enumerate(parts_of(spill, ranges)):
            rows_of_part = columns.part_table(table, images, names)
            kept += rows_of_part.num_rows
            first, last = (images.ids[start], images.ids[end - 1]) if end > start else (None, None)
            if truth:
                tables = {layout.IMAGES: columns.images_table(images, start, end), layout.OBJECTS: rows_of_part}
            else:
                tables = {layout.DETECTIONS: rows_of_part}
            written.add(first, last, tables)
            if self._progress is not None:
                self._progress("parts", number + 1, len(ranges))
        written.finish()
        return Sharded(
            self._role, len(images.ids), kept, len(source.labels), len(ranges), notes, list(dict.fromkeys(self._lost))
        )

    def _keep_own_names(self, further: MutableMapping[str, Any], kind: str) -> None:
        """Further fields that are called as columns of our own can't be kept beside them."""
        for name in [name for name in further if name in _RESERVED[kind]]:
            further.pop(name)
            self._lost.append(f"field {name} of {kind}s, which is the name of a column of shards")
