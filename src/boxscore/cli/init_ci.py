"""Write two workflows for a team's own continuous integration.

    boxscore init-ci github --card detector.yaml
    boxscore init-ci gitlab --predict 'python detect.py {images} {out}' --data fast.json --images pictures

On a pull request a fast set (20 rendered scenes, or data of your own), the gate, its verdict as a comment and JUnit. At
night the full set, a report as an artifact, and on success a new baseline. docs/ci.md says more.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.ci import Asked, Data


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("server", choices=("github", "gitlab"), help="whose workflows are written")
    add("--dir", metavar="DIR", default=".", help="top folder of the repository (.)")
    add("--force", action="store_true", help="replace workflows of these names that are there")
    add("--json", action="store_true", help="print what was written as JSON")
    model = parser.add_argument_group("how detections are made: one of")
    model.add_argument("--card", metavar="CARD", help="model card, run by `boxscore predict`")
    model.add_argument("--predict", metavar="COMMAND", help="command of your own, with {images} and {out} in it")
    parser.add_argument_group("what else they need").add_argument(
        "--install", metavar="COMMAND", help="further command that installs, such as 'pip install -r requirements.txt'"
    )
    data = parser.add_argument_group("data (default: rendered scenes)")
    data.add_argument("--data", metavar="GT", help="fast set of your own: ground truth of any form")
    data.add_argument("--images", metavar="DIR", help="its pictures")
    data.add_argument("--full-data", metavar="GT", help="full set of your own (default: the fast one)")
    data.add_argument("--full-images", metavar="DIR", help="its pictures")
    data.add_argument("--fast-count", metavar="N", type=int, default=20, help="scenes of a pull request (20)")
    data.add_argument("--full-count", metavar="N", type=int, default=100, help="scenes of a night (100)")
    judge = parser.add_argument_group("how they are judged")
    judge.add_argument("--rules", metavar="FILE", help="rules of the gate (default: the headline measure, significant)")
    judge.add_argument("--eval-options", metavar="OPTIONS", help="further options of `boxscore eval`, in quotes")


def run(options: argparse.Namespace) -> int:
    """Write them, and say what is left to do."""
    from boxscore import __version__
    from boxscore.ci import write

    done = write(options.server, options.dir, _asked(options), version=__version__, force=options.force)
    if options.json:
        from boxscore.model.json_text import to_json

        print(to_json({"written": list(done.paths), "include": list(done.include)}))
        return 0
    print("\n".join(f"{path} is written" for path in done.paths))
    if done.include:
        print("add to .gitlab-ci.yml, below `include:`\n  " + "\n  ".join(done.include))
    first = "run the workflow boxscore nightly" if options.server == "github" else "run a schedule of boxscore-nightly"
    for missing in _missing(options):
        told = f"note: {missing} isn't there yet; the workflows look for it from the top of the repository"
        print(told, file=sys.stderr)
    print(f"note: once they are on the default branch, {first} by hand: it makes the first baseline", file=sys.stderr)
    return 0


def _missing(options: argparse.Namespace) -> list[str]:
    """What the workflows name and the repository doesn't hold."""
    from pathlib import Path

    named = (
        options.card,
        options.data,
        options.images,
        options.full_data,
        options.full_images,
        options.rules,
    )
    return [path for path in named if path is not None and not (Path(options.dir) / path).exists()]


def _asked(options: argparse.Namespace) -> Asked:
    from boxscore.ci import Asked

    return Asked(
        card=options.card,
        command=options.predict,
        fast=_data(options.data, options.images, "data"),
        full=_data(options.full_data, options.full_images, "full-data"),
        fast_count=options.fast_count,
        full_count=options.full_count,
        rules=options.rules,
        options=options.eval_options,
        install=options.install,
    )


def _data(truth: str | None, images: str | None, option: str) -> Data | None:
    from boxscore.ci import Data
    from boxscore.errors import InputError

    if truth is None and images is not None:
        raise InputError(f"--{option.replace('data', 'images')} {images} are pictures of no set; give --{option}, too")
    return None if truth is None else Data(truth, images)
