"""Evaluate text folders as the old VOC tools do: AP per class at one IoU threshold, and mAP.

One .txt an image, a line a box: `class a b c d` in ground truth, `class confidence a b c d` in detections. Corners are
inclusive pixels. Prints text, or writes it and JSON to the files named; warnings go to standard error, too.
"""

from __future__ import annotations

import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

INTERPOLATIONS = {"every": "voc2012", "11": "voc2007"}
"""The protocol of each way to sum up the curve."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.io.voc_boxes import COORDS, NUMBERS

    parser.add_argument("--gt-folder", required=True, metavar="DIR", help="folder of the ground truth's .txt files")
    parser.add_argument("--det-folder", required=True, metavar="DIR", help="folder of the detections' .txt files")
    parser.add_argument("--threshold", type=float, default=0.5, metavar="T", help="IoU from 0 to 1 (default: 0.5)")
    for side, what in (("gt", "ground truth"), ("det", "detections")):
        numbers = f"{what}: x y width height (default), or left top right bottom"
        parser.add_argument(f"--{side}-format", choices=NUMBERS, default="xywh", help=numbers)
        coords = f"{what}: pixels (default), or centre and size as shares of the image"
        parser.add_argument(f"--{side}-coords", choices=COORDS, default="abs", help=coords)
    parser.add_argument("--img-size", metavar="W,H", help="size of all images, for rel coordinates")
    parser.add_argument("--images", metavar="DIR|TABLE", help="their pictures, or sizes, where these differ")
    parser.add_argument("--points", choices=tuple(INTERPOLATIONS), default="every", help="AP over these recalls")
    parser.add_argument("--output-text", metavar="FILE", help="write the text here")
    parser.add_argument("--output-json", metavar="FILE", help="write JSON here")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--pretty", action="store_true", help="indent the JSON")
    parser.add_argument("--threads", metavar="N", type=int, help="threads (default: all processors)")


def run(options: argparse.Namespace) -> int:
    """Evaluate, write what was asked for, print."""
    from boxscore.cli import voc_report
    from boxscore.io.form_options import FormOptions
    from boxscore.io.voc_boxes import BoxForm
    from boxscore.pipeline.voc_folders import evaluate_folders

    size = None if options.img_size is None else image_size(options.img_size)
    targets = [path for path in (options.output_text, options.output_json) if path is not None]
    check_targets(targets, (options.gt_folder, options.det_folder))
    evaluated = evaluate_folders(
        options.gt_folder,
        options.det_folder,
        truth_form=BoxForm(options.gt_format, options.gt_coords),
        detected_form=BoxForm(options.det_format, options.det_coords),
        options=FormOptions(img_size=size, images=options.images),
        threshold=options.threshold,
        protocol=INTERPOLATIONS[options.points],
        threads=options.threads,
    )
    report = voc_report.report(evaluated, options.threshold)
    if options.output_text is not None:
        write(options.output_text, voc_report.text(report))
    if options.output_json is not None:
        write(options.output_json, voc_report.json_text(report, pretty=options.pretty))
    if options.json:
        print(voc_report.json_text(report, pretty=options.pretty), end="")
    elif targets:
        print(voc_report.one_line(report))
    else:
        print(voc_report.text(report), end="")
    sys.stdout.flush()
    for warning in report["warnings"]:
        print(f"note: {warning}", file=sys.stderr)
    return 0


def image_size(text: str) -> tuple[int, int]:
    """`640,480`. Raises InputError that quotes what is no size."""
    from boxscore.cli.options import whole_numbers

    size = whole_numbers(text, "--img-size")
    if len(size) != 2 or min(size) < 1:
        raise InputError(f"--img-size {text!r}: give width and height in pixels, like 640,480")
    return size[0], size[1]


def check_targets(paths: list[str], folders: tuple[str, str]) -> None:
    """Refuse files that can't be written, or that would lie among the input. Raises InputError."""
    from pathlib import Path

    inputs = [Path(folder).resolve() for folder in folders]
    resolved = [Path(path).resolve() for path in paths]
    for path, target in zip(paths, resolved, strict=True):
        if target.is_dir():
            raise InputError(f"{path} is a folder; name a file to write")
        if not target.parent.is_dir():
            raise InputError(f"{path}: there is no folder {target.parent.name}; make it first, only files are written")
        if target.parent in inputs and target.suffix == ".txt":
            raise InputError(f"{path} lies among the .txt files to read; write it somewhere else")
    if len(set(resolved)) < len(resolved):
        raise InputError(f"{paths[0]} is named for text and for JSON; name two files")


def write(path: str, content: str) -> None:
    """Write a file named by the user."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123  as the other commands do
        file.write(content)
