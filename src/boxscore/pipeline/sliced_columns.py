"""Columns of images and of objects by which a run is sliced, from wherever they stand."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.notes import listed
from boxscore.model.parted import PartedMatches
from boxscore.slices.slice import IMAGE, OBJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import polars as pl

    from boxscore.pipeline.run import Run

SIZE = "size"
"""Of objects: the area range of the protocol that they lie in."""

_IMAGE_OWN = ("image_id", "file_name", "width", "height", "group")
_OBJECT_OWN = ("area", "crowd", "ignore", "difficult", "group_of")
_PREFIXES = {f"{IMAGE}.": IMAGE, f"{OBJECT}.": OBJECT}


class Column:
    """One column: `kind` is `image` or `object`, `values` has a row an image (object); `brought`: not of our own."""

    __slots__ = ("brought", "kind", "values")

    def __init__(self, kind: str, values: pl.Series, *, brought: bool = False) -> None:
        self.kind = kind
        self.values = values
        self.brought = brought


def find(run: Run, names: Iterable[str]) -> dict[str, Column]:
    """The columns of these names.

    The first place that has it is taken: metadata of the images, fields of the images in the data set, what is known of
    any image (image_id, file_name, width, height, group), then attributes and fields of the objects, what is known of
    any (area, size, flags). `image.NAME` and `object.NAME` say which is meant. Fields of a COCO file are read in a
    second pass. Raises InputError that names the columns there are.
    """
    wanted = list(dict.fromkeys(names))
    found: dict[str, Column] = {}
    for kind in (IMAGE, OBJECT):
        sought = {name: bare(name) for name in wanted if name not in found and _may_be(name, kind)}
        columns = _of_kind(run, list(dict.fromkeys(sought.values())), kind)
        found |= {name: columns[bare] for name, bare in sought.items() if bare in columns}
    missing = [name for name in wanted if name not in found]
    if missing:
        raise InputError(_unknown(run, missing))
    return found


def spread(run: Run, column: Column) -> pl.Series:
    """A column of images as one of objects: that of the image of each."""
    import polars as pl

    if column.kind == OBJECT:
        return column.values
    return column.values.gather(pl.DataFrame(run.matches.ground_truth)["image"])


def _may_be(name: str, kind: str) -> bool:
    stated = next((kind for prefix, kind in _PREFIXES.items() if name.startswith(prefix)), kind)
    return stated == kind


def bare(name: str) -> str:
    """A column's name without what says of what it is."""
    return next((name[len(prefix) :] for prefix in _PREFIXES if name.startswith(prefix)), name)


def _of_kind(run: Run, names: Sequence[str], kind: str) -> dict[str, Column]:
    brought = run.metadata if kind == IMAGE else run.attributes
    found = (
        {} if brought is None else {n: Column(kind, brought[n], brought=True) for n in names if n in brought.columns}
    )
    if kind == OBJECT and SIZE in found:
        found[SIZE].values = _in_order(run, found[SIZE].values)
    rest = [name for name in names if name not in found]
    if rest and run.dataset is not None:
        read = _image_fields(run, rest) if kind == IMAGE else _object_fields(run, rest)
        own = _IMAGE_OWN if kind == IMAGE else _OBJECT_OWN
        found |= {name: Column(kind, values, brought=name not in own) for name, values in read.items()}
    rest = [name for name in rest if name not in found]
    known = dict(_known_of_images(run, rest) if kind == IMAGE else _known_of_objects(run, rest))
    return found | {name: Column(kind, values, brought=name == SIZE) for name, values in known.items()}


def _image_fields(run: Run, names: Sequence[str]) -> dict[str, pl.Series]:
    """Fields of the data set's images that any image has."""
    from boxscore.io import image_fields

    dataset = run.dataset
    if dataset is None:
        return {}
    if dataset.origin is None:
        stated: dict[str, list[object]] = {}
        for name in names:
            if name in dataset.attributes:
                try:
                    stated |= image_fields.by_image(dataset, [name])
                except InputError:
                    continue  # objects of an image differ in it: it is an attribute of theirs
    elif image_fields.readable(dataset):
        stated = image_fields.by_image(dataset, names)
    else:
        return {}
    return {name: _series(name, values) for name, values in stated.items() if any(v is not None for v in values)}


