"""Make pictures of scenes to order, with ground truth from the renderer and metadata to slice by.

    boxscore scenes generate --count 100 --seed 0 --out scenes

writes scenes/images, scenes/ground_truth.json (COCO), scenes/metadata.csv and scenes/manifest.json. The same options
give the same bytes. A run that was stopped goes on where it was; what is there is kept.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.scenes.generating import Asked, Generated


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("action", choices=("generate",), help="what to do")
    add("--count", metavar="N", type=int, required=True, help="scenes in the set")
    add("--out", metavar="DIR", required=True, help="folder to write, or to go on with")
    add("--seed", metavar="S", type=int, default=0, help="from which all is drawn (0)")
    add("--only", metavar="I,J-K", help="make these scenes alone, numbered from 0; others may follow")
    add("--processes", metavar="P", type=int, help="processes that render (one a processor)")
    add("--json", action="store_true", help="print what was done as JSON")
    what = parser.add_argument_group("what is made")
    what.add_argument(
        "--profiles", metavar="A,B", help="of baseline, crowded, dark, far, occluded, steep: these alone (all)"
    )
    what.add_argument(
        "--weights", metavar="FILE", help="of `boxscore triage --suggest`: more of the hardest conditions"
    )
    what.add_argument(
        "--randomise",
        metavar="A,B",
        default="none",
        help="all, or of textures, backgrounds, lights, colour, noise, blur, scale (none)",
    )
    what.add_argument("--width", metavar="W", type=int, default=640, help="of the pictures, pixels (640)")
    what.add_argument("--height", metavar="H", type=int, default=480, help="likewise (480)")
    truth = parser.add_argument_group("ground truth")
    truth.add_argument(
        "--min-visibility", metavar="F", type=float, default=0.25, help="objects less visible are `ignore` (0.25)"
    )
    truth.add_argument(
        "--boxes",
        metavar="FROM",
        default="mask",
        help="mask, or projected: from 3-D bounding boxes, the older way (mask)",
    )


def run(options: argparse.Namespace) -> int:
    """Make the scenes and say what there is."""
    from boxscore.cli.scenes_progress import scenes_progress
    from boxscore.pipeline.evaluate import thread_count
    from boxscore.scenes.generating import generate, scenes_of
    from boxscore.triage import read_sampling

    asked = _asked(options)
    with scenes_progress() as told:
        found = generate(
            asked,
            options.out,
            sampling=None if options.weights is None else read_sampling(options.weights),
            only=None if options.only is None else scenes_of(options.only, asked.count),
            processes=thread_count(None) if options.processes is None else options.processes,
            told=told,
        )
    _print(found, as_json=options.json)
    return 0


def _asked(options: argparse.Namespace) -> Asked:
    from boxscore.scenes.generating import Asked
    from boxscore.scenes.rendering import Randomisation

    return Asked(
        count=options.count,
        seed=options.seed,
        profiles=() if options.profiles is None else tuple(name.strip() for name in options.profiles.split(",")),
        randomise=Randomisation.parse(options.randomise),
        min_visibility=options.min_visibility,
        boxes=options.boxes,
        width=options.width,
        height=options.height,
    )


def _print(found: Generated, *, as_json: bool) -> None:
    from boxscore.cli import scenes_text

    if as_json:
        from boxscore.model.json_text import to_json

        print(to_json(scenes_text.as_dict(found)), flush=True)
    else:
        print("\n".join(scenes_text.lines(found)), flush=True)
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
