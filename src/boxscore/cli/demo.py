"""Simulate scenes and two detectors, evaluate both, and say what to try next.

With --regression: make scenes, promote a baseline, and show a gate that fails by
each planted fault, and passes once it is undone (docs/gate.md).
"""

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from boxscore.cli.demo_text import Summary
    from boxscore.scenes.demonstration import Demonstration

FOLDER, IMAGES = "boxscore-demo", 500


def add_arguments(parser: "argparse.ArgumentParser") -> None:
    """The command's options."""
    from boxscore.cli import regression

    parser.add_argument("--out", type=Path, metavar="DIR", help=f"folder to write (default {FOLDER})")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of all that is drawn (default 0)")
    parser.add_argument("--images", type=int, metavar="N", help=f"number of images (default {IMAGES})")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    regression.add_arguments(parser)


def run(args: "argparse.Namespace") -> int:
    """Write the folder, evaluate both models, print. Raises InputError for options that can't be used."""
    from boxscore.cli import regression

    if args.regression:
        return regression.run(args)
    regression.refuse_without(args)

    import boxscore
    from boxscore.cli.demo_text import reading, side_by_side, what_was_made
    from boxscore.scenes.checks import check_count
    from boxscore.scenes.demonstration import write_demonstration

    check_count("--seed", args.seed, 0)
    images = IMAGES if args.images is None else args.images
    check_count("--images", images, 1)
    shown = write_demonstration(args.out or Path(FOLDER), args.seed, images)
    summaries = {name: dict(boxscore.evaluate(shown.ground_truth, path).summary) for name, path in shown.models.items()}
    if args.json:
        print(json.dumps(_as_json(shown, summaries), indent=2))
    else:
        print("\n\n".join((what_was_made(shown, args.seed), side_by_side(summaries), reading(summaries))))
        print("\nTry next:\n" + "\n".join(f"  {command}" for command in _next_commands(shown)))
    return 0


def _as_json(shown: "Demonstration", summaries: "dict[str, Summary]") -> dict[str, object]:
    return {
        "folder": str(shown.folder),
        "ground_truth": str(shown.ground_truth),
        "models": {
            name: {"file": str(path), "detections": shown.detections[name], "summary": summaries[name]}
            for name, path in shown.models.items()
        },
        "next": _next_commands(shown),
    }


def _next_commands(shown: "Demonstration") -> list[str]:
    truth = shlex.quote(str(shown.ground_truth))
    first, second = (shlex.quote(str(path)) for path in shown.models.values())
    runs = shlex.quote(str(shown.folder / "runs" / list(shown.models)[-1]))
    return [
        f"boxscore eval {truth} {second} --per-label",
        f"boxscore eval {truth} {first} --iou 0.5,0.75 --json",
        f"boxscore eval {truth} {second} --label-agnostic",
        f"boxscore eval {truth} {second} --out {runs}",
        "boxscore protocols coco",
    ]
