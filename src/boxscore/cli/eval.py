"""Evaluate detections against ground truth: COCO JSON, YOLO, VOC XML, text folders, CVAT, tables and more.

Prints the protocol's figures; notes about the input, such as how it was read, go to standard error.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from boxscore.pipeline.run import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.engine_options import add_engine_options
    from boxscore.cli.form_options import add_form_options
    from boxscore.cli.interval_options import add_interval_options
    from boxscore.cli.operating_options import add_operating_options
    from boxscore.cli.options import add_protocol_options, add_reading_options
    from boxscore.cli.slice_options import add_slice_options

    parser.add_argument("gt", metavar="GT", help="ground truth: a file or folder of any form, such as COCO JSON")
    parser.add_argument("pred", metavar="PRED", help="predictions, likewise, such as COCO's list of results")
    parser.add_argument("--json", action="store_true", help="print summary, metrics and notes as JSON")
    parser.add_argument("--per-label", action="store_true", help="also print a table of labels")
    parser.add_argument("--pr-points", metavar="IOU", type=float, help="also print precision at each recall point")
    parser.add_argument("--out", metavar="DIR", help="write the run folder here")
    parser.add_argument("--overwrite", action="store_true", help="replace the run folder that is at DIR")
    add_protocol_options(parser)
    parser.add_argument("--threads", metavar="N", type=int, help="threads (default: all processors)")
    add_operating_options(parser)
    add_interval_options(parser, switch=True)
    add_slice_options(parser)
    add_form_options(parser)
    add_reading_options(parser)
    add_engine_options(parser)


def run(options: argparse.Namespace) -> int:
    """Evaluate, save if asked to, print."""
    from boxscore.audit.doubts import are_doubts
    from boxscore.cli.engine_options import close_engine, engine_arguments
    from boxscore.cli.form_options import form_options
    from boxscore.cli.interval_options import resampling_of, switched_on
    from boxscore.cli.operating_options import operating_options
    from boxscore.cli.options import names, numbers, reading_of, whole_numbers
    from boxscore.cli.slice_options import asks_for_slices, slicing_of
    from boxscore.pipeline.evaluate import evaluate

    if options.out is not None:
        from boxscore.runs import check_target

        check_target(options.out, overwrite=options.overwrite)
    limits = options.max_detections
    resampling = resampling_of(options) if switched_on(options) else None
    slicing = slicing_of(options) if asks_for_slices(options) else None
    where = engine_arguments(options, options.gt, options.pred)
    evaluated = evaluate(
        options.gt,
        options.pred,
        protocol=options.protocol,
        labels=names(options.labels),
        label_agnostic=options.label_agnostic,
        iou=None if options.iou is None else numbers(options.iou, "--iou"),
        max_detections=None if limits is None else whole_numbers(limits, "--max-detections"),
        taxonomy=options.taxonomy,
        reading=reading_of(options),
        threads=options.threads,
        **operating_options(options),
        **form_options(options),
        **where,
    )
    if are_doubts(evaluated):
        from boxscore.audit.readings import settle

        evaluated = settle(evaluated, options.assume)
    if resampling is not None:
        evaluated = evaluated.with_intervals(resampling)
    if slicing is not None:
        evaluated = evaluated.with_slices(slicing, resampling)
    if options.out is not None:
        evaluated.save(options.out, overwrite=options.overwrite, command=_command(options))
    if options.json:
        _print_json(evaluated, options)
    else:
        _print_tables(evaluated, options)
    for note in evaluated.notes:
        print(f"note: {note}", file=sys.stderr)
    if "engine" in where:
        close_engine(evaluated)
    return 0


def _command(options: argparse.Namespace) -> dict[str, object]:
    """What was asked for, as run.json keeps it; where the run went and how it was printed is no part of it."""
    left_out = (
        "out",
        "overwrite",
        "json",
        "per_label",
        "pr_points",
        "sweep",
        "confusion",
        "calibration",
        "sequences",
        "threads",
        "engine",
        "parts",
    )
    asked = {name: value for name, value in vars(options).items() if name not in left_out}
    # A confidence of 0 is asked for, and equals False.
    given = {name: value for name, value in asked.items() if value is not None and value is not False}
    return {"name": "eval", "options": given}


def _print_json(evaluated: Run, options: argparse.Namespace) -> None:
    from boxscore.model.json_text import to_json

    content, iou = evaluated.to_dict(), options.pr_points
    if iou is not None:
        content["pr_points"] = [evaluated.precision_recall(label, iou).to_dict() for label in evaluated.labels]
    if options.sweep:
        content["sweep"] = evaluated.sweeps(options.beta or 1.0)
    if options.confusion:
        content["confusion"] = evaluated.confusion().to_dict()
    if options.sequences is not None:
        content["sequences"] = _sequences(evaluated, options)
    if options.calibration is not None:
        content["calibration"] = _calibration(evaluated, options)
    print(to_json(content), flush=True)


def _print_tables(evaluated: Run, options: argparse.Namespace) -> None:
    from boxscore.cli import tables

    at_point = evaluated.floors is not None
    lines = [] if at_point else _summary(evaluated)
    if at_point or options.sweep or options.confusion:
        from boxscore.cli import operating_tables

        lines += operating_tables.asked_for(evaluated, options)
    if at_point and evaluated.resampled is not None:
        from boxscore.cli import interval_tables

        lines += ["", *interval_tables.operating(evaluated)]
    if options.per_label and not at_point:
        lines += ["", *tables.per_label(evaluated)]
    if evaluated.slices is not None:
        from boxscore.cli import slice_tables

        lines += slice_tables.slices(evaluated, per_label=options.per_label)
    if options.calibration is not None:
        from boxscore.cli import calibration_tables

        lines += ["", *calibration_tables.calibration(_calibration(evaluated, options), per_label=options.per_label)]
    if options.sequences is not None:
        from boxscore.cli import sequence_tables

        lines += ["", *sequence_tables.sequences(_sequences(evaluated, options))]
    if options.pr_points is not None:
        lines += ["", *tables.precision_recall(evaluated, options.pr_points)]
    print("\n".join(lines), flush=True)


def _calibration(evaluated: Run, options: argparse.Namespace) -> dict[str, Any]:
    from boxscore.cli.slice_options import asks_for_slices, slicing_of
    from boxscore.pipeline.sliced import slices_of
    from boxscore.pipeline.sliced_calibration import calibration

    slices = slices_of(evaluated, slicing_of(options)) if asks_for_slices(options) else ()
    return calibration(evaluated, slices, bins=options.calibration)


def _sequences(evaluated: Run, options: argparse.Namespace) -> dict[str, Any]:
    from boxscore.pipeline.sliced_sequences import sequences

    by = options.sequences or None
    return sequences(evaluated, group_by=by, order_by=options.order_by, track_by=options.track_by)


def _summary(evaluated: Run) -> list[str]:
    from boxscore.cli import tables

    if evaluated.resampled is None:
        return tables.summary(evaluated)
    from boxscore.cli import interval_tables

    return interval_tables.summary(evaluated)
