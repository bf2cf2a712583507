"""COCO's JSON: ground truth and results, from paths (`.json`, `.json.gz`) or from the parsed dict or list."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io.findings import notes_of
from boxscore.io.labelling import Labelling, label_sets
from boxscore.io.places import Places
from boxscore.io.source import open_source
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted, listed
from boxscore.model.tables import Dataset, Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any

    from boxscore import _kernel
    from boxscore.io.form_options import FormOptions
    from boxscore.io.taxonomy import Taxonomy
    from boxscore.model.reading import Reading

    GroundTruthInput = str | PathLike[str] | dict[str, Any]
    ResultsInput = str | PathLike[str] | Sequence[dict[str, Any]]


class Parsed:
    """A file's content as stated, its bytes let go, the names it goes by, and what was given for it."""

    __slots__ = ("given", "name", "path", "raw")

    def __init__(self, raw: Any, name: str, path: str | None, given: Any = None) -> None:  # noqa: ANN401  either of the kernel's two
        self.raw = raw
        self.name = name
        self.path = path
        self.given = given


def parse_ground_truth(given: GroundTruthInput, threads: int = 1) -> Parsed:
    """Read a ground-truth file as stated. Raises InputError that names file, entry, field and byte."""
    from boxscore import _kernel

    with open_source(given, "ground truth") as source:
        try:
            raw = _kernel.parse_ground_truth(source.data, threads)
        except _kernel.ParseError as error:
            from boxscore.io.parse_errors import refuse_ground_truth

            refuse_ground_truth(error, source)
        parsed = Parsed(raw, source.name, source.path, given)
    refuse_missing_sections(raw, source.path or source.name)
    return parsed


def parse_results(given: ResultsInput, threads: int = 1) -> Parsed:
    """Read a results file as stated. Raises InputError that names file, entry, field and byte."""
    from boxscore import _kernel

    with open_source(given, "predictions") as source:
        try:
            raw = _kernel.parse_results(source.data, threads)
        except _kernel.ParseError as error:
            from boxscore.io.parse_errors import refuse_results

            refuse_results(error, source)
        return Parsed(raw, source.name, source.path)


SECTIONS = ("images", "annotations", "categories", "results")


def read_fields(given: GroundTruthInput | ResultsInput, section: str, fields: Sequence[str]) -> _kernel.Table:
    """Further scalar fields of a COCO file's entries, such as `weather` of its images, read in a second pass.

    `section` is `images`, `annotations` or `categories` of ground truth, or `results`. One column a field, one row an
    entry, in file order (the tables' `source_row` counts in it). A column is Int64, Float64, Boolean or Utf8,
    whichever holds all its values; mixed ones, and objects and lists, come as JSON text; what is missing is null.

    Raises InputError for a section there is not, and for a file that can't be read.
    """
    from boxscore import _kernel

    if section not in SECTIONS:
        raise InputError(f"there is no section {section!r} in COCO files; it must be one of {', '.join(SECTIONS)}")
    with open_source(given, "predictions" if section == "results" else "ground truth") as source:
        try:
            return _kernel.fetch_fields(source.data, section, fields)
        except _kernel.ParseError as error:
            from boxscore.io import parse_errors

            refuse = parse_errors.refuse_results if section == "results" else parse_errors.refuse_ground_truth
            refuse(error, source)


def build_dataset(
    parsed: Parsed, reading: Reading, labels: Sequence[str] | None = None, taxonomy: Taxonomy | None = None
) -> Dataset:
    """Tables of a ground truth, of these labels only where any are given, which are those that a taxonomy makes.

    Raises InputError for what `reading` doesn't let pass, for a name in `labels` that isn't declared, and for one that
    the taxonomy doesn't cover.
    """
    from boxscore import _kernel

    raw: _kernel.RawGroundTruth = parsed.raw
    declared, every, notes = label_sets(raw.categories, parsed.name, taxonomy)
    kept = every if labels is None else every.select(labels)
    labelling = Labelling(declared, kept, reading)
    uses = [(False, value, row, rows) for value, row, rows in raw.category_uses]
    numbers = labelling.numbers(uses, Places(parsed.name, "annotation"))
    kernel, findings = _kernel.build_dataset(raw, numbers, drop_degenerate=reading.degenerate == "drop")
    places = Places(parsed.name, "annotation", kernel)
    notes += labelling.notes
    notes += notes_of(findings, places, reading, f"the images of {parsed.name}")
    return Dataset(kernel, kept, declared=declared, source=parsed.name, notes=notes, origin=parsed.given)


def build_predictions(
    parsed: Parsed, dataset: Dataset, reading: Reading, threads: int = 1, *, options: FormOptions | None = None
) -> Predictions:
    """Tables of results over a data set; `options` may say what category ids mean (`classes`, `bare_numbers`).

    Raises InputError for what `reading` doesn't let pass.
    """
    from boxscore import _kernel

    raw: _kernel.RawDetections = parsed.raw
    places = Places(parsed.name)
    labelling = Labelling(dataset.declared, dataset.labels, reading)
    uses, notes = list(raw.label_uses), list[Note]()
    if options is not None and (options.classes or options.bare_numbers):
        from boxscore.io.label_positions import placed

        uses, notes = placed(uses, dataset.declared, options, places)
    numbers = labelling.numbers(uses, places)
    images_in = dataset.source or "the ground truth"
    if reading.unknown_images == "background":
        dataset = _with_background(raw, dataset, places, notes)
    kernel, findings = _kernel.build_detections(
        raw,
        dataset.kernel,
        numbers,
        corners=reading.boxes == "xyxy",
        drop_degenerate=reading.degenerate == "drop",
        threads=threads,
    )
    notes += labelling.notes
    if any(finding.code == "unknown-image" for finding in findings):
        images_in += _unlike_ids(raw, dataset)
    notes += notes_of(findings, places, reading, images_in)
    return Predictions(kernel, dataset, source=parsed.name, notes=notes)


def _unlike_ids(raw: _kernel.RawDetections, dataset: Dataset) -> str:
    """What to say where results number their images and the ground truth has file names for ids, as folders have."""
    known = dataset.image_ids
    if not known or not all(isinstance(i, str) for i in known):
        return ""
    if not all(isinstance(i, int) for i in raw.unknown_images(dataset.kernel)):
        return ""
    return (
        f", whose images go by file names such as {id_text(known[0])}: numbers mean something only beside the COCO "
        "ground truth that they come from"
    )


def _with_background(raw: _kernel.RawDetections, dataset: Dataset, places: Places, notes: list[Note]) -> Dataset:
    unknown = raw.unknown_images(dataset.kernel)
    if not unknown:
        return dataset
    message = (
        f"{places.name}: {counted(len(unknown), 'image')} not in {dataset.source or 'the ground truth'} "
        f"counted as empty, as asked for: image_id {listed([id_text(i) for i in unknown])}"
    )
    notes.append(Note("background-images", message, len(unknown)))
    return dataset.with_kernel(dataset.kernel.with_images(unknown))


def refuse_missing_sections(raw: _kernel.RawGroundTruth, shown: str) -> None:
    """Raise InputError where ground truth lacks one of its lists."""
    for section in ("images", "annotations", "categories"):
        if section not in raw.sections:
            has = f"it has {', '.join(raw.sections[:6])}" if raw.sections else "it is an empty object"
            raise InputError(
                f"{shown}: `{section}` is missing ({has}); COCO ground truth is an object with the lists images, "
                f"annotations and categories: add `{section}`, or give the right file"
            )
