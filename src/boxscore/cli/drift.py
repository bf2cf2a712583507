"""Compare boxscore with other scorers on the same files, and explain the difference.

Scorers run in processes of their own, at the version asked for; environments that are missing are made in
$BOXSCORE_CACHE (default: the platform's folder for caches). Notes about the input go to standard error.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.drift import Drift

BEYOND = 1
"""Exit status where a figure is beyond the tolerance."""
FAILED = 2
"""Exit status where a scorer gave no figures."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.form_options import add_form_options
    from boxscore.cli.options import add_reading_options

    parser.add_argument("gt", metavar="GT", help="ground truth: a file or folder of any form, such as COCO JSON")
    parser.add_argument("pred", metavar="PRED", help="predictions, likewise, such as COCO's list of results")
    parser.add_argument(
        "--with",
        metavar="NAME[==VERSION]",
        dest="scorers",
        action="append",
        help="a scorer: pycocotools, faster-coco-eval, hotcoco, supervision or torchmetrics; may be given again "
        "(default: those that are importable here)",
    )
    parser.add_argument(
        "--tolerance", metavar="T", type=float, help="exit with status 1 where a figure differs by more"
    )
    parser.add_argument("--json", action="store_true", help="print figures, differences and switches as JSON")
    parser.add_argument("--taxonomy", metavar="FILE", help="YAML file that merges, renames and drops labels")
    parser.add_argument("--threads", metavar="N", type=int, help="threads (default: all processors)")
    add_form_options(parser)
    add_reading_options(parser)


def run(options: argparse.Namespace) -> int:
    """Score, compare, print."""
    from boxscore.cli.form_options import form_options
    from boxscore.cli.options import reading_of
    from boxscore.drift import drift
    from boxscore.drift.measured import tolerance_of

    tolerance = tolerance_of(options.tolerance)
    files = form_options(options)
    if options.taxonomy is not None:
        files["taxonomy"] = options.taxonomy
    found = drift(
        options.gt,
        options.pred,
        options.scorers,
        reading=reading_of(options),
        threads=options.threads,
        tell=lambda message: print(f"{message} …", file=sys.stderr, flush=True),
        **files,
    )
    for note in found.run.notes:
        print(f"note: {note}", file=sys.stderr)
    _print(found, tolerance, as_json=options.json)
    for _, error in found.failed:
        print(f"error: {error}", file=sys.stderr)
    if found.failed:
        return FAILED
    return BEYOND if tolerance is not None and found.beyond(tolerance) else 0


def _print(found: Drift, tolerance: float | None, *, as_json: bool) -> None:
    if not as_json and not found.scored:
        return  # the errors say all there is to say
    if not as_json:
        from boxscore.cli import drift_tables

        print("\n".join(drift_tables.lines(found, tolerance)), flush=True)
        return
    from boxscore.model.json_text import to_json

    content = found.to_dict()
    if tolerance is not None:
        content["tolerance"] = tolerance
        content["beyond"] = [one.to_dict() for one in found.beyond(tolerance)]
    print(to_json(content), flush=True)
