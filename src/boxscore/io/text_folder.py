"""Text folders of the VOC-style tools: one file an image, `label x y w h` or `label score x y w h` a line.

Labels are names and may hold blanks: a line is read from its end.
"""

# ruff: noqa: PTH118  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import class_names, image_sizes, stems, text_labelling, text_sniff
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
    from collections.abc import Sequence
    from os import PathLike

    from boxscore.io.class_names import ClassNames
    from boxscore.io.form_options import FormOptions
    from boxscore.io.image_sizes import ImageSizes
    from boxscore.io.text_labelling import Use
    from boxscore.model.reading import Reading


def looks_like(path: str | PathLike[str]) -> str | None:
    """What was recognised of a text folder, in words; None where it is none."""
    from boxscore.io import text_recognition

    return text_recognition.of_text_folder(os.fspath(path))


def read_ground_truth(path: str | PathLike[str], options: FormOptions, reading: Reading, threads: int = 1) -> Dataset:
    """Ground truth from a folder of text files. Images are the files; with a folder of pictures, those in it.

    Labels are in the order of the names that are given or lie beside (`*.names`, `classes.txt`), else as they appear.
    Raises InputError that names file, line, field and value.
    """
    shown = os.fspath(path)
    folder = image_sizes.pictures_folder(options)
    pictures = {} if folder is None else image_sizes.pictures_in(folder)
    found = stems.labels_among(stems.walk(shown), pictures)
    if not found:
        raise InputError(f"{shown}: there is no .txt file; give the folder of the ground truth's text files")
    names = list(pictures or found)
    files = TextFiles(
        [os.path.join(shown, found[stem]) if stem in found else None for stem in names], folder_name(shown)
    )
    form = _form(options, files, "none")
    sizes = image_sizes.given(options, names) or _table_beside(shown, names) or _needed(form, names)
    stated = form.read(files, names, sizes, "object", threads)
    uses = stated.rows.label_uses
    classes, by_number = _classes(options, _name_folders(shown), uses)
    labels = _labels(uses, classes, by_number, files.name)
    told = classes.source if classes else files.name
    labelling = TextLabelling(labels, labels, reading, told, numbered=by_number, numbered_by=told)
    kernel, findings = stated.build_dataset(
        names,
        labelling.numbers(uses, stated.places),
        [stems.printable(pictures[stem][len(folder or "") + 1 :]) if stem in pictures else None for stem in names],
        reading,
    )
    notes = [_read_as(options, form, files, sizes, classes), *_partners(files, names, found)]
    notes += stated.notes + labelling.notes + notes_of(findings, stated.places, reading, files.name)
    return Dataset(kernel, labels, source=files.name, notes=notes)


def read_predictions(
    path: str | PathLike[str], dataset: Dataset, options: FormOptions, reading: Reading, threads: int = 1
) -> Predictions:
    """Detections from a folder of text files, the score behind the label (or last, by option).

    Labels are names; with the option `classes`, or a file of names beside them, numbers are taken for its names.
    Raises InputError that names file, line, field and value.
    """
    results = ResultFiles(os.fspath(path), dataset, reading)
    files = results.files
    form = _form(options, files, options.score or "second")
    sizes = image_sizes.of_results(options, results) if form.relative else None
    stated = form.read(files, results.stems, sizes, "detection", threads)
    uses = stated.rows.label_uses
    declared = dataset.declared
    # Numbers that the ground truth has for names (YOLO labels without names) are names.
    by_name = all(str(value) in declared for value, _, _ in uses)
    folders = [] if by_name else _name_folders(results.folder)
    classes, by_number = _classes(options, folders, uses)
    truth = dataset.source or "the ground truth"
    guessed: list[Note] = []
    if options.bare_numbers == "positions" and not (by_name or classes) and text_labelling.are_numbers(uses):
        by_number, note = text_labelling.guessed(declared, options.class_base, uses, files.name, truth)
        guessed.append(note)
    labelling = TextLabelling(
        declared,
        dataset.labels,
        reading,
        truth,
        numbered=by_number,
        numbered_by=classes.source if classes else truth,
    )
    kernel, findings = stated.build_detections(
        results.dataset.kernel, results.image_ids, labelling.numbers(uses, stated.places), reading, threads
    )
    notes = [_read_as(options, form, files, sizes, classes), *guessed, *results.notes]
    notes += stated.notes + labelling.notes + notes_of(findings, stated.places, reading, truth)
    return Predictions(kernel, results.dataset, source=files.name, notes=notes)


