"""`audit`: everything that may be wrong with ground truth and predictions, counted, what matters most first."""

from __future__ import annotations

import os

from boxscore.audit import coverage, crowding, duplicates, pictures, pointers, scores, told
from boxscore.audit.found import Found, Report
from boxscore.audit.readings import better_readings
from boxscore.errors import InputError
from boxscore.io.taxonomy import Taxonomy
from boxscore.model.reading import Reading
from boxscore.pipeline.evaluate import effective_protocol, finish, thread_count
from boxscore.pipeline.files import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike
    from typing import Any

    from boxscore.audit.readings import OtherReading
    from boxscore.io.form_options import FormOptions
    from boxscore.model.notes import Note
    from boxscore.model.tables import Dataset, Predictions


def audit(
    gt: Any,  # noqa: ANN401  a path of any form, or COCO's dict
    pred: Any = None,  # noqa: ANN401  a path of any form, or COCO's list
    *,
    images: str | PathLike[str] | None = None,
    gt_format: str | None = None,
    pred_format: str | None = None,
    gt_options: FormOptions | None = None,
    pred_options: FormOptions | None = None,
    taxonomy: str | PathLike[str] | Mapping[str, object] | Taxonomy | None = None,
    reading: Reading | None = None,
    threads: int | None = None,
) -> Report:
    """Examine ground truth, and predictions against it where they are given.

    Files are read as `evaluate` reads them, except that rows which it refuses are left out and counted; a file that
    can't be read at all is a finding too. `images` is the folder of the pictures, which are then examined as well.
    Raises InputError for options that make no sense, and for a folder of pictures that there is not.
    """
    files = Files(
        gt_format=gt_format,
        pred_format=pred_format,
        gt_options=gt_options,
        pred_options=_guessing(pred_options, Reading.of(reading)),
        taxonomy=None if taxonomy is None else Taxonomy.of(taxonomy),
        reading=_lenient(Reading.of(reading)),
        threads=thread_count(threads),
    )
    found = list(pointers.findings(gt, pred))
    try:
        dataset = files.ground_truth(gt)
    except InputError as error:
        return Report([*found, *_unreadable(error, gt, "ground truth", found)], [], {})
    predictions = None
    try:
        if pred is not None:
            predictions = files.predictions(pred, dataset)
    except InputError as error:
        found += _unreadable(error, pred, "predictions", found)
    found += _examined(dataset, predictions, files.threads)
    if images is not None and os.path.isdir(images):  # noqa: PTH112  a table of sizes may stand there, too
        found += pictures.findings(dataset, images)
    notes = [*dataset.notes, *(predictions.notes if predictions is not None else [])]
    return Report(found, [note.message for note in notes if note.code in told.SAID], _counts(dataset, predictions))


def _examined(dataset: Dataset, predictions: Predictions | None, threads: int) -> Iterator[Found]:
    yield from told.findings(dataset.notes, dataset.num_objects, "object")
    if predictions is not None:
        yield from told.findings(predictions.notes, predictions.num_rows, "detection")
        if not predictions.num_rows and any(note.code in told.STOPS for note in predictions.notes):
            predictions = None  # all were left out, and why was said: that nothing is left follows from it
    yield from duplicates.findings(dataset, predictions)
    yield from coverage.findings(dataset, predictions)
    yield from crowding.findings(dataset, predictions)
    if predictions is None:
        return
    run = finish(predictions, effective_protocol("coco", Reading()), threads=threads)
    own: list[Note] = [note for note in run.notes if note not in (*dataset.notes, *predictions.notes)]
    yield from told.findings(own, predictions.num_rows, "detection")
    better = better_readings(predictions, threads=threads)
    yield from _readings(better)
    # What detections miss shows only when they are read as they are meant.
    yield from scores.findings(finish(better[-1].predictions, run.protocol, threads=threads) if better else run)


def _readings(better: list[OtherReading]) -> Iterator[Found]:
    for other in better:
        predictions = other.predictions
        yield Found(
            "class-order" if other.by_label else "box-reading",
            other.fact,
            f"read them so with {other.option}, or eval with --assume fit",
            count=predictions.num_rows if other.side == "predictions" else predictions.dataset.num_objects,
            moves=other.fits - other.stated,
            bound=f"measured: AP@0.5 {other.stated:.3f} -> {other.fits:.3f}",
            measured=True,
        )


def _guessing(options: FormOptions | None, reading: Reading) -> FormOptions:
    """The same options, with class numbers that have no names taken as positions: an order to measure others from."""
    from boxscore.io.form_options import FormOptions

    given = options or FormOptions(boxes="xyxy" if reading.boxes == "xyxy" else None)
    asked: dict[str, Any] = given.to_dict()
    return FormOptions(**asked | {"bare_numbers": "positions"})


def _lenient(reading: Reading) -> Reading:
    """The same reading, with rows that it would refuse left out: one fault must not hide the others."""
    lenient = reading.with_boxes(reading.boxes)
    lenient.unknown_images = lenient.unknown_labels = lenient.non_finite = "drop"
    return lenient


def _unreadable(error: InputError, given: object, role: str, known: list[Found]) -> list[Found]:
    """A finding for a file that can't be read, unless its being a pointer says why already.

    Where there is no such file, nothing was found but a wrong command: the error stands.
    """
    if isinstance(given, str | os.PathLike) and not os.path.exists(given):  # noqa: PTH110  paths are kept as text
        raise error
    if any(found.code == "git-lfs-pointer" and "Git LFS" in str(error) for found in known):
        return []
    code = "git-lfs-pointer" if "Git LFS" in str(error) else "unreadable"
    bound = f"without the {role} there is no figure"
    return [Found(code, str(error), "mend what is named", count=1, moves=1.0, bound=bound, stops=True)]


def _counts(dataset: Dataset, predictions: Predictions | None) -> dict[str, int]:
    counts = {"images": dataset.num_images, "labels": len(dataset.labels), "objects": dataset.num_objects}
    return counts if predictions is None else counts | {"detections": predictions.num_rows}
