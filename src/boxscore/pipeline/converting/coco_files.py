"""COCO's JSON as a source: annotations and results a piece at a time."""

from __future__ import annotations

import json
import re

from boxscore.io import coco, coco_pieces
from boxscore.io.labelling import Labelling, label_sets
from boxscore.io.places import Places
from boxscore.model.tables import Dataset
from boxscore.pipeline.converting.noticed import BY_ID, LabelUses, Noticed, StatedIds
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
    from collections.abc import Iterator, Sequence

    from boxscore import _kernel
    from boxscore.io.coco_pieces import CocoFile
    from boxscore.io.form_options import FormOptions
    from boxscore.io.json_outline import Span
    from boxscore.io.shards.columns import Rows
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading

_OF_IMAGES = ("id", "file_name", "width", "height")
_OF_OBJECTS = (
    "id",
    "image_id",
    "category_id",
    "bbox",
    "area",
    "iscrowd",
    "ignore",
    "difficult",
    "isgroupof",
    "segmentation",
    "keypoints",
)
_BEFORE = b'{"annotations": ['
_KEY = rb'"(?!(?:%s)"\s*:)((?:[^"\\]++|\\.)*+)"\s*:'


class CocoTruth:
    """Ground truth whose images and categories are read at once. See `sources.Source`."""

    def __init__(self, file: CocoFile, parsed: coco.Parsed, span: Span, reading: Reading, threads: int) -> None:
        from boxscore import _kernel

        coco.refuse_missing_sections(parsed.raw, file.path)
        raw: _kernel.RawGroundTruth = parsed.raw
        self._declared, _, self._notes = label_sets(raw.categories, file.name)
        self._kernel, findings = _kernel.build_dataset(raw, [])
        self._noticed = Noticed()
        self._noticed.add(findings, 0)
        self._file, self._span = file, span
        self._reading, self._threads = reading, threads
        self._uses = LabelUses()
        dataset = Dataset(self._kernel, self._declared, source=file.name)
        self.name = file.name
        self.images = images_of(dataset, _image_fields(file, dataset))
        self.labels = label_pairs(self._declared)
        self.corner_convention = "continuous"
        self._positions = positions_of(self.images)
        self._ids = StatedIds(self._positions)

    @property
    def path(self) -> str:
        """As it was given."""
        return self._file.path

    def rows(self) -> Iterator[Rows]:
        """The annotations, with their further fields."""
        first = 0
        fields: list[str] = []
        for piece, moved in self._file.pieces(self._span, _BEFORE, b"]}"):
            stated = _stated_ids(piece)
            raw = self._parsed(piece, self._images_of(stated), moved, first)
            self._ids.add(None, stated)
            fields += _further_keys(piece, (*_OF_OBJECTS, *fields), len(_BEFORE))
            yield self._placed(raw, first, _scalars(piece, "annotations", fields))
            first += raw.num_annotations

    def _images_of(self, stated: Sequence[object]) -> bytes:
        """The images that a piece speaks of, as they stand before it, so that its annotations find their place."""
        known = sorted(self._ids.known(stated))
        return (
            b'{"images": '
            + json.dumps([{"id": self.images.ids[at]} for at in known]).encode()
            + b', "categories": [], '
        )

    def _parsed(self, piece: bytearray, before: bytes, moved: int, first: int) -> _kernel.RawGroundTruth:
        from boxscore import _kernel

        try:
            return _kernel.parse_ground_truth(before + piece[1:], self._threads)
        except _kernel.ParseError as error:
            self._file.refuse(error, moved=moved - len(before) + 1, row=first, results=False)

    def _placed(self, raw: _kernel.RawGroundTruth, first: int, further: dict[str, list[object]]) -> Rows:
        """Rows with the positions of their images among all."""
        from boxscore import _kernel

        numbers = self._uses.numbers([(False, *use) for use in raw.category_uses], first)
        kernel, findings = _kernel.build_dataset(raw, numbers, drop_degenerate=self._reading.degenerate == "drop")
        self._noticed.add(findings, first)
        return placed(object_rows(kernel, further), kernel, self._positions)

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        if self._ids.ambiguous:  # refused, in the words of the reader of whole files
            coco.build_dataset(coco.parse_ground_truth(self._file.path, self._threads), self._reading)
        places = Places(self.name, "annotation")
        labelling = Labelling(self._declared, self._declared, self._reading)
        numbers = labelling.numbers(self._uses.all(), places)
        found = self._noticed.notes(places, self._reading, f"the images of {self.name}", self._ids.distinct())
        return _names(self._declared.names, numbers), [*self._notes, *labelling.notes, *found]