def _object_fields(run: Run, names: Sequence[str]) -> dict[str, pl.Series]:
    """Fields of the data set's objects that any object has, in the order of the tables."""
    import polars as pl

    from boxscore.io import image_fields
    from boxscore.io.coco import read_fields

    dataset = run.dataset
    if dataset is None:
        return {}
    rows = pl.DataFrame(dataset.ground_truth)["source_row"].cast(pl.Int64)
    if dataset.origin is None:
        stated = {name: _series(name, dataset.attributes[name]) for name in names if name in dataset.attributes}
    elif image_fields.readable(dataset):
        table = pl.DataFrame(read_fields(dataset.origin, "annotations", list(names)))
        stated = {name: table[name] for name in names}
    else:
        return {}
    return {name: values.gather(rows) for name, values in stated.items() if not values.is_null().all()}


def _known_of_images(run: Run, names: Sequence[str]) -> Iterator[tuple[str, pl.Series]]:
    import polars as pl

    groups = run.groups if "group" in names else None
    stated: dict[str, Sequence[object]] = {
        "image_id": run.image_ids if all(isinstance(i, int) for i in run.image_ids) else list(map(str, run.image_ids)),
        "file_name": run.file_names,
        "group": [None] * run.num_images if groups is None else groups.of_image,
    }
    for name in names:
        if name in stated and any(value is not None for value in stated[name]):
            yield name, _series(name, stated[name])
        elif name in ("width", "height") and run.dataset is not None:
            yield name, pl.DataFrame(run.dataset.images)[name]


def _known_of_objects(run: Run, names: Sequence[str]) -> Iterator[tuple[str, pl.Series]]:
    import polars as pl

    if run.dataset is None:
        return
    table = pl.DataFrame(run.dataset.ground_truth)
    for name in names:
        if name == SIZE:
            yield name, _sizes(run, table)
        elif name in _OBJECT_OWN:
            yield name, table[name]


def _sizes(run: Run, table: pl.DataFrame) -> pl.Series:
    """The first area range, apart from that of all, that an object's area lies in; borders belong to both ranges."""
    import polars as pl

    area = table["w"] * table["h"] if run.protocol.object_area == "box" else table["area"]
    names = pl.Series(SIZE, [None] * table.height, dtype=pl.String)
    for name, least, most in run.protocol.area_ranges[1:][::-1]:
        names = names.zip_with(~((area >= least) & (area <= most)), pl.Series(SIZE, [name]))
    # In the protocol's order, by which slices are sorted.
    return names.cast(pl.Enum([name for name, _, _ in run.protocol.area_ranges[1:]]))


def _in_order(run: Run, sizes: pl.Series) -> pl.Series:
    """Sizes as a run folder keeps them, as texts, in the protocol's order again; other values as they are."""
    import polars as pl

    ranges = [name for name, _, _ in run.protocol.area_ranges[1:]]
    own = sizes.dtype == pl.String and set(sizes.drop_nulls()) <= set(ranges)
    return sizes.cast(pl.Enum(ranges)) if own else sizes


def _series(name: str, values: Sequence[object]) -> pl.Series:
    """As numbers, booleans or texts; texts where kinds are mixed."""
    import polars as pl

    try:
        return pl.Series(name, values, strict=True)
    except (TypeError, pl.exceptions.PolarsError):
        if all(value is None or isinstance(value, int | float) for value in values):
            return pl.Series(name, values, dtype=pl.Float64, strict=False)
        return pl.Series(name, [None if value is None else str(value) for value in values])


def _unknown(run: Run, names: Sequence[str]) -> str:
    from boxscore.pipeline.sliced_fields import available

    of_images, of_objects = available(run)
    which = f"there is no column {names[0]!r}" if len(names) == 1 else f"there are no columns {listed(list(names))}"
    has = f"images have {listed(of_images, 40) or 'none'}; objects have {listed(of_objects, 40) or 'none'}"
    alone = "; of sharded data, fields of objects are let go" if isinstance(run.matches, PartedMatches) else ""
    return f"{which} to slice by: {has}{alone}. Mend the name, or bring the column with a table of metadata"
