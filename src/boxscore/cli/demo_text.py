"""What `boxscore demo` says about the two models it evaluated."""

from boxscore.scenes.demonstration import Demonstration

Summary = dict[str, float | None]


def what_was_made(shown: Demonstration, seed: int) -> str:
    """Counts of what was simulated, and where it is."""
    truth = shown.truth
    counts = " and ".join(f"{shown.detections[name]:,} detections of {name!r}" for name in shown.models)
    return (
        f"Simulated with seed {seed}: {truth.spec.images:,} images in {truth.spec.clips:,} clips, "
        f"{len(truth.objects.label):,} objects of {len(truth.spec.labels)} labels,\n{counts}; "
        f"written to {shown.folder}."
    )


def side_by_side(summaries: dict[str, Summary]) -> str:
    """The headline figures of both models and their differences; `–` where undefined."""
    (first, before), (second, after) = summaries.items()
    lines = [f"{'':16} {first:>10} {second:>10} {'difference':>11}"]
    for measure in before:
        gap = _difference(before[measure], after[measure])
        lines.append(
            f"{measure:16} {_figure(before[measure]):>10} {_figure(after[measure]):>10} {_figure(gap, '+.3f'):>11}"
        )
    return "\n".join(lines)


def reading(summaries: dict[str, Summary]) -> str:
    """What the table shows, in words, beside what was put into the two models."""
    (first, before), (second, after) = summaries.items()
    gaps = {measure: _difference(before[measure], after[measure]) for measure in before}
    known = {measure: gap for measure, gap in gaps.items() if gap is not None}
    made = (
        f"By construction {second!r} finds more objects, small ones above all, but its boxes are looser and its\n"
        "scores promise too much."
    )
    if not known:
        return made + "\nThese scenes hold no objects, so every figure is undefined."
    most, least = max(known, key=lambda m: known[m]), min(known, key=lambda m: known[m])
    return (
        f"{made}\nAgainst {first!r} it gains most in {most} ({known[most]:+.3f}) and least in {least} "
        f"({known[least]:+.3f}):\nwhich of the two is better depends on how well a box must fit."
    )


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _figure(value: float | None, form: str = ".3f") -> str:
    return "–" if value is None else format(value, form)
