"""Sort a run's failures: which mistakes, what each kind costs, where they gather, what to collect next.

RUN is a folder that `boxscore eval --out` wrote, or a table of matches (.csv). What is found of a run folder is kept in
it, under derived/triage.json. Notes go to standard error.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.triage import Options, Triage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("run", metavar="RUN", help="a run folder, or a table with a row a match, miss and false detection")
    add("--iou", metavar="T", type=float, help="IoU threshold, one of the protocol's (0.5)")
    add(
        "--confidence",
        "--conf",
        metavar="C",
        type=float,
        help="lowest confidence that counts (that of the run, or all)",
    )
    add("--no-crowds", action="store_true", help="crowds are nothing that false detections overlap, as in tidecv")
    add("--json", action="store_true", help="print everything as JSON")
    add(
        "--out",
        metavar="DIR",
        help="write matches.csv, failures_classified.csv and (with clusters) cluster_summary.csv",
    )
    add("--suggest", metavar="FILE", help="write sampling weights for the next collection, or scenes, as YAML")
    clusters = parser.add_argument_group("clusters of failures (these need scikit-learn: boxscore[triage])")
    clusters.add_argument("--clusters", action="store_true", help="cluster failures, as many as stand out")
    clusters.add_argument("--k", metavar="K", type=int, help="cluster failures into so many")
    clusters.add_argument(
        "--features", metavar="NAME", help="perceptorguard: the features and encoding of that harness"
    )
    search = parser.add_argument_group("search for conditions on images under which failures are more frequent")
    search.add_argument("--no-search", action="store_true", help="leave the search out")
    search.add_argument("--permutations", metavar="N", type=int, default=999, help="of the test (999)")
    search.add_argument("--level", metavar="P", type=float, default=0.05, help="largest adjusted p-value told (0.05)")
    search.add_argument(
        "--unit", choices=("image", "group"), help="what is permuted (groups where the data declare them)"
    )
    search.add_argument("--seed", metavar="N", type=int, help="of all that is drawn (0)")
    slices = parser.add_argument_group("slices and metadata, by which failures are told apart")
    slices.add_argument(
        "--slice-by", metavar="SPEC", action="append", help="as in eval: weather, distance:0,3,5,inf, …"
    )
    slices.add_argument("--slice", metavar="NAME=SQL", dest="slice_where", action="append", help="as in eval")
    slices.add_argument("--metadata", metavar="FILE", help="table of further columns, by image id or file name")
    slices.add_argument("--metadata-key", metavar="COLUMN", help="its column of image ids or file names")
    slices.add_argument(
        "--support", metavar="N", type=int, help="least images, or objects, of a slice that is told (20)"
    )
    parser.set_defaults(sequences=None, order_by=None, track_by=None)  # options of eval's slices alone


def run(options: argparse.Namespace) -> int:
    """Sort, write what was asked for, print."""
    from boxscore.triage import save, triage
    from boxscore.triage.table import is_table

    found = triage(options.run, _asked(options))
    if not is_table(options.run):
        save(found, options.run)
    _write(found, options)
    if options.json:
        from boxscore.model.json_text import to_json

        print(to_json(found.to_dict()), flush=True)
    else:
        from boxscore.cli import triage_tables

        print("\n".join(triage_tables.lines(found)), flush=True)
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    return 0


def _asked(options: argparse.Namespace) -> Options:
    from boxscore.cli.interval_options import AskedResampling
    from boxscore.cli.slice_options import asks_for_slices, slicing_of
    from boxscore.triage import Options

    return Options(
        iou=options.iou,
        confidence=options.confidence,
        crowds=not options.no_crowds,
        slicing=slicing_of(options) if asks_for_slices(options) else None,
        clusters=options.clusters,
        k=options.k,
        features=options.features,
        search=not options.no_search,
        permutations=options.permutations,
        level=options.level,
        resampling=None if options.unit is None else AskedResampling(unit=options.unit),
        seed=options.seed,
    )


def _write(found: Triage, options: argparse.Namespace) -> None:
    if options.out is not None:
        for path in found.write(options.out):
            print(f"wrote {path}", file=sys.stderr)
    if options.suggest is not None:
        found.sampling.write(options.suggest)
        print(f"wrote {options.suggest}", file=sys.stderr)
