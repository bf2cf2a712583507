"""Choose confidence floors, label by label, on one split: `boxscore thresholds fit GT PRED --aim AIM --out FILE`.

Aims: `best-f1`; `best-fbeta` with --beta; `recall-at-precision=P`, the most objects found of each label at a precision
of P or more; `max-fp-per-image=K`, the most objects found with at most K false positives an image, over all labels. The
file says on which ground truth (by digest) it was fitted; `boxscore eval --protocol operating-point --thresholds FILE`
on the same says so.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.pipeline.run import Run
    from boxscore.pipeline.thresholds import Fitted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.form_options import add_form_options
    from boxscore.cli.options import add_reading_options
    from boxscore.cli.thresholds_by import add_by_options

    parser.add_argument("action", choices=("fit",), help="choose floors")
    parser.add_argument("gt", metavar="GT", help="ground truth of the split to fit on")
    parser.add_argument("pred", metavar="PRED", help="predictions, with low confidences kept")
    parser.add_argument("--aim", default="best-f1", help="what the floors are chosen for (default: best-f1)")
    parser.add_argument("--beta", metavar="B", type=float, help="beta of best-fbeta")
    parser.add_argument("--out", metavar="FILE", help="write the floors here (YAML; default: print them)")
    parser.add_argument("--json", action="store_true", help="print floors and notes as JSON")
    parser.add_argument("--protocol", default="operating-point", metavar="NAME|FILE", help="(default: operating-point)")
    parser.add_argument("--iou", metavar="T", type=float, help="IoU threshold instead of the protocol's")
    parser.add_argument("--conf", metavar="X", type=float, help="floor of labels for which none can be chosen")
    parser.add_argument(
        "--nms", metavar="IOU", type=float, help="first suppress detections that overlap a better one so"
    )
    parser.add_argument("--labels", metavar="A,B", action="append", help="fit these labels alone")
    parser.add_argument("--taxonomy", metavar="FILE", help="YAML file that merges, renames and drops labels")
    parser.add_argument("--threads", metavar="N", type=int, help="threads (default: all processors)")
    add_by_options(parser)
    add_form_options(parser)
    add_reading_options(parser)


def run(options: argparse.Namespace) -> int:
    """Evaluate at every confidence, choose, write or print."""
    from boxscore.cli import thresholds_by
    from boxscore.measures.thresholds import Aim
    from boxscore.pipeline.thresholds import fit

    aim = Aim(options.aim, options.beta)
    evaluated = _evaluated(options)
    if thresholds_by.is_asked_for(options):
        return thresholds_by.run(evaluated, aim, options)
    fitted = fit(evaluated, aim)
    if options.out is not None:
        fitted.write(options.out)
    if options.json:
        from boxscore.model.json_text import to_json

        notes = [note.to_dict() for note in evaluated.input_notes]
        print(to_json(fitted.to_dict() | {"notes": notes}), flush=True)
    elif options.out is None:
        print(fitted.to_yaml(), end="", flush=True)
    else:
        print("\n".join(_lines(evaluated, fitted, options.out)), flush=True)
    for note in evaluated.input_notes:
        print(f"note: {note}", file=sys.stderr)
    for label, reason in fitted.not_fitted.items():
        print(f"note: {label}: the aim can't be met: {reason}", file=sys.stderr)
    return 0


def _evaluated(options: argparse.Namespace) -> Run:
    from boxscore.cli.form_options import form_options
    from boxscore.cli.options import names, reading_of
    from boxscore.pipeline.evaluate import evaluate

    return evaluate(
        options.gt,
        options.pred,
        protocol=options.protocol,
        iou=options.iou,
        confidence=options.conf,
        nms=options.nms,
        labels=names(options.labels),
        taxonomy=options.taxonomy,
        reading=reading_of(options),
        threads=options.threads,
        **form_options(options),
    )


def _lines(evaluated: Run, fitted: Fitted, path: str) -> list[str]:
    """Floors by label, with what they give on the data they were fitted on."""
    from boxscore.cli.tables import aligned, figure

    seen = evaluated.at_floors(fitted.floors)
    kinds = ("precision", "recall", "F1")
    rows = [(label, f"{floor:.6g}", label) for label, floor in fitted.floors.by_label.items()]
    body = [
        [shown, floor, *(figure(seen.value(kind, label)) for kind in kinds)]
        for shown, floor, label in [*rows, ("all, micro", "", None)]
    ]
    return [
        *aligned(["label", "floor", *kinds], body),
        f"on the data fitted on, false positives an image: {figure(seen.value('FPPI'))}",
        f"written to {path}: aim {(fitted.floors.fitted or {})['aim']}, default {fitted.floors.default:g}",
    ]
