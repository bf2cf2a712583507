"""The kernel: bytes and columns in, columns out. It knows no paths, label names or protocol names.

Numbers of threads are at least 1; every result is the same bytes for any number of them.
"""

from collections.abc import Sequence
from typing import final

from typing_extensions import Buffer, CapsuleType

Id = int | str

__version__: str

class ParseError(ValueError):
    """Bytes that are not what they should be; the caller adds the name of the file."""

    problem: str
    """What is wrong, in words, without place."""
    section: str | None
    """`images`, `annotations`, `categories`, `results`, or None outside any of them."""
    row: int | None
    """Entry of the section, from 0."""
    field: str | None
    byte: int
    """Offset of the byte at fault, from 0."""
    found: str
    """The text found there, cut short; empty at the end of the file."""

@final
class Column:
    """One column. Numeric columns without nulls hand out their memory through the buffer protocol."""

    name: str
    format: str
    """Arrow's name of the type, such as `UInt32`, `Float64`, `Utf8`, `Boolean`."""
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[CapsuleType, CapsuleType]: ...
    def to_list(self) -> list[int | float | str | bool | None]: ...

@final
class Table:
    """Named columns of one length, in Arrow layout (polars, pyarrow and DuckDB read it as it is)."""

    num_rows: int
    column_names: list[str]
    def column(self, name: str) -> Column: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...

@final
class Finding:
    """Something counted while tables were made; the caller words it and decides what it means."""

    code: str
    count: int
    """How many rows show it."""
    row: int
    """The first such row of the file, from 0."""
    other: int | None
    """A second row that belongs to it (a repeat), where there is one."""
    field: str | None
    value: str | None
    extra: float | None
    """A second figure, by code (see the kernel's `findings.rs`)."""

@final
class RawGroundTruth:
    """A COCO ground-truth file as stated, ids not yet resolved."""

    num_images: int
    num_annotations: int
    sections: list[str]
    """The top-level keys, in file order."""
    categories: list[tuple[Id, str | None]]
    """Id and name, in file order, as stated."""
    category_uses: list[tuple[Id, int, int]]
    """Distinct category ids of the annotations: id, first row, rows."""

@final
class RawDetections:
    """A COCO results file as stated."""

    num_rows: int
    label_uses: list[tuple[bool, Id, int, int]]
    """Distinct labels: whether given by name (`category_name`) instead of id, the id or name, first row, rows."""
    def unknown_images(self, dataset: Dataset) -> list[Id]:
        """Distinct image ids that the data set does not hold, in canonical order."""

def parse_ground_truth(data: Buffer, threads: int) -> RawGroundTruth:
    """Read a COCO ground-truth file from bytes (a memory map will do). Raises ParseError."""

def parse_results(data: Buffer, threads: int) -> RawDetections:
    """Read a COCO results file (an array of detections). Raises ParseError."""

def fetch_fields(data: Buffer, section: str, fields: Sequence[str]) -> Table:
    """Second pass: scalar fields of `images`, `annotations`, `categories` or `results`, a row an entry, by file order.

    A column is Int64, Float64, Boolean or Utf8, whichever holds all its values; mixed ones, and objects and arrays,
    come as their JSON text. A missing or null field is null.
    """

@final
class Dataset:
    """Images in canonical order (integers ascending, then text by code point); objects by image, label, file order."""

    num_images: int
    num_objects: int
    images: Table
    """image, image_id, file_name, width, height, group, source_row."""
    ground_truth: Table
    """image, label, x, y, w, h, area, crowd, ignore, difficult, group_of, source_id, source_row."""
    image_ids: list[Id]
    def with_images(self, image_ids: Sequence[Id]) -> Dataset:
        """The same with further images that hold no objects."""
    def with_groups(self, groups: Sequence[str | None]) -> Dataset:
        """The same with a group (clip, session, camera) for each image."""
    def merge_labels(self) -> Dataset:
        """All labels made label 0; rows of an image keep their order (label, then file order)."""
    def count_outside(
        self, low: float, high: float, *, area_from_box: bool = False, honour_ignore: bool = False
    ) -> tuple[int, int | None]:
        """Objects to be found whose area lies outside a range, and the first row of the file among them."""
    def objects_by_label(self, num_labels: int) -> list[int]: ...

@final
class Detections:
    """Detections by image, label, descending score, file order."""

    num_rows: int
    table: Table
    """image, label, x, y, w, h, score, source_row."""
    def merge_labels(self) -> Detections:
        """All labels made label 0; order by image, descending score, then former label, then file order."""
    def suppress(self, most: float, *, pixel: float = 0.0, threads: int = 1) -> Detections:
        """Non-maximum suppression: rows stay unless a better one of their image and label that stays overlaps them by
        `most` (IoU) or more."""
    def count_by_label(self, num_labels: int) -> list[int]: ...

