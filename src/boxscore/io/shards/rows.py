"""Rows of parts as NumPy columns, ready for the kernel."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from boxscore.errors import InputError
from boxscore.io import stores
from boxscore.io.shards import cells, layout, parquet
from boxscore.model.labels import id_order, id_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import pyarrow as pa

    from boxscore.io.shards.layout import Part, PartFile, Shards
    from boxscore.model.labels import Id

    Array = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Images:
    """Images of a part in canonical order; `further` are metadata columns that were brought, by name."""

    ids: list[Id]
    file_names: list[str | None]
    sizes: Array  # float64 [images, 2], NaN: not known
    groups: list[str | None] | None = None
    further: dict[str, list[object]] = field(default_factory=dict)


@dataclass
class Boxes:
    """Objects or detections, by image and then as their files have them.

    `image` is the position of the image, `within` that of the row among the image's rows, `label` that of the label in
    `label_names` (-1: none is stated); the row is number `row` (from 0) of `files[file]`.
    """

    image: Array  # uint32
    within: Array  # int64
    label: Array  # int64
    label_names: list[str]
    boxes: Array  # float64 [rows, 4]: x, y, w, h
    files: list[str]
    file: Array  # uint16
    row: Array  # int64
    scores: Array | None = None
    area: Array | None = None
    flags: dict[str, Array] = field(default_factory=dict)  # uint8
    further: dict[str, Array] = field(default_factory=dict)  # objects

    def select(self, rows: Array) -> Boxes:
        """Some rows, in the order given."""
        return replace(
            self,
            image=self.image[rows],
            within=self.within[rows],
            label=self.label[rows],
            boxes=self.boxes[rows],
            file=self.file[rows],
            row=self.row[rows],
            scores=None if self.scores is None else self.scores[rows],
            area=None if self.area is None else self.area[rows],
            flags={name: values[rows] for name, values in self.flags.items()},
            further={name: values[rows] for name, values in self.further.items()},
        )

    def place(self, row: int) -> str:
        """Where a row stands, in words: file and row."""
        return f"{self.files[int(self.file[row])]} row {int(self.row[row])}"


def ground_truth(shards: Shards, part: Part, *, further: bool = False) -> tuple[Images, Boxes]:
    """One part of a data set; `further` also reads metadata and attributes. Raises InputError."""
    columns = object_columns(shards)
    if part.objects is None:
        raise InputError(f"{shards.source}: part {part.number} has no ground truth; write the data set again")
    table = _read(shards, part.objects, columns, further=further)
    if part.images is None:
        images = images_of_rows(shards, part.objects, table)
    else:
        images = images_of_file(shards, part.images, further=further)
    objects = boxes_of(shards, part.objects, table, images.ids, own=part.images is None)
    return images, _by_image(objects)


def detections(shards: Shards, parts: Sequence[Part], ids: Sequence[Id]) -> Boxes:
    """The detections of some images out of the parts that may hold any. Raises InputError."""
    columns = detection_columns(shards)
    pieces = []
    for part in parts:
        if part.detections is None:
            raise InputError(f"{shards.source}: part {part.number} has no detections; write the predictions again")
        table = _read(shards, part.detections, columns)
        pieces.append(boxes_of(shards, part.detections, table, ids, own=False, score=True))
    return _by_image(_joined(pieces))


def _read(shards: Shards, file: PartFile, columns: Sequence[str], *, further: bool = False) -> pa.Table:
    wanted = list(columns)
    if further:
        wanted += [name for name in parquet.schema(shards.root, file.path)[0] if name not in wanted]
    label = shards.name_of("label")
    return parquet.read(shards.root, file, wanted, texts=[label])


def images_of_file(shards: Shards, file: PartFile, *, further: bool) -> Images:
    """The images that a part's own file lists. Raises InputError where they are in no canonical order."""
    from itertools import pairwise

    import numpy as np

    wanted = list(layout.IMAGE_COLUMNS)
    if further:
        wanted += [name for name in parquet.schema(shards.root, file.path)[0] if name not in wanted]
    table = parquet.read(shards.root, file, wanted)
    place = stores.joined(shards.root, file.path)
    ids = table.column("image_id").to_pylist()
    order = [id_order(value) for value in ids]
    if any(later <= earlier for earlier, later in pairwise(order)):
        raise InputError(f"{place}: image ids don't ascend, or one is there twice; write the data set again")
    names = table.column("file_name").to_pylist() if "file_name" in table.column_names else [None] * len(ids)
    sizes = np.full((len(ids), 2), np.nan)
    for at, name in enumerate(("width", "height")):
        if name in table.column_names:
            sizes[:, at] = cells.numbers(cells.of_numbers(shards, file, table.column(name), name))
    groups = table.column("group").to_pylist() if "group" in table.column_names else None
    brought = {name: table.column(name).to_pylist() for name in table.column_names if name not in layout.IMAGE_COLUMNS}
    return Images(ids, names, sizes, groups, brought)


