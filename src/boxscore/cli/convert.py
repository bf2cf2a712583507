"""Convert files of one form to another: ground truth, or, with --ground-truth, predictions.

Prints what was read and what the new form can't hold; notes about the input go to standard error.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.form_options import add_answer_options
    from boxscore.cli.options import add_reading_options
    from boxscore.io.form_options import CHOICES

    add = parser.add_argument
    add("source", metavar="SRC", help="file or folder to read")
    add("target", metavar="DST", help="file or folder to write")
    add("--from", metavar="FORM", dest="source_format", help="form of SRC (default: found out)")
    add("--to", metavar="FORM", required=True, help="form of DST: coco, voc-xml, shards, … (an unknown one lists them)")
    add("--ground-truth", metavar="GT", help="SRC holds predictions; GT says which images and labels there are")
    add("--gt-format", metavar="FORM", help="form of GT (default: found out)")
    add("--overwrite", action="store_true", help="replace DST where it exists")
    add("--json", action="store_true", help="print what was done as JSON")
    add("--threads", metavar="N", type=int, help="threads (default: all processors)")
    group = parser.add_argument_group("shards (docs/shards.md)")
    group.add_argument("--images-per-part", metavar="N", type=int, help="images of a part (default: 4000)")
    group.add_argument("--rows-per-part", metavar="N", type=int, help="boxes of a part, whole images of them")
    group = parser.add_argument_group("how DST is written, where its form leaves a choice")
    for field, what in _WRITING.items():
        choices = [choice for choice in CHOICES[field] if choice is not None]
        group.add_argument(f"--to-{field}", choices=choices, help=what)
    group = parser.add_argument_group("what SRC's reader would assume (classes, pictures and sizes: DST's writer, too)")
    group.add_argument("--coords", choices=CHOICES["coords"][1:], help="numbers in pixels, or shares of the size")
    group.add_argument("--corners", choices=CHOICES["corners"][1:], help="VOC corners as they stand, or pixels from 1")
    group.add_argument("--classes", metavar="FILE", help="names of classes, in order")
    group.add_argument("--class-base", type=int, choices=CHOICES["class_base"][1:], help="number of the first class")
    group.add_argument("--images", metavar="DIR|FILE", help="folder of the pictures, or a table of sizes")
    group.add_argument("--img-size", metavar="W,H", help="width and height of all pictures")
    group.add_argument("--score", choices=CHOICES["score"][1:], help="where a line of text has its score")
    add_answer_options(group)
    add_reading_options(parser)


_WRITING = {
    "boxes": "what the four numbers are",
    "coords": "pixels, or shares of the picture's size",
    "corners": "VOC corners as they stand, or pixels from 1",
    "score": "where a line of text has its score",
}


def run(options: argparse.Namespace) -> int:
    """Convert and tell."""
    from boxscore.cli.form_options import size_of
    from boxscore.cli.options import reading_of
    from boxscore.cli.progress import stage_progress
    from boxscore.io.form_options import FormOptions
    from boxscore.pipeline.convert import convert

    asked = {
        "boxes": options.boxes,
        "coords": options.coords,
        "corners": options.corners,
        "classes": options.classes,
        "class_base": options.class_base,
        "images": options.images,
        "img_size": size_of(options.img_size),
        "score": options.score,
        "answer_scale": options.answer_scale,
        "answer_order": options.answer_order,
    }
    wanted = {field: getattr(options, f"to_{field}") for field in _WRITING}
    done = convert(
        options.source,
        options.target,
        to=options.to,
        source_format=options.source_format,
        ground_truth=options.ground_truth,
        gt_format=options.gt_format,
        options=FormOptions(**asked) if any(value is not None for value in asked.values()) else None,
        target_options=FormOptions(**wanted),
        reading=reading_of(options),
        overwrite=options.overwrite,
        threads=options.threads,
        images_per_part=options.images_per_part,
        rows_per_part=options.rows_per_part,
        progress=stage_progress(sys.stderr),
    )
    if options.json:
        from boxscore.model.json_text import to_json

        notes = [note.to_dict() for note in done.read.notes]
        print(to_json({"read": repr(done.read), "target": options.target, "lost": done.lost, "notes": notes}))
        return 0
    print(f"{options.target}: {repr(done.read)[1:-1]}, as {options.to}")
    for what in done.lost:
        print(f"  not held by {options.to}: {what}", flush=True)
    for note in done.read.notes:
        print(f"note: {note}", file=sys.stderr)
    return 0