def build_dataset(
    raw: RawGroundTruth,
    labels: Sequence[int],
    *,
    corners: bool = False,
    drop_degenerate: bool = False,
) -> tuple[Dataset, list[Finding]]:
    """Resolve ids and order the tables. `labels` runs with `raw.category_uses`; -1 leaves those rows out.

    Rows that can't be placed (unknown image, numbers that are not finite) are left out and are always among the
    findings, so that the caller may refuse. Findings: see `findings.rs`.
    """

def build_detections(
    raw: RawDetections,
    dataset: Dataset,
    labels: Sequence[int],
    *,
    corners: bool = False,
    drop_degenerate: bool = False,
    threads: int = 1,
) -> tuple[Detections, list[Finding]]:
    """The same for detections; `labels` runs with `raw.label_uses`."""

def dataset_from_columns(
    image_ids: Sequence[Id],
    image: Buffer,
    label: Buffer,
    boxes: Buffer,
    *,
    area: Buffer | None = None,
    crowd: Buffer | None = None,
    ignore: Buffer | None = None,
    difficult: Buffer | None = None,
    group_of: Buffer | None = None,
    file_names: Sequence[str | None] | None = None,
    sizes: Buffer | None = None,
    corners: bool = False,
    drop_degenerate: bool = False,
    part: bool = False,
) -> tuple[Dataset, list[Finding]]:
    """From flat columns: `image` (uint32, position in `image_ids`), `label` (uint32, dense: memory grows with the
    largest), `boxes` (float64, 4 a row), `area` (float64; NaN: not given), flags (uint8); `sizes` (float64, width and
    height an image; NaN: not known). `part`:
    the rows are some of many; findings that only the whole can settle are told as counts (the kernel's `findings.rs`).
    """

def detections_from_columns(
    dataset: Dataset,
    image_ids: Sequence[Id],
    image: Buffer,
    label: Buffer,
    boxes: Buffer,
    scores: Buffer,
    *,
    corners: bool = False,
    drop_degenerate: bool = False,
    part: bool = False,
    threads: int = 1,
) -> tuple[Detections, list[Finding]]:
    """From flat columns as above, with `scores` (float64)."""

@final
class Matches:
    """What matching found. A cell is one (area range, IoU threshold) pair: cell = range x thresholds + threshold."""

    num_cells: int
    num_images: int
    detections: Table
    """image, label, score, rank, matched, ignored, gt (row of the ground truth at cell 0, null when unmatched)."""
    ground_truth: Table
    """image, label, matched, ignored."""
    assignments: Column | None
    """On request: row of the ground truth taken, per detection and cell (cells run fastest); 4294967295: none."""
    def over_limit(self, limit: int) -> tuple[int, int]:
        """Pairs of image and label with more detections than a limit, and detections beyond it."""
    def relabel(self, old: Sequence[int], new: Sequence[int]) -> Matches:
        """The same with label `old[i]` as label `new[i]`, both ascending."""
    def detections_by_label(self, num_labels: int) -> list[int]: ...
    def objects_by_label(self, num_labels: int) -> list[int]: ...
    def state(self) -> tuple[int, int, dict[str, bytes]]:
        """All columns as bytes, for pickling."""
    @staticmethod
    def from_state(num_cells: int, num_images: int, columns: dict[str, bytes]) -> Matches: ...
    def blocks(self, num_labels: int) -> list[bytes]:
        """The same cut by label: one compact block each (layout: the kernel's `blocks`), empty where it has no rows."""
    @staticmethod
    def from_blocks(
        given: Sequence[tuple[int, int, Buffer]],
        image_rows: Sequence[Buffer],
        num_images: int,
        num_cells: int,
        *,
        threads: int = 1,
    ) -> Matches:
        """Blocks as one: (part, label that the rows get, bytes) each, in any order.

        `image_rows[p][i]` (int64) is the new row of image i of part p, -1 to leave it out. Raises ValueError for a
        block that was cut off or changed.
        """
    @staticmethod
    def merge(parts: Sequence[Matches], image_rows: Sequence[Sequence[int]], num_images: int) -> Matches:
        """Parts over disjoint images as one. `image_rows[p][i]`: the new row of image i of part p, -1 to leave it out.

        `gt` refers to the merged ground truth; assignments are not kept.
        """

