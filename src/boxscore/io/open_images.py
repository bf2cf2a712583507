"""Open Images: a CSV file with a row a box, ImageID, LabelName, XMin, XMax, YMin, YMax as shares of the image's size.

Sizes are not in the file, nor are images without boxes. `IsGroupOf` is the flag `group_of`.
"""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import class_list, flat, frames, image_names, losses, share_pixels, table_rows
from boxscore.io.given_sizes import GivenSizes, all_names
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    import polars as pl

    from boxscore.io.form_options import FormOptions
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions

ATTRIBUTES = {"occluded": "IsOccluded", "truncated": "IsTruncated", "depiction": "IsDepiction", "inside": "IsInside"}
_BOX = ("XMin", "XMax", "YMin", "YMax")
_NEEDED = ("ImageID", "LabelName", *_BOX)
_SCORES = ("Confidence", "Score")
_REMEDY = "give the pictures' folder, or a table of name, width and height, with --images, or one size with --img-size"


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a CSV file that has the columns."""
    if Path(path).suffix.lower() != ".csv" or not set(_NEEDED) <= set(frames.head(path)):
        return None
    return "Open Images CSV: ImageID, LabelName, XMin, XMax, YMin, YMax"


def read_ground_truth(
    path: str | PathLike[str],
    options: FormOptions,
    reading: Reading,
    threads: int = 1,  # noqa: ARG001  part of the interface of forms
) -> Dataset:
    """A box a row. Images are those of the rows, and those whose sizes are given; ids are ImageID without suffix.

    Raises InputError that names line, field and value, and for an image whose size isn't known.
    """
    columns, notes = _read(path, options, with_score=False)
    return flat.build_dataset(columns, reading, labels=class_list.label_set(options), notes=notes)


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """The same with a score a row, from `Confidence` or `Score`; sizes are also taken from the data set."""
    columns, notes = _read(path, options, with_score=True, dataset=dataset)
    return flat.build_predictions(columns, dataset, reading, notes=notes, threads=threads)


def write_ground_truth(
    dataset: Dataset,
    path: str | PathLike[str],
    options: FormOptions,
) -> list[str]:
    """Write one file. Returns what is lost. Raises InputError where an image's size isn't known."""
    sizes, stems = _sizes_of(dataset, options, Path(path)), image_names.stems_of(dataset)
    rows: dict[str, list[object]] = {name: [] for name in _columns()}
    for row in table_rows.objects_of(dataset):
        _append(rows, stems[row.image], row.label, row.box, sizes[row.image])
        rows["Confidence"].append(1)
        rows["IsGroupOf"].append(int("group_of" in row.flags))
        for name, column in ATTRIBUTES.items():
            value = row.attributes.get(name)
            rows[column].append(-1 if value is None else int(bool(value)))
    frames.write(rows, path)
    return losses.of_ground_truth(dataset, flags=("group_of",), attributes=tuple(ATTRIBUTES))


def write_predictions(predictions: Predictions, path: str | PathLike[str], options: FormOptions) -> list[str]:
    """Write one file, the score as Confidence. Raises InputError where an image's size isn't known."""
    dataset = predictions.dataset
    sizes, stems = _sizes_of(dataset, options, Path(path)), image_names.stems_of(dataset)
    rows: dict[str, list[object]] = {name: [] for name in ("ImageID", "LabelName", "Confidence", *_BOX)}
    for row in table_rows.detections_of(predictions):
        _append(rows, stems[row.image], row.label, row.box, sizes[row.image])
        rows["Confidence"].append(row.score)
    frames.write(rows, path)
    return []


def _read(
    path: str | PathLike[str], options: FormOptions, *, with_score: bool, dataset: Dataset | None = None
) -> tuple[flat.Columns, list[Note]]:
    frame = frames.read(path)
    lacking = [name for name in _NEEDED if name not in frame.columns]
    if lacking:
        raise InputError(f"{path}: column {lacking[0]} is missing; it has {', '.join(frame.columns)}")
    columns = flat.Columns(Path(path).name, noun="detection" if with_score else "annotation")
    columns.add_file(columns.name)
    images, labels = ([_stated(*cell) for cell in _cells(frame, name, path)] for name in _NEEDED[:2])
    stems = [image_names.stem(image) for image in images]
    given = GivenSizes(options, [*stems, *(all_names(options) if not with_score else [])], Path(path).parent)
    known = {} if dataset is None else _known_sizes(dataset)
    sizes = [given.find(stem) or known.get(stem) for stem in stems]
    edges = _Edges(frame, path, sizes, relative=options.coords != "abs")
    scores = _scores(frame, path) if with_score else None
    flags = {name: _flags(frame, name, path) for name in ("IsGroupOf", *ATTRIBUTES.values())}
    for row, (image, stem, label) in enumerate(zip(images, stems, labels, strict=True)):
        position = columns.add_image(stem, image if image != stem else None, *(sizes[row] or ()))
        columns.add(
            position,
            label,
            edges.box(row, stem),
            row + 2,
            score=float("nan") if scores is None else _needed(scores[row], "Confidence", f"{path} line {row + 2}"),
            flags=("group_of",) if flags["IsGroupOf"][row] else (),
            attributes={name: value for name, c in ATTRIBUTES.items() if (value := flags[c][row]) is not None},
        )
    for stem in all_names(options) if not with_score else ():
        columns.add_image(stem, None, *(given.find(stem) or ()))
    return columns, _notes(columns, given, edges, options)


class _Edges:
    """The four columns of coordinates. `commas`: how many numbers had a decimal comma; `whole`: all of them lie as
    near to whole pixels as their decimals can say, and are read as these.
    """

    def __init__(
        self,
        frame: pl.DataFrame,
        path: str | PathLike[str],
        sizes: Sequence[tuple[float, float] | None],
        *,
        relative: bool,
    ) -> None:
        found = [frames.numbers(frame, name, path) for name in _BOX]
        self._columns = [values for values, _ in found]
        self._path = path
        self._sizes = sizes
        self._relative = relative
        self.commas = sum(commas for _, commas in found)
        decimals = max((frames.decimals(frame, name) for name in _BOX), default=0)
        self.whole = relative and all(
            share is None or size is None or share_pixels.is_whole(share, size[side // 2], decimals)
            for side, values in enumerate(self._columns)
            for share, size in zip(values, sizes, strict=True)
        )

    def box(self, row: int, stem: str) -> tuple[float, float, float, float]:
        """x, y, w, h in pixels. Raises InputError for what is missing, the image's size included."""
        place = f"{self._path} line {row + 2}"
        x1, x2, y1, y2 = (_needed(c[row], name, place) for name, c in zip(_BOX, self._columns, strict=True))
        if self._relative:
            size = self._sizes[row]
            if size is None:
                raise InputError(f"{place}: the size of image {id_text(stem)} isn't known; {_REMEDY}")
            x1, x2 = (share_pixels.pixels(x, size[0], whole=self.whole) for x in (x1, x2))
            y1, y2 = (share_pixels.pixels(y, size[1], whole=self.whole) for y in (y1, y2))
        return x1, y1, x2 - x1, y2 - y1


