"""Open Images: a CSV file with a row a box, ImageID, LabelName, XMin, XMax, YMin, YMax as shares of the image's size.

Sizes are not in the file, nor are images without boxes. `IsGroupOf` is the flag `group_of`.
"""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import class_list, filling, flat, frames, image_names, losses, share_pixels, table_rows
from boxscore.io.given_sizes import GivenSizes, all_names
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import ExitStack
    from os import PathLike

    import polars as pl

    from boxscore.io.filling import Filling
    from boxscore.io.form_options import FormOptions
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions

ROWS = 100_000
"""Rows that are read at a time."""

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
    return filling.dataset_of(_Filling(path, options), reading)


def fill_ground_truth(path: str | PathLike[str], options: FormOptions) -> Filling:
    """The same some rows at a time."""
    return _Filling(path, options)


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """The same with a score a row, from `Confidence` or `Score`; sizes are also taken from the data set."""
    return filling.predictions_of(_Filling(path, options, dataset), dataset, reading, threads)


def fill_predictions(
    path: str | PathLike[str],
    dataset: Dataset,
    options: FormOptions,
    reading: Reading,  # noqa: ARG001  part of the interface of forms
    stack: ExitStack,  # noqa: ARG001  likewise
) -> Filling:
    """The same some rows at a time."""
    return _Filling(path, options, dataset)


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


class _Filling:
    """See `filling.Filling`. `dataset`: that of predictions."""

    corner_convention = "continuous"

    def __init__(
        self,
        path: str | PathLike[str],
        options: FormOptions,
        dataset: Dataset | None = None,
    ) -> None:
        self._path, self._options, self._dataset = path, options, dataset
        self._survey = _Survey(path, options, dataset)
        self._edges = _Edges(path, self._survey)
        self.labels = None if dataset is not None else class_list.label_set(options)
        self.columns = flat.Columns(Path(path).name, noun="annotation" if dataset is None else "detection")
        self.columns.add_file(self.columns.name)

    def steps(self) -> Iterator[None]:
        """A row each; then the images of which sizes alone are known."""
        for first, frame in _numbered(self._path):
            yield from self._rows(frame, first)
        for stem in all_names(self._options) if self._dataset is None else ():
            self.columns.add_image(stem, None, *(self._survey.sizes.get(stem) or ()))
        yield

    def _rows(self, frame: pl.DataFrame, first: int) -> Iterator[None]:
        path, columns, survey = self._path, self.columns, self._survey
        images, labels = (_texts(frame, name, path, first) for name in _NEEDED[:2])
        self._edges.take(frame, first)
        scores = None if self._dataset is None else _scores(frame, path, first)
        flags = {name: _flags(frame, name, path, first) for name in ("IsGroupOf", *ATTRIBUTES.values())}
        for row, (image, label) in enumerate(zip(images, labels, strict=True)):
            stem = survey.stems[image]
            line = first + row + 2
            box = self._edges.box(row, stem, line)
            columns.add(
                columns.add_image(stem, image if image != stem else None, *(survey.sizes.get(stem) or ())),
                label,
                box,
                line,
                score=float("nan") if scores is None else _needed(scores[row], "Confidence", f"{path} line {line}"),
                flags=("group_of",) if flags["IsGroupOf"][row] else (),
                attributes={name: value for name, c in ATTRIBUTES.items() if (value := flags[c][row]) is not None},
            )
            yield

    def notes(self) -> list[Note]:
        """How numbers, sizes and labels are read."""
        columns, options, survey = self.columns, self._options, self._survey
        form = "pixels, as asked for" if options.coords == "abs" else "relative corners (override: --coords abs)"
        form += ", all of them whole pixels but for rounding, and read as these" if survey.whole else ""
        message = (
            f"{columns.name}: Open Images CSV, {counted(columns.total, 'row')}, {form}; sizes from {survey.source} "
            "(override: --images, --img-size)"
        )
        message += "" if self._dataset is not None else f"; labels {class_list.told(options)}"
        notes = [Note("read-as", message, columns.total)]
        if self._edges.commas:
            read = (
                f"{columns.name}: {counted(self._edges.commas, 'number')} with a decimal comma, read as a decimal point"
            )
            notes.append(Note("decimal-comma", read, self._edges.commas))
        return notes


