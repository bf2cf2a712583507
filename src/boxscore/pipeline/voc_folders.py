"""Two text folders evaluated as VOC does, with the readings of their boxes weighed against each other."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import voc_readings, voc_tables
from boxscore.io.form_options import FormOptions
from boxscore.io.voc_boxes import FORMS, BoxForm
from boxscore.io.voc_folders import Folder, read_folder
from boxscore.model.reading import Reading
from boxscore.pipeline.evaluate import effective_protocol, finish, thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from boxscore.model.notes import Note
    from boxscore.pipeline.run import Run

ANY_OVERLAP = 5e-324
"""Threshold 0 asks for any overlap at all: the least number above 0."""

_CLEARLY = (0.1, 1.5)
"""How much better another reading must fit to be told of: by so much AR, and so many times."""


def evaluate_folders(
    truth: str | PathLike[str],
    detected: str | PathLike[str],
    *,
    truth_form: BoxForm | None = None,
    detected_form: BoxForm | None = None,
    options: FormOptions | None = None,
    threshold: float = 0.5,
    protocol: str = "voc2012",
    threads: int | None = None,
) -> Run:
    """Every class at one IoU threshold in [0, 1] by a VOC protocol; classes with detections only stay undefined.

    `options` gives the sizes of the images where boxes are shares of them (`img_size`, `images`). The notes of the
    predictions tell of folders and files without a counterpart, and of a reading of the boxes that fits clearly better.
    Raises InputError for what can't be read, and where no class has ground truth.
    """
    if not 0.0 <= threshold <= 1.0:
        raise InputError(f"threshold is {threshold:g}; it must be from 0 to 1")
    workers = thread_count(threads)
    sizes = options or FormOptions()
    objects = read_folder(truth, truth_form or BoxForm(), sizes, scored=False, threads=workers)
    found = read_folder(detected, detected_form or BoxForm(), sizes, scored=True, threads=workers)
    objects.refuse_scores(found)
    predictions = voc_tables.tables(objects, found, workers)
    predictions.notes = [*voc_tables.folder_notes(objects, found), *_reading_notes(objects, found, workers)]
    effective = effective_protocol(protocol, Reading(), iou=[threshold or ANY_OVERLAP])
    return finish(predictions, effective, threads=workers)


def _reading_notes(truth: Folder, detected: Folder, threads: int) -> list[Note]:
    """The one reading of either folder that fits clearly better than the one asked for, else what the numbers say."""
    fit = _fit(truth, detected, threads)
    more, times = _CLEARLY
    better = []
    # Where boxes fit well already, no reading can be clearly better.
    for side, other in _other_readings(truth, detected) if fit * times < 1 else ():
        best = _fit(*((other, detected) if side == "gt" else (truth, other)), threads)
        if best >= fit + more and best >= fit * times:
            better.append((voc_readings.likelier(other), best, side, other))
    if better:
        _, best, side, other = max(better, key=lambda one: one[:2])
        stated = truth.form if side == "gt" else detected.form
        return [voc_readings.better_note(side, other, stated, fit, best)]
    return [*voc_readings.number_notes("gt", truth), *voc_readings.number_notes("det", detected)]


def _other_readings(truth: Folder, detected: Folder) -> Iterator[tuple[str, Folder]]:
    for side, folder in (("gt", truth), ("det", detected)):
        for form in FORMS:
            other = None if form == folder.form else folder.read_as(form)
            if other is not None:
                yield side, other


def _fit(truth: Folder, detected: Folder, threads: int) -> float:
    """How well boxes of both folders cover each other: COCO's AR, which no score enters but by rank."""
    predictions = voc_tables.tables(truth, detected, threads)
    return finish(predictions, effective_protocol("coco", Reading()), threads=threads).value("AR") or 0.0