def _notes(columns: flat.Columns, given: GivenSizes, edges: _Edges, options: FormOptions) -> list[Note]:
    form = "pixels, as asked for" if options.coords == "abs" else "relative corners (override: --coords abs)"
    form += ", all of them whole pixels but for rounding, and read as these" if edges.whole else ""
    message = (
        f"{columns.name}: Open Images CSV, {counted(columns.num_rows, 'row')}, {form}; sizes from {given.source} "
        "(override: --images, --img-size)"
    )
    message += "" if columns.noun == "detection" else f"; labels {class_list.told(options)}"
    notes = [Note("read-as", message, columns.num_rows)]
    if edges.commas:
        read = f"{columns.name}: {counted(edges.commas, 'number')} with a decimal comma, read as a decimal point"
        notes.append(Note("decimal-comma", read, edges.commas))
    return notes


def _scores(frame: pl.DataFrame, path: str | PathLike[str]) -> list[float | None]:
    for name in _SCORES:
        if name in frame.columns:
            return frames.numbers(frame, name, path)[0]
    raise InputError(f"{path}: predictions need a column Confidence (or Score); it has {', '.join(frame.columns)}")


def _flags(frame: pl.DataFrame, name: str, path: str | PathLike[str]) -> list[bool | None]:
    """1, 0, or -1 and nothing for unknown."""
    if name not in frame.columns:
        return [None] * frame.height
    return [None if value is None or value < 0 else value > 0 for value in frames.numbers(frame, name, path)[0]]


def _cells(frame: pl.DataFrame, name: str, path: str | PathLike[str]) -> list[tuple[str | None, str, str]]:
    return [(value, name, f"{path} line {row + 2}") for row, value in enumerate(frames.texts(frame, name))]


def _stated(value: str | None, field: str, place: str) -> str:
    if value is None:
        raise InputError(f"{place}: {field} is missing; give it in every row")
    return value


def _needed(value: float | None, field: str, place: str) -> float:
    if value is None:
        raise InputError(f"{place}: {field} is missing; give a number")
    return value


def _known_sizes(dataset: Dataset) -> dict[str, tuple[float, float]]:
    images = dataset.images
    names = image_names.stems_of(dataset)
    sizes = zip(names, images.column("width").to_list(), images.column("height").to_list(), strict=True)
    return {
        name: (float(w), float(h)) for name, w, h in sizes if isinstance(w, int | float) and isinstance(h, int | float)
    }


def _sizes_of(dataset: Dataset, options: FormOptions, path: Path) -> list[tuple[float, float]]:
    stems = image_names.stems_of(dataset)
    given, known = GivenSizes(options, stems, path.parent), _known_sizes(dataset)
    sizes = []
    for stem in stems:
        size = known.get(stem) or given.find(stem)
        if size is None:
            raise InputError(f"the size of image {id_text(stem)} isn't known, and coordinates are relative; {_REMEDY}")
        sizes.append(size)
    return sizes


def _append(
    rows: dict[str, list[object]], stem: str, label: str, box: table_rows.Box, size: tuple[float, float]
) -> None:
    x, y, w, h = box
    rows["ImageID"].append(stem)
    rows["LabelName"].append(label)
    edges = (x / size[0], (x + w) / size[0], y / size[1], (y + h) / size[1])
    for name, value in zip(_BOX, edges, strict=True):
        rows[name].append(value)
    if "Source" in rows:
        rows["Source"].append("")


def _columns() -> list[str]:
    return [
        "ImageID", "Source", "LabelName", "Confidence", *_BOX,
        "IsOccluded", "IsTruncated", "IsGroupOf", "IsDepiction", "IsInside",
    ]  # fmt: skip
