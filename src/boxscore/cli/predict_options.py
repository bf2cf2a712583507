"""Options of commands that run a card's model: a named variant of the card, and how ONNX Runtime runs it."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

_TEXTS = {
    "resize": "letterbox, stretch, keep-ratio, …",
    "align": "top-left or centre",
    "interpolation": "opencv-linear, opencv-area, pillow-bilinear, …",
    "rounding": "of the new size: truncate, round, half-up",
    "channels": "rgb or bgr",
    "inverse": "how boxes go back: sides, ratio, height",
}
_WHOLE = {"stride": "sides of the input are multiples of this", "top_k": "most detections a picture"}
_SHARES = {"nms_iou": "IoU of non-maximum suppression", "least_score": "scores below are dropped by the decoder"}
_FLAGS = {
    "scale_up": "whether small pictures are scaled up",
    "clip": "whether boxes end at the picture's edges",
}


def add_variant_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for each field of a card that a variant may change."""
    group = parser.add_argument_group(
        "a variant of the card: what differs from it is part of its name, and recorded",
    )
    add = group.add_argument
    add("--input-size", metavar="W,H", help="size of the model's input; one number for both sides")
    add("--pad", metavar="V", help="what fills the rest: a number, or one a channel")
    for name, what in _TEXTS.items():
        add(_option(name), metavar="NAME", help=what)
    for name, what in _WHOLE.items():
        add(_option(name), metavar="N", type=int, help=what)
    for name, what in _SHARES.items():
        add(_option(name), metavar="S", type=float, help=what)
    for name, what in _FLAGS.items():
        add(_option(name), choices=("yes", "no"), help=what)


def add_runtime_options(parser: argparse.ArgumentParser) -> None:
    """Add what says how the model is run."""
    group = parser.add_argument_group("how the model is run")
    add = group.add_argument
    add("--providers", metavar="A,B", help="ONNX Runtime's providers, in order (default: cpu)")
    add("--threads", metavar="N", type=int, help="threads (default: all processors)")
    add("--lanes", metavar="N", type=int, help="runs of the model at a time (default: threads on the CPU, else 1)")
    add("--batch", metavar="N", type=int, help="pictures a batch (default: 1 on the CPU, else 8)")
    add("--one-by-one", action="store_true", help="nothing overlaps: one picture has all threads, for its latency")


def variant_of(options: argparse.Namespace) -> dict[str, Any]:
    """The overrides of `load_card`. Raises InputError that quotes what is no number."""
    found: dict[str, Any] = {name: getattr(options, name) for name in (*_TEXTS, *_WHOLE, *_SHARES)}
    found |= {name: None if value is None else value == "yes" for name, value in _flags(options).items()}
    found["input_size"] = _numbers(options.input_size, "--input-size", int)
    found["pad"] = _numbers(options.pad, "--pad", float)
    return {name: value for name, value in found.items() if value is not None}


def runtime_of(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `predict` that say how the model is run. Raises InputError for counts below 1."""
    for name in ("threads", "lanes", "batch"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise InputError(f"--{name} {value}: give 1 or more")
    found: dict[str, Any] = {"threads": options.threads, "lanes": options.lanes, "one_by_one": options.one_by_one}
    found["providers"] = None if options.providers is None else options.providers.split(",")
    return found if options.batch is None else {**found, "batch": options.batch}


def _flags(options: argparse.Namespace) -> dict[str, str | None]:
    return {name: getattr(options, name) for name in _FLAGS}


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _numbers(text: str | None, option: str, kind: type[int | float]) -> Any:  # noqa: ANN401  one, or a list
    if text is None:
        return None
    try:
        values = [kind(part) for part in text.replace("x", ",").split(",")]
    except ValueError:
        raise InputError(f"{option} {text!r}: give a number, or numbers joined by commas, like 640,480") from None
    return values[0] if len(values) == 1 else values
