"""Options that several commands share, and the readers of their values."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.reading import CHOICES, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


_READING_HELP = {
    "unknown_images": "detections of images that the ground truth lacks; background: the image counts as empty",
    "unknown_labels": "rows of labels that aren't declared",
    "label_match": "how category_name is compared; fold: case and blanks disregarded",
    "non_finite": "rows with NaN or infinity",
    "degenerate": "boxes of zero or negative size",
    "area": "an object's size: its area field or width x height",
    "ignore_flag": "what is ignored: crowds alone, or the ignore flag too",
    "boxes": "what the four numbers of a detection mean",
}


class AskedReading(Reading):
    """The policies of a command line: remedies name its options."""

    __slots__ = ()

    def option(self, field: str, choice: str) -> str:
        """`--unknown-images drop`."""
        return f"{_option(field)} {choice}"


def add_protocol_options(parser: argparse.ArgumentParser) -> None:
    """Add those of what is evaluated, and by which protocol."""
    parser.add_argument("--protocol", default="coco", metavar="NAME|FILE", help="protocol (default: coco)")
    parser.add_argument("--iou", metavar="T,…", help="IoU thresholds instead of the protocol's")
    parser.add_argument("--max-detections", metavar="N,…", help="detection limits instead of the protocol's")
    parser.add_argument("--labels", metavar="A,B", action="append", help="evaluate these labels alone")
    parser.add_argument("--label-agnostic", action="store_true", help="disregard labels")
    parser.add_argument("--taxonomy", metavar="FILE", help="YAML file that merges, renames and drops labels")
    parser.add_argument(
        "--assume",
        choices=("stated", "fit", "stop"),
        default="stated",
        help="where another reading of boxes or class numbers fits the ground truth clearly better: go on as read, "
        "with a note (stated); take what fits (fit); stop with an error (stop)",
    )


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add one option for each policy of `Reading`."""
    group = parser.add_argument_group("how to read awkward input (the default comes first)")
    for field, choices in CHOICES.items():
        named = [choice for choice in choices if choice is not None]
        if field == "boxes":
            # Left open where it isn't given: other forms than COCO's have a default, and a choice, of their own.
            group.add_argument("--boxes", choices=[*named, "cxcywh"], help=_READING_HELP[field])
            continue
        group.add_argument(_option(field), choices=named, default=choices[0], help=_READING_HELP[field])


def reading_of(options: argparse.Namespace) -> Reading:
    """The policies chosen on the command line."""
    chosen = {field: getattr(options, field) for field in CHOICES}
    return AskedReading(**chosen | {"boxes": "xyxy" if options.boxes == "xyxy" else "xywh"})


def _option(field: str) -> str:
    return f"--{field.replace('_', '-')}"


def numbers(text: str, option: str) -> list[float]:
    """`0.5,0.75` as numbers. Raises InputError that quotes what is none."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{option} {text!r}: give numbers joined by commas, like 0.5,0.75") from None


def whole_numbers(text: str, option: str) -> list[int]:
    """`1,10,100` as whole numbers. Raises InputError that quotes what is none."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{option} {text!r}: give whole numbers joined by commas, like 1,10,100") from None


def names(texts: list[str] | None) -> list[str] | None:
    """`--labels a,b --labels c` as names."""
    if texts is None:
        return None
    found = [name for text in texts for name in text.split(",") if name]
    if not found:
        raise InputError("--labels is empty; give label names joined by commas")
    return found
