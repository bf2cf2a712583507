"""`boxscore demo --regression`: a gate that passes, fails by each planted fault, and passes again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    import argparse

    from boxscore.planted import Demonstration

FOLDER, IMAGES = "boxscore-regression", 20

_OWN = ("fault", "card", "iou", "simulated", "processes")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that only the planted regressions have."""
    group = parser.add_argument_group(
        "planted regressions: scenes, a baseline, and a gate that fails by each fault and passes without"
    )
    add = group.add_argument
    add("--regression", action="store_true", help=f"show this instead ({IMAGES} images, in {FOLDER})")
    add(
        "--fault",
        metavar="NAME",
        action="append",
        help="iou, floor, labels-swapped, boxes-shifted, pictures-lost or dark-degraded; may be given more than once "
        "(default: each in turn)",
    )
    add("--card", metavar="CARD", help="model card of the detector (default: the simulator stands in)")
    add("--iou", metavar="T", type=float, help="threshold that the fault `iou` matches at (0.9)")
    add("--simulated", action="store_true", help="scenes without pictures, even where they can be rendered")
    add("--processes", metavar="P", type=int, help="processes that render (one a processor)")


def refuse_without(args: argparse.Namespace) -> None:
    """Raises InputError for options that do nothing without --regression."""
    for name in _OWN:
        if getattr(args, name):
            raise InputError(f"--{name} is about planted regressions; add --regression, or leave it out")


def run(args: argparse.Namespace) -> int:
    """Show it step by step; status 1 where a fault was not caught, named, told and undone as it should be."""
    from boxscore.cli import regression_text
    from boxscore.planted.faults import known
    from boxscore.scenes.checks import check_count

    names = known(args.fault or [])
    check_count("--seed", args.seed, 0)
    demonstration = _begun(args)
    tell = _silent if args.json else _say
    tell(regression_text.beginning(demonstration, args.seed))
    for name in names:
        tell("\n" + regression_text.fault(demonstration.plant(name)))
    tell("\n" + regression_text.ending(demonstration))
    if args.json:
        from boxscore.model.json_text import to_json

        print(to_json(regression_text.as_json(demonstration, args.seed)), flush=True)
    return 0 if demonstration.ok else 1


def _begun(args: argparse.Namespace) -> Demonstration:
    from boxscore.cli.scenes_progress import scenes_progress
    from boxscore.pipeline.evaluate import thread_count
    from boxscore.planted import begin

    card = None
    if args.card is not None:
        from boxscore.predict.card import load_card

        card = load_card(args.card)
    with scenes_progress("scenes") as told:
        return begin(
            Path(FOLDER) if args.out is None else args.out,
            count=IMAGES if args.images is None else args.images,
            seed=args.seed,
            card=card,
            simulated=args.simulated,
            iou=0.9 if args.iou is None else args.iou,
            processes=thread_count(None) if args.processes is None else args.processes,
            told=told,
        )


def _say(text: str) -> None:
    print(text, flush=True)


def _silent(text: str) -> None:
    del text
