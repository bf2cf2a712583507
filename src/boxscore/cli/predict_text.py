"""What `boxscore predict` says of a finished run."""

from __future__ import annotations

from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore.predict.card import Card
    from boxscore.predict.latency import Percentile
    from boxscore.predict.run import Predicted

_STEPS = {
    "read_ms": "read",
    "preprocess_ms": "preprocess",
    "inference_ms": "inference",
    "decode_ms": "decode",
    "to_boxes_ms": "to boxes",
}


def summary(done: Predicted, card: Card) -> list[str]:
    """What was written, and a table of latencies with their intervals."""
    asked = done.record["asked"]
    lanes = "one by one" if asked.get("one_by_one") else f"{counted(asked['lanes'], 'lane')}, overlapping"
    head = (
        f"{done.out}: {counted(done.detections, 'detection')} in {counted(done.pictures, 'picture')} by "
        f"{card.variant_name}"
    )
    measured = done.latency["to_boxes_ms"]["p50"].count
    how = f"{counted(asked['threads'], 'thread')}, {lanes}; {done.record['detector']['providers'][0]}"
    what = f"milliseconds of {counted(measured, 'picture')} after the warm-up"
    lines = [head, f"{what} ({how} on {done.record['device']}):"]
    names = list(done.latency["to_boxes_ms"])
    lines.append(f"  {'':<10}" + "".join(f"  {name:<26}" for name in names).rstrip())
    for step, by_name in done.latency.items():
        lines.append(f"  {_STEPS[step]:<10}" + "".join(f"  {_cell(by_name[name]):<26}" for name in names).rstrip())
    return lines


def notes(done: Predicted) -> Iterator[str]:
    """Pictures that failed, and odd ones."""
    if done.continued:
        yield f"the run was taken up {counted(done.continued, 'time')} where it had stopped"
    kinds = done.record["machine"].get("kinds")
    if kinds:
        yield (
            f"nodes of {counted(len(kinds), 'kind')} of processor took part, and the last bits of a score may depend "
            f"on which: {listed(kinds)}"
        )
    if done.unreadable:
        what = counted(len(done.unreadable), "picture")
        shown = "; ".join(f"{one['file_name']}: {one['reason']}" for one in done.unreadable[:10])
        more = f" (+{len(done.unreadable) - 10} more, in {done.out.name}.run.json)" if len(done.unreadable) > 10 else ""
        yield f"{what} could not be read, and {'is' if len(done.unreadable) == 1 else 'are'} marked so: {shown}{more}"
    by_note: dict[str, list[str]] = {}
    for one in done.noted:
        for text in one["notes"]:
            by_note.setdefault(text, []).append(one["file_name"])
    for text, names in by_note.items():
        yield f"{counted(len(names), 'picture')}: {text} ({listed(names, 3)})"


def _cell(one: Percentile) -> str:
    if one.value is None:
        return "–"
    low, high = ("?" if end is None else f"{end:.2f}" for end in (one.low, one.high))
    return f"{one.value:.2f} [{low}, {high}]"
