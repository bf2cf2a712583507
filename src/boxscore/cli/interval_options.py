"""Options of commands that resample: what is drawn, how often, and which interval is made of it."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.pipeline.resampling import Resampling
from boxscore.stats.intervals import DEFAULT, METHODS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

_FIELDS = ("replicates", "seed", "unit", "group_by", "group_regex", "ungrouped")


class AskedResampling(Resampling):
    """The resampling of a command line: remedies name its options."""

    __slots__ = ()

    def option(self, field: str, choice: str) -> str:
        """`--unit image`."""
        return f"{self.named(field)} {choice}"

    def named(self, field: str) -> str:
        """`--group-by`."""
        return "--level" if field == "confidence" else f"--{field.replace('_', '-')}"


class _WithConfidence(AskedResampling):
    """That of a command whose option is `--confidence`."""

    __slots__ = ()

    def named(self, field: str) -> str:
        return f"--{field.replace('_', '-')}"


def add_interval_options(parser: argparse.ArgumentParser, *, switch: bool = False) -> None:
    """Add the options. With `switch`, intervals are made only where `--interval` is given.

    There `--conf` is about detections, so that the confidence of intervals is called `--level` alone.
    """
    group = parser.add_argument_group("intervals" if switch else "resampling and intervals")
    add = group.add_argument
    methods = ", ".join(METHODS)
    if switch:
        add(
            "--interval",
            metavar="METHOD",
            nargs="?",
            const=DEFAULT,
            type=_method,
            help=f"give figures intervals: {methods} (default: {DEFAULT}); stands behind GT and PRED",
        )
    else:
        add("--interval", metavar="METHOD", type=_method, help=f"{methods} (default: {DEFAULT})")
    add("--replicates", metavar="N", type=int, help="resamples drawn, unless all there are can be listed (1000)")
    add("--seed", metavar="N", type=int, help="which are drawn (0)")
    add("--group-by", metavar="FIELD", help="resample groups of images: a field of a COCO file's images, or column")
    add("--group-regex", metavar="RE", help="resample groups by what a named group catches in file names")
    add("--ungrouped", choices=("error", "single"), help="an image without a group: refuse, or a group of its own")
    add("--unit", choices=("image", "group"), help="what is resampled (default: groups where the data declare them)")
    names = ("--level",) if switch else ("--confidence", "--level")
    add(
        *names, dest="level" if switch else "confidence", metavar="C", type=float, help="confidence of intervals (0.95)"
    )


def resampling_of(options: argparse.Namespace) -> Resampling:
    """The resampling that was asked for. Raises InputError that names the field."""
    given = {field: getattr(options, field) for field in _FIELDS}
    named_so = hasattr(options, "confidence")
    given |= {"confidence": options.confidence if named_so else options.level, "interval": options.interval}
    made = _WithConfidence if named_so else AskedResampling
    return made(**{field: value for field, value in given.items() if value is not None})


def switched_on(options: argparse.Namespace) -> bool:
    """Whether `--interval` was given. Raises InputError where another option speaks of intervals without it."""
    if options.interval is not None:
        return True
    given = [field for field in (*_FIELDS, "level") if getattr(options, field) is not None]
    if given:
        raise InputError(
            f"--{given[0].replace('_', '-')} says how intervals are made, and none are asked for; add --interval, or "
            "leave it out"
        )
    return False


def _method(text: str) -> str:
    import argparse

    if text in METHODS:
        return text
    raise argparse.ArgumentTypeError(
        f"{text!r} is no interval; known are {', '.join(METHODS)} (a file that follows --interval is taken for one: "
        "put --interval last)"
    )