class _Survey:
    """What all rows show: `stems` of images as they are stated, `sizes` by stem, from `source` in words; whether all
    numbers are shares (`relative`) that lie as near to whole pixels as their decimals can say (`whole`), and are read
    as these.
    """

    def __init__(self, path: str | PathLike[str], options: FormOptions, dataset: Dataset | None) -> None:
        head = frames.head(path) or frames.read(path).columns  # which says what is wrong
        lacking = [name for name in _NEEDED if name not in head]
        if lacking:
            raise InputError(f"{path}: column {lacking[0]} is missing; it has {', '.join(head)}")
        self._path = path
        self.relative = options.coords != "abs"
        self.stems: dict[str, str] = {}
        decimals = 0
        for frame in frames.batches(path, ROWS, ["ImageID", *_BOX]):
            new = dict.fromkeys(text for text in frames.texts(frame, "ImageID") if text not in self.stems)
            self.stems |= {text: image_names.stem(text) for text in new if text is not None}
            decimals = max(decimals, *(frames.decimals(frame, name) for name in _BOX))
        named = list(dict.fromkeys(self.stems.values()))
        given = GivenSizes(options, [*named, *(all_names(options) if dataset is None else [])], Path(path).parent)
        known = {} if dataset is None else _known_sizes(dataset)
        self.source = given.source
        self.sizes = {stem: size for stem in named if (size := given.find(stem) or known.get(stem)) is not None}
        for stem in all_names(options) if dataset is None else ():
            if (size := given.find(stem)) is not None:
                self.sizes[stem] = size
        self.whole = self.relative and all(
            self._is_whole(frame, first, decimals) for first, frame in _numbered(path, ["ImageID", *_BOX])
        )

    def _is_whole(self, frame: pl.DataFrame, first: int, decimals: int) -> bool:
        sizes = [None if text is None else self.sizes.get(self.stems[text]) for text in frames.texts(frame, "ImageID")]
        return all(
            share is None or size is None or share_pixels.is_whole(share, size[side // 2], decimals)
            for side, name in enumerate(_BOX)
            for share, size in zip(frames.numbers(frame, name, self._path, first)[0], sizes, strict=True)
        )


def _numbered(path: str | PathLike[str], columns: Sequence[str] | None = None) -> Iterator[tuple[int, pl.DataFrame]]:
    first = 0
    for frame in frames.batches(path, ROWS, columns):
        yield first, frame
        first += frame.height


class _Edges:
    """The four columns of coordinates of some rows. `commas`: how many numbers had a decimal comma so far."""

    def __init__(self, path: str | PathLike[str], survey: _Survey) -> None:
        self._path = path
        self._survey = survey
        self._columns: list[list[float | None]] = []
        self.commas = 0

    def take(self, frame: pl.DataFrame, first: int) -> None:
        """The next rows, of which `first` is the number of the first one."""
        found = [frames.numbers(frame, name, self._path, first) for name in _BOX]
        self._columns = [values for values, _ in found]
        self.commas += sum(commas for _, commas in found)

    def box(self, row: int, stem: str, line: int) -> tuple[float, float, float, float]:
        """x, y, w, h in pixels. Raises InputError for what is missing, the image's size included."""
        place = f"{self._path} line {line}"
        x1, x2, y1, y2 = (_needed(c[row], name, place) for name, c in zip(_BOX, self._columns, strict=True))
        if self._survey.relative:
            size = self._survey.sizes.get(stem)
            if size is None:
                raise InputError(f"{place}: the size of image {id_text(stem)} isn't known; {_REMEDY}")
            x1, x2 = (share_pixels.pixels(x, size[0], whole=self._survey.whole) for x in (x1, x2))
            y1, y2 = (share_pixels.pixels(y, size[1], whole=self._survey.whole) for y in (y1, y2))
        return x1, y1, x2 - x1, y2 - y1


def _scores(frame: pl.DataFrame, path: str | PathLike[str], first: int) -> list[float | None]:
    for name in _SCORES:
        if name in frame.columns:
            return frames.numbers(frame, name, path, first)[0]
    raise InputError(f"{path}: predictions need a column Confidence (or Score); it has {', '.join(frame.columns)}")


def _flags(frame: pl.DataFrame, name: str, path: str | PathLike[str], first: int) -> list[bool | None]:
    """1, 0, or -1 and nothing for unknown."""
    if name not in frame.columns:
        return [None] * frame.height
    return [None if value is None or value < 0 else value > 0 for value in frames.numbers(frame, name, path, first)[0]]


def _texts(frame: pl.DataFrame, name: str, path: str | PathLike[str], first: int) -> list[str]:
    """A column of texts, all of them there. Raises InputError for a row without one."""
    found: list[str] = []
    for row, value in enumerate(frames.texts(frame, name)):
        if value is None:
            raise InputError(f"{path} line {first + row + 2}: {name} is missing; give it in every row")
        found.append(value)
    return found


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
