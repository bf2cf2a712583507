"""Compare models on one ground truth, each pair with a verdict.

Prints the leaderboard with intervals; each pair's difference, interval, p, p
adjusted for the number of pairs, and verdict; the models that these data cannot
separate; and what it would take. Runs of other protocols, labels or ground
truth are refused. With --unpaired: one model on two data sets, and the gap of
each figure over the labels that both have. docs/comparing.md says how to read it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.cli.comparison_engine import ComparisonEngine
    from boxscore.compare.loading import Loaded


FILES_BETWEEN_OPTIONS = True

_USAGE = """boxscore compare GT PRED_A PRED_B [PRED_C …] [options]
       boxscore compare RUN_A RUN_B [RUN_C …] [options]
       boxscore compare --unpaired RUN_A RUN_B [options]
       boxscore compare --unpaired GT_A PRED_A GT_B PRED_B [options]"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.comparison_options import add_evaluation_options
    from boxscore.cli.engine_options import add_engine_options
    from boxscore.cli.interval_options import add_interval_options

    parser.usage = _USAGE
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="+", help="ground truth, then a file of predictions a model; or run folders")
    add("--measure", metavar="M", action="append", help="AP@0.5, F1[conf=0.4]@0.5, … (repeatable; default: headline)")
    add("--unpaired", action="store_true", help="one model on two data sets: the gap of each figure, A - B")
    add("--pairs", metavar="WHICH", default="adjacent", help="adjacent on the leaderboard, all, or MODEL: all with one")
    add("--per-label", action="store_true", help="also compare label by label")
    add("--name", metavar="NAME", action="append", help="name of a model, once for each in order (default: of files)")
    add("--own-floors", action="store_true", help="run folders may have confidence floors of their own")
    add("--json", action="store_true", help="print everything as JSON")
    add("--threads", metavar="N", type=int, help="threads (default: all processors)")
    add_interval_options(parser)
    add_evaluation_options(parser)
    add_engine_options(parser)


def run(options: argparse.Namespace) -> int:
    """Evaluate or load, compare, print."""
    if options.unpaired:
        from boxscore.cli import unpaired_comparison

        return unpaired_comparison.run(options)
    from boxscore.cli import comparison_tables as tables
    from boxscore.cli.comparison_engine import comparison_engine
    from boxscore.cli.interval_options import resampling_of
    from boxscore.compare import compare
    from boxscore.pipeline.identity import refuse_different

    resampling = resampling_of(options)
    with comparison_engine(options) as engine:
        loaded = _loaded(options, engine)
        refuse_different(loaded.runs, loaded.saved, own_floors=options.own_floors)
        found = compare(
            loaded.runs,
            measures=options.measure,
            resampling=resampling,
            pairs=options.pairs,
            per_label=options.per_label,
            own_floors=options.own_floors,
            threads=options.threads,
            drawing=engine.drawing,
        )
    notes = tables.notes_of(loaded.runs, found)
    if options.json:
        from boxscore.model.json_text import to_json

        told = [note.to_dict() | {"model": model} for model, note in notes]
        print(to_json(found.to_dict() | {"notes": told}), flush=True)
    else:
        print("\n".join(tables.comparison(found)), flush=True)
    for model, note in notes:
        # Most notes about a file begin with its name, which is the model's.
        named = model is None or note.message.startswith(model)
        print(f"note: {note}" if named else f"note: {model}: {note}", file=sys.stderr)
    return 0


def _loaded(options: argparse.Namespace, engine: ComparisonEngine) -> Loaded:
    from boxscore.cli.comparison_options import evaluation_of, refuse_evaluation_options
    from boxscore.compare.loading import are_folders, load_files, load_folders
    from boxscore.compare.sharded import are_sharded, load_shards

    if are_folders(options.paths):
        refuse_evaluation_options(options)
        return load_folders(options.paths, options.name)
    gt, *predictions = options.paths
    if are_sharded(options.paths):
        return load_shards(
            gt, predictions, options.name, engine.fresh, threads=options.threads, **evaluation_of(options)
        )
    return load_files(gt, predictions, options.name, threads=options.threads, **evaluation_of(options))
