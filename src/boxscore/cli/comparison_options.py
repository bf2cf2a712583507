"""How `compare` evaluates: the options of `eval`, for every file of predictions alike."""

from __future__ import annotations

import argparse

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.pipeline.run import Run


def add_evaluation_options(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    from boxscore.cli.form_options import add_form_options
    from boxscore.cli.operating_options import add_operating_options
    from boxscore.cli.options import add_protocol_options, add_reading_options

    add_protocol_options(parser)
    add_operating_options(parser, printing=False)
    add_form_options(parser)
    add_reading_options(parser)


def evaluation_of(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `load_files` that they stand for."""
    from boxscore.cli.form_options import form_options
    from boxscore.cli.operating_options import operating_options
    from boxscore.cli.options import names, numbers, reading_of, whole_numbers

    limits = options.max_detections
    return {
        "protocol": options.protocol,
        "labels": names(options.labels),
        "label_agnostic": options.label_agnostic,
        "iou": None if options.iou is None else numbers(options.iou, "--iou"),
        "max_detections": None if limits is None else whole_numbers(limits, "--max-detections"),
        "taxonomy": options.taxonomy,
        "reading": reading_of(options),
        "examined": lambda run: _settled(run, options.assume),
        **operating_options(options),
        **form_options(options),
    }


def _settled(run: Run, assume: str) -> Run:
    from boxscore.audit.doubts import are_doubts

    if not are_doubts(run):
        return run
    from boxscore.audit.readings import settle

    return settle(run, assume)


def refuse_evaluation_options(options: argparse.Namespace) -> None:
    """Raises InputError for an option that says how to evaluate, where run folders were evaluated already."""
    fresh = argparse.ArgumentParser(add_help=False)
    add_evaluation_options(fresh)
    for name, default in vars(fresh.parse_args([])).items():
        if getattr(options, name) != default:
            raise InputError(
                f"--{name.replace('_', '-')} says how files are evaluated, and these run folders were evaluated "
                "already; leave it out, or give the ground truth and files of predictions"
            )