def match_detections(
    dataset: Dataset,
    detections: Detections,
    *,
    iou_thresholds: Sequence[float],
    area_ranges: Sequence[tuple[float, float]],
    max_detections: int,
    rule: str = "coco",
    ignored: Sequence[str] = ("crowd",),
    pixel: float = 0.0,
    area_from_box: bool = False,
    assignments: bool = False,
    threads: int = 1,
) -> Matches:
    """Greedy matching by descending score inside each image and label, in every cell at once (at most 64 cells).

    `rule`: `coco` (the best overlap that is free, one that counts before an ignored one, the last among equals),
    `greedy` (the same, the first among equals), `voc` (the best overlap or nothing, the first among equals). Area
    ranges hold both their ends. Ground truth outside a range, or with one of the flags `ignored` (`crowd`, `ignore`,
    `difficult`, `group_of`), is ignored; detections beyond `max_detections` take no part. `pixel` is added to widths
    and heights (1 where corners are the first and the last pixel).
    """

def overlap_pairs(
    dataset: Dataset, detections: Detections, *, min_overlap: float = 0.1, pixel: float = 0.0, threads: int = 1
) -> Table:
    """All pairs of any labels in one image: detection, ground_truth, overlap (over the detection's area for crowds)."""

@final
class Curves:
    """Weighted sums over Matches: what every measure reads."""

    num_labels: int
    num_areas: int
    num_limits: int
    num_thresholds: int
    num_points: int
    positives: Column
    """UInt64 [labels, areas]: ground truth that counts."""
    precision: Column
    """Float64 [labels, areas, limits kept, thresholds, recall points]; -1 where there are no positives."""
    scores: Column | None
    """Float64, the same shape, on request: the score at which each recall point is reached, 0 where it is not."""
    recall: Column
    """Float64 [labels, areas, limits, thresholds]; -1 where there are no positives."""
    average_precision: Column | None
    """Float64 [labels, areas, limits kept, thresholds], on request: area under the precision envelope (every point)."""
    @staticmethod
    def joined(parts: Sequence[Curves]) -> Curves:
        """The labels of several, one after another. Raises ValueError where their shapes differ."""
    def state(self) -> tuple[list[int], list[bytes | None]]:
        """Shape and columns as bytes, for pickling."""
    @staticmethod
    def from_state(shape: Sequence[int], columns: Sequence[bytes | None]) -> Curves: ...
    def mean_precision(
        self, *, area: int, limit: int, thresholds: Sequence[int], labels: Sequence[int]
    ) -> float | None:
        """Mean over thresholds, recall points and labels with positives, summed as NumPy sums; None without any."""
    def mean_recall(
        self, *, area: int, limit: int, thresholds: Sequence[int], labels: Sequence[int]
    ) -> float | None: ...
    def mean_average_precision(
        self, *, area: int, limit: int, thresholds: Sequence[int], labels: Sequence[int]
    ) -> float | None:
        """The same over `average_precision`."""

def accumulate(
    matches: Matches,
    *,
    num_labels: int,
    num_areas: int,
    limits: Sequence[int],
    recall_points: Sequence[float],
    detection_weights: Buffer | None = None,
    object_weights: Buffer | None = None,
    every_point: bool = False,
    every_limit: bool = False,
    scores: bool = False,
    spaced: bool = True,
    threads: int = 1,
) -> Curves:
    """Precision and recall by descending score, image, rank.

    `limits`: detections an image and label (ascending). Weights: uint32 an image; weight k is k copies side by side, 0
    leaves out. `every_limit` keeps precision at every limit, else at the last alone. `spaced` divides by
    `fp + tp + 2**-52` as pycocotools does, else by `fp + tp`.
    """

class TextError(ValueError):
    """A line that can't be read; the caller names the file."""

    problem: str
    file: int
    """Position of the file in the list."""
    line: int
    """From 1."""
    field: str
    """`line`, `class`, `box`, `polygon` or `score`."""
    found: str

@final
class TextRows:
    """Boxes read from lines of text, as stated; boxes are x, y, w, h in pixels already."""

    num_rows: int
    polygons: int
    """Lines that were polygons."""
    label_uses: list[tuple[Id, int, int]]
    """Distinct labels in order of appearance: number or text, first row, rows."""
    table: Table
    """file, line, label (position in `label_uses`), x, y, w, h, score."""
    def place(self, row: int) -> tuple[int, int]:
        """File and line (from 1) of a row."""
    def build_dataset(
        self,
        image_ids: Sequence[Id],
        labels: Sequence[int],
        *,
        file_names: Sequence[str | None] | None = None,
        sizes: Buffer | None = None,
        drop_degenerate: bool = False,
    ) -> tuple[Dataset, list[Finding]]:
        """Ground truth: an image id for each file, a label number (or -1: left out) for each of `label_uses`, and
        width and height of each image (float64, 2 a file, NaN: not known). Areas are those of the boxes."""
    def build_detections(
        self,
        dataset: Dataset,
        image_ids: Sequence[Id],
        labels: Sequence[int],
        *,
        drop_degenerate: bool = False,
        threads: int = 1,
    ) -> tuple[Detections, list[Finding]]: ...