def write_ground_truth(dataset: Dataset, path: str | PathLike[str], options: FormOptions) -> list[str]:
    """Write `STEM.txt` below a folder, with `sizes.csv` and `classes.names`; returns what they can't hold, in words."""
    from boxscore.io import text_write

    return text_write.folder_ground_truth(dataset, os.fspath(path), options)


def write_predictions(predictions: Predictions, path: str | PathLike[str], options: FormOptions) -> list[str]:
    """Write `STEM.txt` below a folder, the score behind the label, a file for each image; returns what is lost."""
    from boxscore.io import text_write

    return text_write.folder_predictions(predictions, os.fspath(path), options)


def _form(options: FormOptions, files: TextFiles, score: str) -> TextForm:
    """By option, and where none is given as is usual; pixels or shares by a look at the numbers."""
    relative = text_sniff.are_shares(files.data, score) if options.coords is None else options.coords == "rel"
    return TextForm(score=score, numbers=options.boxes or "xywh", relative=relative, numbered=False)


def _needed(form: TextForm, names: Sequence[str]) -> ImageSizes | None:
    """No size known of any image, where sizes are needed: the error then names the images."""
    unknown = (float("nan"), float("nan"))
    return image_sizes.ImageSizes([unknown] * len(names), "nowhere") if form.relative else None


def _read_as(
    options: FormOptions,
    form: TextForm,
    files: TextFiles,
    sizes: ImageSizes | None,
    classes: ClassNames | None,
) -> Note:
    parts = [f"{files.name}: text files, {form}, {counted(files.num_present, 'file')}"]
    if classes:
        parts.append(f"class names from {classes.name}")
    if sizes is not None:
        parts.append(f"sizes from {sizes.source}")
    assumed = [f"--{field}" for field in ("boxes", "coords") if getattr(options, field) is None]
    said = f"{' and '.join(assumed)} assumed; " if assumed else ""
    score = "" if form.score == "none" else "--score, "
    return Note("read-as", f"{'; '.join(parts)} ({said}override: --boxes, --coords, {score}--classes, --img-size)")


def _name_folders(folder: str) -> list[str]:
    """Where class names may lie: beside the text files, and one further up."""
    return [folder, os.path.normpath(os.path.join(folder, os.pardir))]


def _table_beside(folder: str, names: Sequence[str]) -> ImageSizes | None:
    table = image_sizes.table_beside([folder])
    return None if table is None else image_sizes.of_table(names, table)


def _classes(
    options: FormOptions, folders: Sequence[str], uses: Sequence[Use]
) -> tuple[ClassNames | None, dict[int, str] | None]:
    """Class names, and by number where the lines state numbers; names that merely lie beside must fit the lines."""
    given = options.classes if options.classes is not None else class_names.find(folders)
    if given is None:
        return None, None
    classes = class_names.read(given)
    by_number = classes.numbered_from(options.class_base)
    names = set(by_number.values())
    if all(value in names for value, _, _ in uses):
        return classes, None
    if text_labelling.are_numbers(uses):
        return classes, by_number
    return (classes if options.classes is not None else None), None


def _labels(uses: Sequence[Use], classes: ClassNames | None, by_number: dict[int, str] | None, source: str) -> LabelSet:
    """The labels that are declared, else those that occur, in the order in which they do."""
    if classes is not None:
        stated = by_number or classes.by_number
        return LabelSet(list(stated), list(stated.values()), classes.source)
    if not uses:
        raise InputError(f"{source}: no line states an object, so that no label is known; name them with --classes")
    return LabelSet(list(range(len(uses))), [str(value) for value, _, _ in uses], source)


def _partners(files: TextFiles, names: Sequence[str], found: dict[str, str]) -> list[Note]:
    """Images without objects, and text files without a picture."""
    notes: list[Note] = []
    missing = [stem for stem, path in zip(names, files.paths, strict=True) if path is None]
    empty = [names[i] for i in files.blank()]
    if missing or empty:
        message = (
            f"{files.name}: {counted(len(missing) + len(empty), 'image')} without a line of text, counted as empty: "
            f"{stems.named([*missing, *empty])}"
        )
        notes.append(Note("background-images", message, len(missing) + len(empty)))
    known = set(names)
    strays = [stem for stem in found if stem not in known]
    if strays:
        message = (
            f"{files.name}: {counted(len(strays), 'file')} without a picture, left out: {stems.named(strays, '.txt')}"
        )
        notes.append(Note("labels-without-picture", message, len(strays)))
    return notes
