"""What is worth knowing about a comparison: units, absent labels, models that were treated differently."""

from __future__ import annotations

from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boxscore.compare.results import Result
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.units import Units


def notes(runs: Mapping[str, Run], results: Sequence[Result], units: Units) -> Iterator[Note]:
    """Which units, how few, and what else bears on the verdicts."""
    from boxscore.stats.intervals import caution

    yield from units.notes
    warning = caution(units.count, units.kind)
    if warning is not None:
        yield Note("few-units", warning, units.count)
    yield from steps_differ(runs)
    yield from _own_floors(runs)
    yield from _alike(results)
    absent = {label: share for result in results for label, share in result.absent.items()}
    if absent:
        yield absent_labels(absent, units.kind)


def _alike(results: Sequence[Result]) -> Iterator[Note]:
    """Pairs of models that no replicate tells apart."""
    pairs = [pair for result in results if result.label is None for pair in result.pairs]
    alike = dict.fromkeys((pair.a, pair.b) for pair in pairs if pair.difference == 0.0 and pair.std_error == 0.0)
    for a, b in alike:
        yield Note("models-alike", f"{a} and {b} do not differ in any replicate: are they the same file?")


def absent_labels(shares: Mapping[str, float], unit: str) -> Note:
    """Labels, each with the share of replicates that hold none of its objects."""
    by_share = [f"{label} {100 * shares[label]:.3g} %" for label in sorted(shares, key=lambda one: -shares[one])]
    message = (
        f"{counted(len(shares), 'label has', 'labels have')} objects in so few {unit}s that replicates may hold none "
        f"of them; a mean over labels then goes without: {listed(by_share)}"
    )
    return Note("labels-absent-in-replicates", message, len(shares))


def steps_differ(runs: Mapping[str, Run]) -> Iterator[Note]:
    """That detections were not treated alike; nothing where they were."""
    by_model = {name: [(step["step"], step.get("iou")) for step in run.steps] for name, run in runs.items()}
    if len({str(steps) for steps in by_model.values()}) > 1:
        told = ", ".join(f"{name}: {_worded(steps)}" for name, steps in by_model.items())
        yield Note(
            "steps-differ",
            f"detections were not treated alike before matching ({told}): it is part of what is compared",
        )


def _worded(steps: Sequence[tuple[str, object]]) -> str:
    return listed([f"{step} {value}" for step, value in steps]) if steps else "as they are"


def _own_floors(runs: Mapping[str, Run]) -> Iterator[Note]:
    floors = {str(run.floors.of(run.labels)) for run in runs.values() if run.floors is not None}
    if len(floors) > 1:
        yield Note("floors-differ", "each model has confidence floors of its own: they are part of what is compared")
