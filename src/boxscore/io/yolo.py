"""YOLO's text: one file an image, a class number and a box a line, as shares of the picture: centre, width, height."""

# ruff: noqa: PTH119  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import class_names, image_sizes, stems, text_labelling, text_sniff, yolo_checks, yolo_layout
from boxscore.io.findings import notes_of
from boxscore.io.text_files import TextFiles
from boxscore.io.text_form import TextForm
from boxscore.io.text_labelling import TextLabelling
from boxscore.io.text_predictions import ResultFiles, folder_name
from boxscore.model.labels import LabelSet
from boxscore.model.notes import Note, counted
from boxscore.model.tables import Dataset, Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    from boxscore.io.class_names import ClassNames
    from boxscore.io.form_options import FormOptions
    from boxscore.io.image_sizes import ImageSizes
    from boxscore.io.text_form import StatedRows
    from boxscore.io.yolo_layout import Layout
    from boxscore.model.reading import Reading


def looks_like(path: str | PathLike[str]) -> str | None:
    """What was recognised of a YOLO data set or of its results, in words; None: neither."""
    from boxscore.io import text_recognition

    return text_recognition.of_yolo(os.fspath(path))


def read_ground_truth(path: str | PathLike[str], options: FormOptions, reading: Reading, threads: int = 1) -> Dataset:
    """Ground truth from a `data.yaml` (or `obj.data`), a folder of label files, of pictures, or of both.

    Images are the pictures that are there (or listed), else the label files; without label file, or with an empty one,
    they are images without objects. Polygons become the boxes around them.
    Raises InputError that names file, line, field and value.
    """
    layout = yolo_layout.find(os.fspath(path), image_sizes.pictures_folder(options))
    names = layout.stems
    if not layout.label_files:
        raise InputError(f"{layout.labels}: there is no label file; give the folder of the .txt files, or data.yaml")
    files = TextFiles([layout.label_files.get(stem) for stem in names], folder_name(layout.labels))
    form = _form(options, "none")
    sizes = _sizes(layout, options, names, needed=form.relative)
    stated = form.read(files, names, sizes, "label", threads)
    rows = stated.rows
    classes = _names(options, layout.names)
    by_number = classes.numbered_from(options.class_base) if classes else text_labelling.nameless(rows.label_uses)
    shown = classes.source if classes else files.name
    labels = LabelSet(list(by_number), list(by_number.values()), shown)
    labelling = TextLabelling(labels, labels, reading, shown, numbered=by_number, numbered_by=shown)
    numbers = labelling.numbers(rows.label_uses, stated.places)
    kernel, findings = stated.build_dataset(names, numbers, _file_names(layout, names), reading)
    if form.relative and sizes is not None:
        yolo_checks.refuse_outside(findings, rows, files, sizes, most=0)
    notes = [_read_as(layout, files, stated, sizes, classes, form), *stated.notes, *labelling.notes]
    notes += _background(layout, files) + notes_of(findings, stated.places, reading, files.name)
    return Dataset(kernel, labels, source=files.name, notes=notes)


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """Detections from a folder of text files, with the score last in each line (or second, by option).

    Class numbers are named by the option `classes`, by a file of names beside the text files, else by the ground truth:
    by its own numbers where these run from 0, else by position. Raises InputError that names file, line and value.
    """
    results = ResultFiles(os.fspath(path), dataset, reading)
    files = results.files
    form = _form(options, options.score or "last")
    if options.score is None and form.relative and form.numbers == "cxcywh":
        form.score = text_sniff.score_place(files.data)
    sizes = image_sizes.of_results(options, results) if form.relative else None
    stated = form.read(files, results.stems, sizes, "detection", threads)
    rows = stated.rows
    classes = _names(options, class_names.find(yolo_layout.name_folders(results.folder)))
    truth = dataset.source or "the ground truth"
    if classes is not None:
        by_number = classes.numbered_from(options.class_base)
        named = f"class names from {classes.name}"
    else:
        by_number = text_labelling.by_position(dataset.declared, options.class_base)
        named = f"classes named by {truth}, {_first(by_number)}"
    labelling = TextLabelling(
        dataset.declared,
        dataset.labels,
        reading,
        truth,
        numbered=by_number,
        numbered_by=classes.source if classes else truth,
    )
    numbers = labelling.numbers(rows.label_uses, stated.places)
    kernel, findings = stated.build_detections(results.dataset.kernel, results.image_ids, numbers, reading, threads)
    if sizes is not None:
        # A detector may well find the centre of something beyond the border; not that of most things.
        yolo_checks.refuse_outside(findings, rows, files, sizes, most=rows.num_rows // 2)
    parts = [f"{files.name}: YOLO text, {form}, {counted(len(files.paths), 'file')}", named]
    notes = [_note(parts, "--boxes, --coords, --score, --classes, --class-base"), *results.notes]
    notes += stated.notes + labelling.notes + notes_of(findings, stated.places, reading, truth)
    return Predictions(kernel, results.dataset, source=files.name, notes=notes)


def write_ground_truth(dataset: Dataset, path: str | PathLike[str], options: FormOptions) -> list[str]:
    """Write `labels/STEM.txt`, `data.yaml` and `sizes.csv` below a folder; what they can't hold is returned in words.

    Raises InputError where an image's size isn't known, and where the folder holds labels already.
    """
    from boxscore.io import text_write

    return text_write.yolo_ground_truth(dataset, os.fspath(path), options)


def write_predictions(predictions: Predictions, path: str | PathLike[str], options: FormOptions) -> list[str]:
    """Write `STEM.txt` below a folder, the score last, a file for each image; what they can't hold is returned."""
    from boxscore.io import text_write

    return text_write.yolo_predictions(predictions, os.fspath(path), options)


def _form(options: FormOptions, score: str) -> TextForm:
    """Relative centre form, unless the options say otherwise."""
    return TextForm(score=score, numbers=options.boxes or "cxcywh", relative=options.coords != "abs", numbered=True)


def _names(options: FormOptions, found: str | None) -> ClassNames | None:
    """Class names by option, else from the file that was found."""
    given = options.classes if options.classes is not None else found
    return None if given is None else class_names.read(given)


def _sizes(layout: Layout, options: FormOptions, names: list[str], *, needed: bool) -> ImageSizes | None:
    """Sizes by option, else from a table beside the labels, else from the pictures; None where nobody needs them."""
    if (given := image_sizes.given(options, names)) is not None:
        return given
    if not needed:
        return None
    folders = yolo_layout.name_folders(layout.labels)
    if not layout.picture_files and (table := image_sizes.table_beside(folders)) is not None:
        return image_sizes.of_table(names, table)
    return image_sizes.of_pictures(names, layout.picture_files, layout.images)


def _file_names(layout: Layout, names: list[str]) -> list[str | None]:
    """Each image's picture, relative to the folder of pictures."""
    root = layout.images or ""
    start = len(root.rstrip("/")) + 1 if root else 0
    pictures = (layout.picture_files.get(stem) for stem in names)
    return [None if picture is None else stems.printable(picture[start:]) for picture in pictures]


def _read_as(
    layout: Layout,
    files: TextFiles,
    stated: StatedRows,
    sizes: ImageSizes | None,
    classes: ClassNames | None,
    form: TextForm,
) -> Note:
    polygons = stated.rows.polygons
    parts = [f"{files.name}: YOLO text, {form}, {counted(files.num_present, 'label file')}"]
    if layout.about:
        parts.append(layout.about)
    if polygons:
        parts.append(f"{counted(polygons, 'polygon')} taken as the {'box' if polygons == 1 else 'boxes'} around")
    parts.append(f"class names from {classes.name}" if classes else "no class names found, classes go by number")
    if sizes is not None:
        parts.append(f"sizes from {sizes.source}")
    return _note(parts, "--boxes, --coords, --classes, --images, --img-size")


def _note(parts: list[str], options: str) -> Note:
    return Note("read-as", f"{'; '.join(parts)} (override: {options})")


def _first(by_number: dict[int, str]) -> str:
    number = next(iter(by_number))
    return f"{number} = {by_number[number]}"


def _background(layout: Layout, files: TextFiles) -> list[Note]:
    """Images without label file or with an empty one, and label files without an image."""
    names = layout.stems
    pictures = layout.picture_files
    missing = [stem for stem, path in zip(names, files.paths, strict=True) if path is None]
    empty = [names[i] for i in files.blank()]
    parts: list[str] = []
    if missing:
        shown = [os.path.basename(pictures[stem]) if stem in pictures else stem for stem in missing]
        have = "image has" if len(missing) == 1 else "images have"
        parts.append(f"{len(missing)} {have} no label file ({stems.named(map(stems.printable, shown))})")
    if empty:
        parts.append(f"{counted(len(empty), 'label file')} without a line ({stems.named(empty, '.txt')})")
    notes: list[Note] = []
    if parts:
        message = f"{files.name}: {' and '.join(parts)}, counted as empty: images without objects"
        notes.append(Note("background-images", message, len(missing) + len(empty)))
    if strays := layout.strays:
        listed = "listed image" if layout.listed else "picture"
        message = (
            f"{files.name}: {counted(len(strays), 'label file')} without a {listed}, left out: "
            f"{stems.named(strays, '.txt')}"
        )
        notes.append(Note("labels-without-picture", message, len(strays)))
    return notes