def read_text(
    files: Sequence[Buffer],
    *,
    score: str = "none",
    numbers: str = "xywh",
    relative: bool = False,
    numbered: bool = False,
    polygons: bool = False,
    sizes: Buffer | None = None,
    threads: int = 1,
) -> TextRows:
    """Read one file an image, one box a line: a label, four numbers, and for detections a score. Raises TextError.

    `score`: `none`, `second` (behind the label) or `last`. `numbers`: `xywh`, `xyxy`, `cxcywh`. `relative`: shares of
    the image's size, given by `sizes` (float64, width and height a file). `numbered`: labels are whole numbers, else
    texts that may hold blanks. `polygons`: lines with six numbers or more are polygons, of which the box is taken.
    """

def count_outcomes(
    matches: Matches,
    *,
    num_labels: int,
    cell: int = 0,
    floors: Buffer | None = None,
    weights: Buffer | None = None,
    limit: int = ...,
    by: str = "label",
) -> Table:
    """objects, true_positives, false_positives, ignored: a row a label (or, `by="image"`, an image).

    `floors` (float64, one a label, inclusive): detections below take no part, and what they took counts as missed.
    `weights` (uint32, one an image): copies of each image; 0 leaves it out.
    """

def sweep_scores(
    matches: Matches, *, label: int, cell: int = 0, weights: Buffer | None = None, limit: int = ...
) -> Table:
    """score, true_positives, false_positives of one label with at least each score that occurs, descending."""

def confusion_matrix(
    dataset: Dataset,
    detections: Detections,
    matches: Matches,
    *,
    num_labels: int,
    least: float,
    floors: Buffer | None = None,
    pixel: float = 0.0,
    threads: int = 1,
) -> Column:
    """UInt64 [labels + 1, labels + 1]: rows by the object's label, columns by the detection's, the last of each none.

    Pairs of one label first, as matched at cell 0; then pairs of different labels by descending overlap (at least
    `least`). Each object and each detection that counts stands in exactly one cell.
    """

@final
class Draws:
    """What is drawn: units of images, all images of a unit together.

    `units` (uint32): unit of each image. `given` (uint32 [replicates, num_units]): a number for each replicate and
    unit; else numbers are drawn, by seed and replicate alone (Philox4x32-10): how often each of `num_units` draws with
    replacement fell on the unit, or with `swap`, 0 or 1. With `swap` the matches are those of two models merged, image
    i as rows 2 i and 2 i + 1, which swap their detections in units with 1. `first` is the number of the first
    replicate, where these are a block of many: they are drawn as they would be among all.
    """

    def __init__(
        self,
        units: Buffer,
        num_units: int,
        *,
        replicates: int,
        first: int = 0,
        seed: int | None = None,
        given: Buffer | None = None,
        swap: bool = False,
    ) -> None: ...
    def replicate(self, replicate: int) -> Column:
        """UInt32 [num_units]: the numbers of one replicate."""

def resample_figures(
    matches: Sequence[Matches],
    figures: Sequence[tuple[str, int, int, Sequence[int], Sequence[int]]],
    draws: Draws,
    *,
    num_labels: int,
    num_areas: int,
    limits: Sequence[int],
    recall_points: Sequence[float],
    every_point: bool = False,
    spaced: bool = True,
    threads: int = 1,
) -> Column:
    """Float64 [replicates, matches, sides, figures]: NaN where a figure does not exist; one side, two with a swap.

    A figure is (kind, area, limit, thresholds, labels), all but the kind by position. `precision`: the mean over recall
    points (the area under the envelope with `every_point`), thresholds and labels; `recall`: over thresholds and
    labels; `objects`: ground truth that counts. Each is what `accumulate` gives under the same weights, to the bit.
    """

def resample_counts(
    matches: Sequence[Matches],
    draws: Draws,
    *,
    num_labels: int,
    cell: int,
    limit: int,
    floors: Sequence[Sequence[float] | None],
    threads: int = 1,
) -> Column:
    """UInt64 [replicates, matches, sides, labels, 4]: objects, true positives, false positives, ignored.

    `floors`: the lowest score that counts by label, one list for each of the matches (None: all count); with a swap,
    those of the first model and then those of the second.
    """
