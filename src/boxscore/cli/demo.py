"""`boxscore demo`: simulate scenes and two detectors, evaluate both, and say what to try next."""

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from boxscore.cli.demo_text import Summary
    from boxscore.scenes.demonstration import Demonstration


def add_arguments(parser: "argparse.ArgumentParser") -> None:
    """The command's options."""
    parser.add_argument(
        "--out", type=Path, default=Path("boxscore-demo"), metavar="DIR", help="folder to write (default boxscore-demo)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the simulation (default 0)")
    parser.add_argument("--images", type=int, default=500, metavar="N", help="number of images (default 500)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")


def run(args: "argparse.Namespace") -> int:
    """Write the folder, evaluate both models, print. Raises InputError for options that can't be used."""
    import boxscore
    from boxscore.cli.demo_text import reading, side_by_side, what_was_made
    from boxscore.scenes.checks import check_count
    from boxscore.scenes.demonstration import write_demonstration

    check_count("--seed", args.seed, 0)
    check_count("--images", args.images, 1)
    shown = write_demonstration(args.out, args.seed, args.images)
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
