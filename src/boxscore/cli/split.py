"""Split a data set by sessions, none of which is divided.

DATASET is of any form that `boxscore eval` reads as ground truth. Writes a list of images for each split into a new
folder (with data.yaml for YOLO data sets, and a COCO file each for COCO's), and split.json, which says what is in them.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("dataset", metavar="DATASET", help="labelled data: a file or folder of any form")
    add("--out", metavar="DIR", required=True, help="write the splits into this new folder")
    add("--group-by", metavar="FIELD", help="field of a COCO file's images, or column of --metadata: the session")
    add("--group-regex", metavar="RE", help="or what a named group catches in file names: '(?P<session>[^_]+)_'")
    add("--metadata", metavar="FILE", help="table of the images, by file name or id")
    add("--shares", metavar="NAME=X,…", help="splits and their shares (train=0.7,val=0.15,test=0.15)")
    add("--seed", metavar="S", type=int, default=0, help="which sessions go where (0)")
    add("--gt-format", metavar="NAME", help="form of the data set (default: found out)")
    add("--json", action="store_true", help="print split.json")


def run(options: argparse.Namespace) -> int:
    """Split, write, print."""
    from boxscore.pipeline.evaluate import read_ground_truth
    from boxscore.validate import split_files
    from boxscore.validate.splitting import shares_of, split

    dataset = read_ground_truth(options.dataset, format=options.gt_format)
    found = split(
        dataset,
        group_by=options.group_by,
        group_regex=options.group_regex,
        metadata=options.metadata,
        shares=None if options.shares is None else shares_of(options.shares),
        seed=options.seed,
    )
    written = split_files.write(found, options.dataset, options.out)
    about = found.to_dict()
    if options.json:
        from boxscore.model.json_text import to_json

        print(to_json(about), flush=True)
    else:
        print("\n".join([*_lines(about), "", f"written to {options.out}: {', '.join(written)}"]), flush=True)
    for note in (*dataset.notes, *found.lacking()):
        print(f"note: {note}", file=sys.stderr)
    return 0


def _lines(about: dict[str, Any]) -> list[str]:
    from boxscore.cli.tables import aligned

    rows = [
        [
            name,
            str(len(one["sessions"])),
            str(one["images"]),
            f"{100 * one['share']:.1f} %",
            str(sum(one["objects"].values())),
        ]
        for name, one in about["splits"].items()
    ]
    return aligned(["split", "sessions", "images", "of all", "objects"], rows)
