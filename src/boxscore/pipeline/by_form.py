"""Files of a form other than COCO's plain JSON: read by the form's module, labels selected, the reading told."""

from __future__ import annotations

import re

from boxscore.errors import InputError
from boxscore.io.form_options import FormOptions
from boxscore.io.forms import form, forms_with
from boxscore.model.notes import Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Any, TypeVar

    from boxscore.model.tables import Dataset, Predictions
    from boxscore.pipeline.files import Files

    T = TypeVar("T")

SIDED = {
    "ground truth": {option: f"--gt-{option}" for option in ("boxes", "coords", "classes", "class-base", "corners")},
    "predictions": {"classes": "--pred-classes"},
}
"""How the command line asks for a form's options, where they speak of one side alone."""


def ground_truth(files: Files, given: str | PathLike[str], name: str, words: str) -> Dataset:
    """A data set by a form's reader, of the labels asked for. Raises InputError."""
    read = _reader(name, "read_ground_truth")
    options = files.gt_options or FormOptions()
    dataset: Dataset = _sided("ground truth", lambda: read(given, options, files.reading, files.threads))
    dataset.notes = _told(dataset.notes, dataset.source, name, words, "ground truth")
    if files.taxonomy is None and files.labels is None:
        return dataset
    return _with_labels(dataset, files)


def predictions(files: Files, given: str | PathLike[str], dataset: Dataset, name: str, words: str) -> Predictions:
    """Detections by a form's reader. Raises InputError."""
    read = _reader(name, "read_predictions")
    options = files.pred_options or FormOptions(boxes="xyxy" if files.reading.boxes == "xyxy" else None)
    found: Predictions = _sided("predictions", lambda: read(given, dataset, options, files.reading, files.threads))
    found.notes = _told(found.notes, found.source, name, words, "predictions")
    return found


def _reader(name: str, part: str) -> Callable[..., Any]:
    read: Callable[..., Any] | None = getattr(form(name), part, None)
    if read is None:
        what = "ground truth" if part == "read_ground_truth" else "predictions"
        raise InputError(f"form {name} holds no {what}; forms that do are {', '.join(forms_with(part))}")
    return read


def _with_labels(dataset: Dataset, files: Files) -> Dataset:
    """The taxonomy applied, then the labels that were asked for alone."""
    from boxscore.io.relabel import relabelled

    declared, kept = dataset.declared, dataset.labels
    source = dataset.source or "the ground truth"
    notes = list(dataset.notes)
    names = list(dataset.labels.names)
    if files.taxonomy is not None:
        declared, kept = files.taxonomy.label_sets(declared.ids, declared.names, source)
        notes += files.taxonomy.notes(declared, source)
    if files.labels is not None:
        kept = kept.select(files.labels)
    found = [kept.find(name) for name in names]
    if files.taxonomy is not None:
        from boxscore.io.labelling import dropped_note

        counts = dataset.kernel.objects_by_label(len(names))
        rows = dict(zip(names, counts, strict=True))
        notes += dropped_note(declared, rows, source, "annotation")
    other = relabelled(dataset, [-1 if number is None else number for number in found], kept, declared)
    other.notes = notes
    return other


def _told(notes: Sequence[Note], source: str | None, name: str, words: str, role: str) -> list[Note]:
    """The notes with one that says how the files were read, options named as this side's."""
    told = [Note(note.code, sided(note.message, role), note.count) for note in notes]
    if any(note.code == "read-as" for note in told):
        return told
    option = "--gt-format" if role == "ground truth" else "--pred-format"
    return [Note("read-as", f"{source or role}: read as {name}: {words} (override: {option})"), *told]


def _sided(role: str, read: Callable[[], T]) -> T:
    """What a reader gives; its refusals name the options of this side."""
    try:
        return read()
    except InputError as error:
        worded = sided(str(error), role)
        if worded == str(error):
            raise
        raise InputError(worded) from None


def sided(text: str, role: str) -> str:
    """A text with a form's options named as the command line has them for one side: `--gt-coords` for `--coords`."""
    names = SIDED[role]
    return re.sub(r"(?<![\w-])--(boxes|coords|classes|class-base|corners)\b", lambda m: names.get(m[1], m[0]), text)
