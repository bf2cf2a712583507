"""Notes about a result at an operating point: floors fitted on the same data, labels with too few objects."""

from __future__ import annotations

from boxscore.measures import rates
from boxscore.measures.operating_table import measures_of
from boxscore.model.notes import Note, counted, listed
from boxscore.pipeline import operating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore.measures.counts import Counts
    from boxscore.pipeline.run import Run


def notes(run: Run) -> Iterator[Note]:
    """All of them."""
    yield from _fitted(run)
    counts = operating.point(run).counts(measures_of(run.matches)[0])
    yield from _unstable(run, counts)
    yield from _without_precision(run, counts)


def is_unstable(objects: int, least: int | None) -> bool:
    """Whether a label has objects, but so few that its figures say little."""
    return least is not None and 0 < objects < least


def _fitted(run: Run) -> Iterator[Note]:
    floors = run.floors
    if floors is None or floors.fitted is None:
        return
    name, fitted = floors.source or "the thresholds", floors.fitted
    if fitted["fitted_on"] is not None and fitted["fitted_on"] == run.data_identity:
        message = (
            f"{name}: these floors were fitted on this very ground truth ({fitted['aim']}), so that figures at them "
            "are too good; evaluate on images that took no part in fitting"
        )
        yield Note("thresholds-fitted-here", message, len(floors.by_label))
    here = {"iou": run.protocol.iou_thresholds[0], "nms": operating.suppressed_at(run)}
    for field, value in here.items():
        if fitted[field] != value:
            stated, now = (_stated(one) for one in (fitted[field], value))
            message = f"{name}: these floors were fitted with {field} {stated}, and this evaluation has {field} {now}"
            yield Note("thresholds-fitted-otherwise", message)


def _stated(value: object) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _unstable(run: Run, counts: list[Counts]) -> Iterator[Note]:
    least = run.protocol.least_support
    few = [name for name, one in zip(run.labels, counts, strict=True) if is_unstable(one.objects, least)]
    if few and not run.label_agnostic:
        which = counted(len(few), "label has", "labels have")
        message = f"{which} fewer than {least} objects, so that figures by label are unstable: {listed(few, 10)}"
        yield Note("low-support", message, len(few))


def _without_precision(run: Run, counts: list[Counts]) -> Iterator[Note]:
    """Labels that macro precision skips."""
    silent = [
        name
        for name, one in zip(run.labels, counts, strict=True)
        if one.objects and one.true_positives + one.false_positives == 0
    ]
    if silent and not run.label_agnostic:
        which = counted(len(silent), "label")
        message = f"macro precision leaves out {which} with {rates.NO_DETECTIONS}: {listed(silent, 10)}"
        yield Note("labels-without-detections", message, len(silent))
