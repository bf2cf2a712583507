"""Notes about a result: what was left out of it, what it doesn't cover."""

from __future__ import annotations

from boxscore.model.notes import Note, counted, listed
from boxscore.pipeline import unranked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore import _kernel
    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.run import Run


def result_notes(run: Run) -> Iterator[Note]:
    """Modified protocol, detections beyond the limit, none at all, or of one score; labels without ground truth."""
    protocol = run.protocol
    if protocol.modified:
        changed = ", ".join(protocol.modified)
        yield Note("protocol-modified", f"protocol {protocol.name} is modified: {changed}", len(protocol.modified))
    yield from _out_of_range(run)
    yield from _over_limit(run)
    yield from _without_detections(run)
    unranked_note = unranked.note(run)
    if unranked_note is not None:
        yield unranked_note
    if run.floors is not None:
        from boxscore.pipeline import operating_notes

        yield from operating_notes.notes(run)
    if not run.label_agnostic:
        yield from _without_objects(run)


def _out_of_range(run: Run) -> Iterator[Note]:
    """Objects that count nowhere, since the range of all areas doesn't hold theirs."""
    count, source, first = run.out_of_range
    if count:
        yield out_of_range_note(run.protocol, count, source, first)


def count_out_of_range(dataset: _kernel.Dataset, protocol: Protocol) -> tuple[int, int | None]:
    """Objects outside the range of all areas, and the first row of the file among them."""
    _, least, most = protocol.area_ranges[0]
    by_box, honoured = protocol.object_area == "box", protocol.ignore_flag == "honour"
    return dataset.count_outside(least, most, area_from_box=by_box, honour_ignore=honoured)


def out_of_range_note(protocol: Protocol, count: int, source: str, first: str) -> Note:
    """That objects of the source are in no figure; `first` is the place of the first of them."""
    name, least, most = protocol.area_ranges[0]
    message = (
        f"{source}: {counted(count, 'object has', 'objects have')} an area outside {least:g}..{most:g} "
        f"(range {name} of protocol {protocol.name}), first {first}; no figure counts them"
    )
    return Note("objects-out-of-range", message, count)


def _over_limit(run: Run) -> Iterator[Note]:
    pairs, left_out = run.matches.over_limit
    if not pairs:
        return
    limit = run.protocol.max_detections[-1]
    one, many = ("image", "images") if run.label_agnostic else ("pair of image and label", "pairs of image and label")
    which = f"1 {one} has" if pairs == 1 else f"{pairs} {many} have"
    rest = "1 detection was" if left_out == 1 else f"{left_out} detections were"
    message = f"{which} more than {limit} detections; {rest} not scored; raise --max-detections to score all"
    yield Note("over-limit", message, left_out)


def _without_detections(run: Run) -> Iterator[Note]:
    if sum(run.detections_by_label()) == 0:
        source = run.source_of_predictions
        where = f"{source}: " if source else ""
        figure = "AP" if run.floors is None else "recall"
        message = f"{where}there is not one detection; {figure} is 0 wherever there is ground truth"
        yield Note("no-detections", message, 0)


def _without_objects(run: Run) -> Iterator[Note]:
    figures = run.figures()
    names = run.labels.names
    absent = [name for position, name in enumerate(names) if figures.objects(position) == 0]
    if absent and len(absent) == len(names):
        figures_without = "AP and AR are" if run.floors is None else "recall and F are"
        message = f"no label has ground truth that counts; {figures_without} undefined"
        yield Note("no-ground-truth", message, len(absent))
    elif absent:
        kept = len(names) - len(absent)
        message = f"the mean is over {kept} of {counted(len(names), 'label')}; no ground truth for: {listed(absent)}"
        yield Note("labels-without-ground-truth", message, len(absent))