class CocoResults:
    """A list of results over a data set's images and labels. See `sources.Source`."""

    def __init__(
        self, file: CocoFile, span: Span, dataset: Dataset, options: FormOptions, reading: Reading, threads: int
    ) -> None:
        self._file, self._span, self._dataset = file, span, dataset
        self._options, self._threads = options, threads
        self._reading = reading.with_boxes("xyxy") if options.boxes == "xyxy" else reading
        self._noticed, self._uses = Noticed(), LabelUses()
        self.name = file.name
        self.images = images_of(dataset)
        self.labels = label_pairs(dataset.declared)
        self.corner_convention = dataset.corner_convention
        self._ids = StatedIds(positions_of(self.images))

    def rows(self) -> Iterator[Rows]:
        """The results."""
        from boxscore import _kernel

        first = 0
        for piece, moved in self._file.pieces(self._span):
            try:
                raw = _kernel.parse_results(piece, self._threads)
            except _kernel.ParseError as error:
                self._file.refuse(error, moved=moved, row=first, results=True)
            kernel, findings = _kernel.build_detections(
                raw,
                self._dataset.kernel,
                self._uses.numbers(raw.label_uses, first),
                corners=self._reading.boxes == "xyxy",
                drop_degenerate=self._reading.degenerate == "drop",
                threads=self._threads,
            )
            self._noticed.add(findings, first)
            rows = detection_rows(kernel)
            odd = any(finding.code in BY_ID for finding in findings)
            stated = _kernel.fetch_fields(piece, "results", ["image_id"]) if odd else None
            self._ids.add(rows_in(rows), None if stated is None else stated.column("image_id").to_list())
            yield rows
            first += raw.num_rows

    def settle(self) -> tuple[list[str | None], list[Note]]:
        """See `Source`."""
        if self._ids.ambiguous:  # refused, in the words of the reader of whole files
            coco.build_predictions(coco.parse_results(self._file.path, self._threads), self._dataset, self._reading)
        places, notes = Places(self.name), list["Note"]()
        uses = self._uses.all()
        if self._options.classes or self._options.bare_numbers:
            from boxscore.io.label_positions import placed

            uses, notes = placed(uses, self._dataset.declared, self._options, places)
        labelling = Labelling(self._dataset.declared, self._dataset.labels, self._reading)
        numbers = labelling.numbers(uses, places)
        images_in = self._dataset.source or "the ground truth"
        found = self._noticed.notes(places, self._reading, images_in, self._ids.distinct())
        return _names(self._dataset.labels.names, numbers), [*notes, *labelling.notes, *found]


def truth_of(file: CocoFile, reading: Reading, threads: int) -> CocoTruth | None:
    """The ground truth of an open file; None where only a reader of the whole file can say what it is."""
    if not file.of_object:
        return None
    frame = coco_pieces.parse_frame(file)
    return None if frame is None else CocoTruth(file, *frame, reading, threads)


def results_of(
    file: CocoFile, dataset: Dataset, options: FormOptions, reading: Reading, threads: int
) -> CocoResults | None:
    """The results of an open file; None likewise."""
    span = coco_pieces.list_of(file)
    return None if span is None else CocoResults(file, span, dataset, options, reading, threads)


def _names(names: Sequence[str], numbers: Sequence[int]) -> list[str | None]:
    return [None if number < 0 else names[number] for number in numbers]


def _image_fields(file: CocoFile, dataset: Dataset) -> dict[str, list[object]]:
    """Further fields of images that hold texts, numbers or truth values, in the order of the data set's images."""
    text = file.section("images")
    names = _further_keys(text, (*_OF_IMAGES, "images"), 0) if text else []
    if not names:
        return {}
    stated = _scalars(text, "images", names)
    rows = [int(row or 0) for row in dataset.images.column("source_row").to_list()]
    return {name: [values[row] for row in rows] for name, values in stated.items()}


def _further_keys(text: bytes | bytearray, known: Sequence[str], start: int) -> list[str]:
    """Names in a text of JSON that are none of those known, in order; those inside nested values are among them."""
    pattern = re.compile(_KEY % b"|".join(re.escape(json.dumps(name)[1:-1].encode()) for name in known))
    found = dict.fromkeys(match[1] for match in pattern.finditer(text, start))
    return [json.loads(b'"' + name + b'"') for name in found]


def _scalars(text: bytes | bytearray, section: str, names: Sequence[str]) -> dict[str, list[object]]:
    """The fields of these names that hold anything, and neither lists nor objects."""
    from boxscore import _kernel

    if not names:
        return {}
    table = _kernel.fetch_fields(text, section, names)
    columns: dict[str, list[object]] = {}
    for name in table.column_names:
        values: list[object] = [*table.column(name).to_list()]
        shown = next((value for value in values if value is not None), None)
        nested = table.column(name).format == "Utf8" and isinstance(shown, str) and shown[:1] in ("[", "{")
        if shown is not None and not nested:
            columns[name] = values
    return columns


def _stated_ids(piece: bytearray) -> list[object]:
    """The image ids that annotations state, each once; none where the piece can't be read, as its parser will tell."""
    from boxscore import _kernel

    try:
        stated = _kernel.fetch_fields(piece, "annotations", ["image_id"]).column("image_id")
    except _kernel.ParseError:
        return []
    return list(dict.fromkeys(stated.to_list()))
