"""Ground truth and predictions from files: COCO's JSON by its own reader, any other form by the one that knows it."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import coco, detect, predicted
from boxscore.model.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from boxscore.io.form_options import FormOptions
    from boxscore.io.taxonomy import Taxonomy
    from boxscore.model.tables import Dataset, Predictions

    T = TypeVar("T", Dataset, Predictions)


class Files:
    """How files are read: form and options of each side (None: found out), labels to keep, taxonomy, policies."""

    __slots__ = ("gt_format", "gt_options", "labels", "pred_format", "pred_options", "reading", "taxonomy", "threads")

    def __init__(
        self,
        *,
        gt_format: str | None = None,
        pred_format: str | None = None,
        gt_options: FormOptions | None = None,
        pred_options: FormOptions | None = None,
        labels: Sequence[str] | None = None,
        taxonomy: Taxonomy | None = None,
        reading: Reading | None = None,
        threads: int = 1,
    ) -> None:
        self.gt_format = gt_format
        self.pred_format = pred_format
        self.gt_options = gt_options
        self.pred_options = pred_options
        self.labels = labels
        self.taxonomy = taxonomy
        self.reading = Reading.of(reading)
        self.threads = threads

    def ground_truth(self, given: Any) -> Dataset:  # noqa: ANN401  a path or a dict
        """The data set. Raises InputError."""

        def plainly(path: Any) -> Dataset:  # noqa: ANN401  as above
            parsed = coco.parse_ground_truth(path, self.threads)
            return coco.build_dataset(parsed, self.reading, self.labels, self.taxonomy)

        def by_form(path: Any, name: str, words: str) -> Dataset:  # noqa: ANN401  as above
            from boxscore.pipeline import by_form

            return by_form.ground_truth(self, path, name, words)

        dataset, by_name = _read(given, "ground truth", self.gt_format, plainly, by_form)
        return self._as_asked(dataset, self.gt_options) if by_name else dataset

    def predictions(self, given: Any, dataset: Dataset) -> Predictions:  # noqa: ANN401  a path or a list
        """Detections over the data set. Raises InputError."""
        reading, options = self.reading, self.pred_options
        by_kernel = options is None or (options.coords is None and options.boxes in (None, "xywh", "xyxy"))
        if options is not None and (options.boxes or options.coords):
            # All other readings are read off the numbers as they stand.
            reading = reading.with_boxes(options.boxes if by_kernel and options.boxes else "xywh")

        def plainly(path: Any) -> Predictions:  # noqa: ANN401  as above
            parsed = coco.parse_results(path, self.threads)
            return coco.build_predictions(parsed, dataset, reading, self.threads, options=options)

        def by_form(path: Any, name: str, words: str) -> Predictions:  # noqa: ANN401  as above
            from boxscore.pipeline import by_form

            return by_form.predictions(self, path, dataset, name, words)

        predictions, by_name = _read(given, "predictions", self.pred_format, plainly, by_form)
        unseen = predicted.notes(given, dataset)
        if unseen:
            predictions.notes = [*predictions.notes, *unseen]
        return self._as_asked(predictions, options, read_so=by_kernel) if by_name else predictions

    def _as_asked(self, read: T, options: FormOptions | None, *, read_so: bool = False) -> T:
        """What COCO's reader gives, its boxes read as the options say (unless they were read so)."""
        if options is None:
            return read
        _refuse_options(options, read.source)
        if read_so or (options.boxes is None and options.coords is None):
            return read
        from boxscore.io import box_readings

        reading = box_readings.asked_for(options)
        return read if reading is None else box_readings.with_reading(read, reading, self.reading)


def _refuse_options(options: FormOptions, source: str | None) -> None:
    """Raises InputError for options that COCO's JSON has no use for."""
    for field in ("class_base", "score"):
        # Names for category ids have a first number, too.
        if getattr(options, field, None) is not None and (field == "score" or options.classes is None):
            raise InputError(
                f"{source or 'the input'} is COCO JSON, of which --{field.replace('_', '-')} says nothing; leave it out"
            )


def _read(
    given: Any,  # noqa: ANN401  as above
    role: str,
    named: str | None,
    plainly: Callable[[Any], T],
    by_form: Callable[[Any, str, str], T],
) -> tuple[T, bool]:
    """By the form that is named; else by COCO's reader where the name promises that, or by the form that is found.

    A folder that is of no form, but holds one file that is, stands for that file. Also whether COCO's reader it was.
    """
    if named is not None:
        return by_form(given, named, "as asked for"), False
    part = "read_ground_truth" if role == "ground truth" else "read_predictions"
    if not detect.is_plain_coco(given):
        found = next(detect.recognised(given, part), None)
        if found is not None:
            return by_form(given, *found), False
        if os.path.isdir(given):  # noqa: PTH112  pathlib costs a fifth of the start-up
            inside = detect.only_file(os.fspath(given), part)
            if inside is None:
                raise detect.of_no_form(os.fspath(given), role)
            return _read(inside, role, None, plainly, by_form)
        return plainly(given), True  # COCO's reader says best what else the file is, or that there is none
    try:
        return plainly(given), True
    except InputError:
        for name, words in detect.recognised(given, part):
            try:
                return by_form(given, name, words), False
            except InputError:
                if name in ("coco", "answers"):  # they know the file for theirs: what they refuse is in it
                    raise
                continue  # the first refusal is about the form that the name promises
        raise
