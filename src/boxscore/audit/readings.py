"""Readings that could differ, each measured against the ground truth: which one fits, and what to do about it.

The fit of a reading is AP at IoU 0.5 by COCO's rule: labels disregarded for readings of boxes, by label for orders of
labels. One that fits clearly better than what was read is a cause for doubt.
"""

from __future__ import annotations

from boxscore.audit import class_order
from boxscore.errors import InputError
from boxscore.io import box_readings
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted, listed
from boxscore.model.tables import Predictions
from boxscore.pipeline.evaluate import effective_protocol, finish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore.audit.class_order import ClassOrder
    from boxscore.model.reading import Reading
    from boxscore.pipeline.run import Run

ASSUME = ("stated", "fit", "stop")
"""What to do where another reading fits better: go on as read, go on with what fits, or stop."""

CODE = "other-reading-fits"
ANSWERS_CODE = "answers-other-reading"

_CLEARLY = 0.05
_CLEARLY_TIMES = 1.2
"""How much better a reading must fit, as a difference and as a ratio."""


class OtherReading:
    """A reading that fits clearly better.

    `side` is `predictions` or `ground truth`; `what` says how it reads; `option` asks for it on the command line;
    `stated` and `fits` are the two fits, AP@0.5 (`by_label`, or labels disregarded); `predictions` are those of this
    reading, with their data set;
    `missing` says what of it can't be told, where it can't be taken as it is.
    """

    __slots__ = ("by_label", "fits", "missing", "option", "predictions", "side", "source", "stated", "what")

    def __init__(
        self,
        predictions: Predictions,
        *,
        side: str,
        what: str,
        option: str,
        stated: float,
        fits: float,
        source: str | None,
        by_label: bool = False,
        missing: str | None = None,
    ) -> None:
        self.predictions = predictions
        self.side = side
        self.what = what
        self.option = option
        self.stated = stated
        self.fits = fits
        self.source = source or side
        self.by_label = by_label
        self.missing = missing

    @property
    def fact(self) -> str:
        """What was measured, in words."""
        rule = "AP@0.5" if self.by_label else "AP@0.5 (labels disregarded)"
        return f"{self.source}: {self.what} would fit better: {rule} {self.fits:.3f} instead of {self.stated:.3f}"

    def note(self, assume: str = "stated") -> Note:
        """The fact, and what was done."""
        done = f"kept as read; {self.option} or --assume fit reads them so" if assume == "stated" else "read so"
        return Note(CODE, f"{self.fact}; {done}", _rows(self))


def settle(run: Run, assume: str) -> Run:
    """The run, with a note for each reading that fits better (`stated`); or that of the readings that fit (`fit`).

    Raises InputError where one does and `assume` is `stop`, or where what fits can't be told for all labels.
    """
    if assume not in ASSUME:
        raise InputError(f"assume is {assume!r}; it must be one of {', '.join(ASSUME)}")
    _refuse_answers(run, assume)
    if run.predictions is None:
        return run
    found = better_readings(run.predictions, threads=run.threads, labels=not run.label_agnostic, policies=run.reading)
    if not found:
        return run
    if assume == "stop":
        facts = "; ".join(other.fact for other in found)
        options = " and ".join(dict.fromkeys(other.option for other in found))
        raise InputError(
            f"{facts}; stopped, as asked for by --assume stop: read them so with {options}, or go on with --assume "
            "stated or --assume fit"
        )
    if assume == "fit":
        run = _refitted(run, found)
    for other in found:
        run.add_note(other.note(assume))
    return run


def _refuse_answers(run: Run, assume: str) -> None:
    """Answers of vision-language models are told to fit otherwise when they are read, and can't be read anew here."""
    told = next((note.message for note in run.notes if note.code == ANSWERS_CODE), None)
    if told is not None and assume != "stated":
        raise InputError(f"{told.replace('; kept as read; ', '; ')}: give that, or go on with --assume stated")


def better_readings(
    predictions: Predictions, *, threads: int = 1, labels: bool = True, policies: Reading | None = None
) -> list[OtherReading]:
    """The readings that fit clearly better, at most one of the boxes and then one of the labels.

    The second builds on the first: its predictions have both changes.
    """
    if not predictions.num_rows or not predictions.dataset.num_objects:
        return []
    found: list[OtherReading] = []
    boxes = _of_boxes(predictions, threads, policies)
    if boxes is not None:
        found.append(boxes)
        predictions = boxes.predictions
    order = _of_labels(predictions, threads) if labels else None
    return [*found, order] if order is not None else found


