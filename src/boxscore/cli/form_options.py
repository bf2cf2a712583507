"""Options that say which form files have, and overrule what its reader would assume."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from typing import Any

    from boxscore.io.form_options import FormOptions

_BOXES = ("xywh", "xyxy", "cxcywh")
_COORDS = ("abs", "rel")
_CORNERS = ("plain", "pixels")


def add_form_options(parser: argparse.ArgumentParser) -> None:
    """Add the options; `--boxes` is among those of reading, as COCO's results know it, too."""
    group = parser.add_argument_group(
        "which form files have (found out, and told in a note, where it isn't given)",
        "Options without a side speak of the predictions; --classes, --images and --img-size of both.",
    )
    add = group.add_argument
    add("--gt-format", metavar="FORM", help="form of GT: coco, yolo, voc-xml, … (an unknown one lists them)")
    add("--pred-format", metavar="FORM", help="form of PRED")
    add("--gt-boxes", choices=_BOXES, help="what the four numbers of a ground-truth box mean")
    add("--coords", choices=_COORDS, help="numbers in pixels, or in shares of the image's size")
    add("--gt-coords", choices=_COORDS, help="the same for the ground truth")
    add("--classes", metavar="FILE", help="names of numbered classes: a text file with a name a line, or data.yaml")
    add("--gt-classes", metavar="FILE", help="those of the ground truth alone")
    add("--pred-classes", metavar="FILE", help="those of the predictions alone")
    add("--class-base", type=int, choices=(0, 1), help="number of the first class")
    add("--gt-class-base", type=int, choices=(0, 1), help="the same for the ground truth")
    add("--corners", choices=_CORNERS, help="whole-pixel corners read as they stand, or as first and last pixel")
    add("--gt-corners", choices=_CORNERS, help="the same for the ground truth")
    add("--score", choices=("last", "second"), help="where a line of text has its score")
    add("--images", metavar="DIR", help="folder of the pictures, or a table of name, width and height")
    add("--img-size", metavar="W,H", help="width and height of all pictures")
    add_answer_options(group)


def add_answer_options(group: argparse._ArgumentGroup) -> None:
    """Add what overrules how boxes in answers of vision-language models are taken."""
    add = group.add_argument
    add("--answer-scale", choices=("pixels", "unit", "thousand"), help="answers' boxes in pixels, 0..1 or 0..1000")
    add("--answer-order", choices=(*_BOXES, "yxyx"), help="order of a box's numbers in answers")


def form_options(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `evaluate` that say how files are read; nothing is imported where none was given.

    Where what fits is asked for (`--assume fit`), class numbers without names may be read at first as any names.
    """
    found: dict[str, Any] = {}
    for side, asked in (("gt", _ground_truth(options)), ("pred", _predictions(options))):
        named = getattr(options, f"{side}_format")
        if named is not None:
            found[f"{side}_format"] = named
        if any(value is not None for value in asked.values()):
            found[f"{side}_options"] = _made(asked)
    return found


def _ground_truth(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "boxes": options.gt_boxes,
        "coords": options.gt_coords,
        "classes": options.gt_classes or options.classes,
        "class_base": options.gt_class_base,
        "corners": options.gt_corners,
        "images": options.images,
        "img_size": size_of(options.img_size),
    }


def _predictions(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "boxes": options.boxes,
        "coords": options.coords,
        "classes": options.pred_classes or options.classes,
        "class_base": options.class_base,
        "corners": options.corners,
        "images": options.images,
        "img_size": size_of(options.img_size),
        "score": options.score,
        "answer_scale": options.answer_scale,
        "answer_order": options.answer_order,
        "bare_numbers": "positions" if getattr(options, "assume", None) == "fit" else None,
    }


def _made(asked: Mapping[str, Any]) -> FormOptions:
    from boxscore.io.form_options import FormOptions

    return FormOptions(**asked)


def size_of(text: str | None) -> tuple[int, int] | None:
    """`640,480` (or `640x480`) as a size. Raises InputError that quotes what is none."""
    if text is None:
        return None
    parts = text.replace("x", ",").split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() and int(part) for part in parts):
        raise InputError(f"--img-size {text!r}: give width and height in pixels, like 640,480")
    return int(parts[0]), int(parts[1])