def images_of_rows(shards: Shards, file: PartFile, table: pa.Table, *, first: int = 0) -> Images:
    """The images that rows of a foreign file name, from row `first` of it on, in canonical order; sizes and file names
    are those of an image's first row.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    stated = table.column(shards.name_of("image_id"))
    if stated.null_count:
        raise cells.missing(shards, file, stated, "image_id", first)
    known = stated.unique()
    ids = sorted(known.to_pylist(), key=id_order)
    names: list[str | None] = [None] * len(ids)
    sizes = np.full((len(ids), 2), np.nan)
    columns = dict(shards.columns)
    if ids and not {"file_name", "width", "height"}.isdisjoint(columns):
        rows = pc.index_in(pa.array(ids, type=stated.type), stated.combine_chunks())
        if "file_name" in columns:
            texts = table.column(columns["file_name"]).cast(pa.string())
            names = texts.take(rows).to_pylist()
        for at, name in enumerate(("width", "height")):
            if name in columns:
                column = cells.of_numbers(shards, file, table.column(columns[name]), name)
                sizes[:, at] = cells.numbers(column.take(rows))
    return Images(ids, names, sizes)


def object_columns(shards: Shards) -> list[str]:
    """What the files call the columns of objects, and, in foreign files, those of their images."""
    own = [name for name in layout.OBJECT_COLUMNS if name not in ("source_id", *layout.BOX)]
    brought = [name for name in ("file_name", "width", "height") if name in dict(shards.columns)]
    return [shards.name_of(name) for name in (*own, *_box_names(shards), *brought)]


def detection_columns(shards: Shards) -> list[str]:
    """What the files call the columns of detections."""
    return [shards.name_of(name) for name in ("image_id", "label", *_box_names(shards), "score")]


def boxes_of(
    shards: Shards,
    file: PartFile,
    table: pa.Table,
    ids: Sequence[Id],
    *,
    own: bool,
    score: bool = False,
    first: int = 0,
) -> Boxes:
    """Rows of a file, from row `first` of it on, as they stand there; detections of other images are left out.

    `own`: rows without a label are images without objects. Raises InputError for a row that lacks something.
    """
    import numpy as np

    place = stores.joined(shards.root, file.path)
    stated = _column(shards, file, table, "image_id")
    image, rows = cells.positions(stated, ids)
    if rows is not None and not score:
        known = set(ids)
        other = next(value for value in stated.to_pylist() if value not in known)
        raise InputError(
            f"{place}: image_id {id_text(other)} is not among the images of this part; write the data set again"
        )
    label, names = cells.label_codes(_column(shards, file, table, "label"))
    corners = [_column(shards, file, table, name) for name in _box_names(shards)]
    if own:  # a row without label and box is an image without objects
        rows = np.flatnonzero(label >= 0) if (label < 0).any() else rows
        image = image if rows is None else image[rows]
    elif (label < 0).any():
        raise cells.missing(shards, file, _column(shards, file, table, "label"), "label", first)
    values = [
        cells.needed(shards, file, column, name, rows, first)
        for column, name in zip(corners, _box_names(shards), strict=True)
    ]
    found = Boxes(
        image=image,
        within=np.zeros(len(image), np.int64),
        label=cells.chosen(label, rows),
        label_names=names,
        boxes=_xywh(values, shards.boxes),
        files=[place],
        file=np.zeros(len(image), np.uint16),
        row=(np.arange(len(image)) if rows is None else rows) + first,
    )
    if score:
        found.scores = cells.needed(shards, file, _column(shards, file, table, "score"), "score", rows, first)
        return found
    _add_fields(shards, file, table, found, rows, first)
    return found


def _add_fields(shards: Shards, file: PartFile, table: pa.Table, found: Boxes, rows: Array | None, first: int) -> None:
    """Areas, flags, and whatever else the objects have."""
    used = {shards.name_of(name) for name in (*layout.OBJECT_COLUMNS, *_box_names(shards))} - {layout.SOURCE_ID}
    used |= set(dict(shards.columns).values())
    if (area := shards.name_of("area")) in table.column_names:
        found.area = cells.chosen(cells.numbers(cells.of_numbers(shards, file, table.column(area), "area")), rows)
    for flag in layout.FLAGS:
        if (name := shards.name_of(flag)) in table.column_names:
            found.flags[flag] = cells.chosen(cells.flags(shards, file, table.column(name), flag, first), rows)
    for name in table.column_names:
        if name not in used:
            found.further[name] = cells.chosen(cells.objects(table.column(name)), rows)


def _by_image(boxes: Boxes) -> Boxes:
    """Rows by image, those of an image as they stood, each with its position among them."""
    import numpy as np

    image = boxes.image
    if len(image) and (image[1:] < image[:-1]).any():
        boxes = boxes.select(np.argsort(image, kind="stable"))
    starts = np.searchsorted(boxes.image, boxes.image)
    return replace(boxes, within=np.arange(len(boxes.image)) - starts)


def _box_names(shards: Shards) -> tuple[str, ...]:
    return {"xywh": layout.BOX, "xyxy": ("x1", "y1", "x2", "y2"), "cxcywh": ("cx", "cy", "w", "h")}[shards.boxes]


def _xywh(values: Sequence[Array], form: str) -> Array:
    import numpy as np

    a, b, c, d = values
    if form == "xyxy":
        c, d = c - a, d - b
    elif form == "cxcywh":
        a, b = a - c / 2, b - d / 2
    boxes = np.empty((len(a), 4))
    for at, column in enumerate((a, b, c, d)):
        boxes[:, at] = column
    return boxes


def _column(shards: Shards, file: PartFile, table: pa.Table, name: str) -> pa.ChunkedArray:
    stated = shards.name_of(name)
    if stated not in table.column_names:
        place = stores.joined(shards.root, file.path)
        raise InputError(f"{place}: there is no column {stated}; the columns are {', '.join(table.column_names)}")
    return table.column(stated)


def _joined(pieces: Sequence[Boxes]) -> Boxes:
    """Pieces of several files one after another, labels counted in all of their names."""
    import numpy as np

    if len(pieces) == 1:
        return pieces[0]
    names = list(dict.fromkeys(name for piece in pieces for name in piece.label_names))
    number = {name: at for at, name in enumerate(names)}
    labels = [np.array([number[name] for name in piece.label_names] or [0])[piece.label] for piece in pieces]
    image = np.concatenate([np.empty(0, np.uint32), *(piece.image for piece in pieces)])
    return Boxes(
        image=image,
        within=np.zeros(len(image), np.int64),
        label=np.concatenate([np.empty(0, np.int64), *labels]),
        label_names=names,
        boxes=np.concatenate([np.empty((0, 4)), *(piece.boxes for piece in pieces)]),
        files=[file for piece in pieces for file in piece.files],
        file=np.concatenate([np.empty(0, np.uint16), *(np.full(len(p.image), at) for at, p in enumerate(pieces))]),
        row=np.concatenate([np.empty(0, np.int64), *(piece.row for piece in pieces)]),
        scores=np.concatenate([np.empty(0), *(piece.scores for piece in pieces if piece.scores is not None)]),
    )