def fit(predictions: Predictions, *, label_agnostic: bool, threads: int = 1) -> float:
    """AP at IoU 0.5 by COCO's rule; 0 where it does not exist."""
    protocol = effective_protocol("coco", _reading(), iou=0.5)
    return finish(predictions, protocol, label_agnostic=label_agnostic, threads=threads).value("AP@0.5") or 0.0


def _reading() -> Reading:
    from boxscore.model.reading import Reading

    return Reading()


def _refitted(run: Run, found: list[OtherReading]) -> Run:
    for other in found:
        if other.missing is not None:
            raise InputError(f"{other.fact}; but {other.missing}: give {other.option}, or go on with --assume stated")
    if run.steps:
        options = " and ".join(dict.fromkeys(other.option for other in found))
        raise InputError(
            f"{found[0].fact}; but detections were suppressed on boxes as they were read, and can't be brought back: "
            f"read them so with {options}, or go on with --assume stated"
        )
    fitting = found[-1].predictions
    again = finish(fitting, run.protocol, reading=run.reading, inputs=run.inputs, threads=run.threads)
    again.label_agnostic = run.label_agnostic  # where they were, the predictions have one label already
    again.floors = run.floors
    return again


def _of_boxes(predictions: Predictions, threads: int, policies: Reading | None) -> OtherReading | None:
    """The reading of the boxes of one side that fits best, if clearly better than what was read."""
    stated = fit(predictions, label_agnostic=True, threads=threads)
    best: OtherReading | None = None
    for side, reading, other in _tried(predictions, policies):
        fits = fit(other, label_agnostic=True, threads=threads)
        # Ground truth is doubted only where no reading of the predictions explains as much.
        least = 0.0 if best is None else best.fits + (_CLEARLY if side != best.side else 0.0)
        if _is_clear(fits, stated) and fits > least:
            what, options = box_readings.READINGS[reading]
            best = OtherReading(
                other,
                side=side,
                what=f"boxes as {what}",
                option=_options(side, options),
                stated=stated,
                fits=fits,
                source=predictions.source if side == "predictions" else predictions.dataset.source,
            )
    return best


def _tried(predictions: Predictions, policies: Reading | None) -> Iterator[tuple[str, str, Predictions]]:
    """Side, reading, and the predictions so read (or over the ground truth so read), those that could be."""
    dataset = predictions.dataset
    for reading in box_readings.plausible(predictions):
        yield "predictions", reading, box_readings.with_reading(predictions, reading, policies)
    for reading in box_readings.plausible(dataset):
        yield (
            "ground truth",
            reading,
            box_readings.over(predictions, box_readings.with_reading(dataset, reading, policies)),
        )


def _of_labels(predictions: Predictions, threads: int) -> OtherReading | None:
    order = class_order.find(predictions, threads)
    if order is None:
        return None
    other = box_readings.relabelled(predictions, [-1 if label is None else label for label in order.becomes])
    stated = fit(predictions, label_agnostic=False, threads=threads)
    fits = fit(other, label_agnostic=False, threads=threads)
    if not _is_clear(fits, stated):
        return None
    names = predictions.dataset.labels.names
    untold = order.untold(predictions.kernel.count_by_label(len(names)))
    missing = None
    if untold:
        missing = f"boxes don't tell what {listed([id_text(names[i]) for i in untold])} should be"
    return OtherReading(
        other,
        side="predictions",
        what=_order_in_words(order, names),
        option="--pred-classes FILE (the names in the detector's own order)",
        stated=stated,
        fits=fits,
        source=predictions.source,
        by_label=True,
        missing=missing,
    )


def _order_in_words(order: ClassOrder, names: tuple[str, ...]) -> str:
    """Which order it is, and the two most telling labels."""
    votes = order.votes
    frequent = sorted(order.moved, key=lambda i: -int(votes[i].max()))[:3]
    told = [
        f"what is read as {id_text(names[i])} lies on {id_text(names[order.becomes[i] or 0])} in "
        f"{int(votes[i, order.becomes[i]])} of {counted(int(votes[i].sum()), 'object')}"
        for i in frequent
    ]
    known = "" if order.name is None else f": {order.name}"
    return f"labels in another order{known} ({len(order.moved)} of {len(names)} labels; {'; '.join(told)})"


def _is_clear(fits: float, stated: float) -> bool:
    return fits >= stated + _CLEARLY and fits >= stated * _CLEARLY_TIMES


def _options(side: str, options: dict[str, str]) -> str:
    prefix = "--gt-" if side == "ground truth" else "--"
    return " ".join(f"{prefix}{name} {value}" for name, value in options.items())


def _rows(other: OtherReading) -> int:
    return other.predictions.num_rows if other.side == "predictions" else other.predictions.dataset.num_objects
