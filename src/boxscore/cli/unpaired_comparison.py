"""`boxscore compare --unpaired`: one model on two data sets, and the tables of what is found."""

from __future__ import annotations

import sys

from boxscore.cli.tables import aligned
from boxscore.errors import InputError
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from boxscore.cli.comparison_engine import ComparisonEngine
    from boxscore.compare.loading import Loaded
    from boxscore.compare.unpaired_results import Gap, Side, Unpaired

_UNDEFINED = "n/a"


def run(options: argparse.Namespace) -> int:
    """Evaluate or load, compare, print."""
    from boxscore.cli.comparison_engine import comparison_engine
    from boxscore.cli.interval_options import resampling_of
    from boxscore.compare import compare_unpaired
    from boxscore.pipeline.identity import refuse_other_protocol

    if options.pairs != "adjacent":
        raise InputError("--pairs says which models are compared, and --unpaired is of one model; leave it out")
    resampling = resampling_of(options)
    with comparison_engine(options) as engine:
        loaded = _loaded(options, engine)
        refuse_other_protocol(loaded.runs, loaded.saved, own_floors=options.own_floors)
        found = compare_unpaired(
            loaded.runs,
            measures=options.measure,
            resampling=resampling,
            own_floors=options.own_floors,
            threads=options.threads,
            drawing=engine.drawing,
        )
    told = [(name, note) for name, one in loaded.runs.items() for note in one.notes]
    if options.json:
        from boxscore.model.json_text import to_json

        read = [note.to_dict() | {"side": name} for name, note in told]
        print(to_json(found.to_dict() | {"input_notes": read}), flush=True)
    else:
        print("\n".join(lines(found, every_measure=options.per_label)), flush=True)
    for name, note in told:
        print(f"note: {note}" if note.message.startswith(name) else f"note: {name}: {note}", file=sys.stderr)
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    return 0


def _loaded(options: argparse.Namespace, engine: ComparisonEngine) -> Loaded:
    from boxscore.cli.comparison_options import evaluation_of, refuse_evaluation_options
    from boxscore.compare.loading import are_folders, load_folders, load_sides
    from boxscore.compare.sharded import are_sharded, load_sharded_sides

    paths = options.paths
    if len(paths) == 2 and are_folders(paths):
        refuse_evaluation_options(options)
        return load_folders(paths, options.name)
    if len(paths) != 4:
        raise InputError(
            "--unpaired takes two run folders, or ground truth and predictions of two data sets (GT PRED GT PRED), "
            f"and {counted(len(paths), 'path is', 'paths are')} given"
        )
    sides = [(paths[0], paths[1]), (paths[2], paths[3])]
    if are_sharded(paths):
        return load_sharded_sides(sides, options.name, engine.fresh, threads=options.threads, **evaluation_of(options))
    return load_sides(sides, options.name, threads=options.threads, **evaluation_of(options))


def lines(found: Unpaired, *, every_measure: bool = False) -> list[str]:
    """All tables: each measure over the shared labels, then the first (or every) measure label by label."""
    first, second = found.sides
    overall = [gap for gap in found.gaps if gap.label is None]
    how = found.resampling
    drawn = f"{how.replicates:,} resamples of each (seed {how.seed})"
    told = [
        f"{first.name} - {second.name}: {_drawn(first)} against {_drawn(second)}",
        f"{100 * how.confidence:.6g} % {how.interval} intervals from {drawn}",
        f"{counted(len(found.labels), 'shared label')}: {listed(found.labels, 20)}",
        *_left_out(found),
        "",
        *_table("", overall, [str(gap.measure) for gap in overall], found),
    ]
    for gap in overall if every_measure else overall[:1]:
        of_labels = [one for one in found.gaps if one.label is not None and one.measure == gap.measure]
        if of_labels:
            told += ["", *_table(str(gap.measure), of_labels, [one.label or "" for one in of_labels], found)]
    return [*told, "", "gap: the first minus the second; intervals are not adjusted for the number of figures"]


def _drawn(side: Side) -> str:
    return counted(side.units, side.unit) + (f" of {side.images} images" if side.unit == "group" else "")


def _left_out(found: Unpaired) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for label, reason in found.left_out.items():
        by_reason.setdefault(reason, []).append(label)
    return [f"left out, as {reason}: {listed(labels, 8)}" for reason, labels in by_reason.items()]


def _table(head: str, gaps: Sequence[Gap], names: Sequence[str], found: Unpaired) -> list[str]:
    columns = [head, *(side.name for side in found.sides), "gap", "low", "high", "clear of 0"]
    rows = [
        [
            name,
            *(_figure(figure.point) for figure in gap.figures),
            *(_figure(value, sign="+") for value in (gap.gap, gap.low, gap.high)),
            _UNDEFINED if gap.excludes_zero is None else "yes" if gap.excludes_zero else "no",
        ]
        for name, gap in zip(names, gaps, strict=True)
    ]
    reasons: dict[str, list[str]] = {}
    for name, gap in zip(names, gaps, strict=True):
        if gap.reason is not None:
            reasons.setdefault(gap.reason, []).append(name)
    return [*aligned(columns, rows), *(f"{reason} ({listed(which, 12)})" for reason, which in reasons.items())]


def _figure(value: float | None, *, sign: str = "") -> str:
    return _UNDEFINED if value is None else f"{value:{sign}.3f}"
