"""Score a model on labelled pictures at its operating point, in a record that can be audited.

CARD is a model card, DATASET a YOLO data set (its data.yaml or folder). Writes the record to --out, and a Markdown page
and a run folder beside it. Exit status 1 where --require names something that the pictures lack, or --verify finds
something that no longer holds. docs/validate.md describes the record.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from boxscore.validate.asked import Asked
    from boxscore.validate.validating import Detecting, Validation

_USAGE = """boxscore validate CARD DATASET --out evaluation.json [options]
       boxscore validate [CARD DATASET] --verify evaluation.json [options]"""
_FIELDS = (
    *("select", "classes", "predictions", "nms", "thresholds", "fitted_on", "train", "group_by", "group_regex"),
    *("metadata", "train_metadata", "require", "ledger", "latency", "twin_distance", "replicates", "seed"),
)
_MOVABLE = ("predictions", "thresholds", "fitted_on", "train", "metadata", "train_metadata", "require", "ledger")
_NEEDS = {
    "fitted_on": ("thresholds",),
    "twin_distance": ("train",),
    "train_metadata": ("train",),
    "metadata": ("group_by", "require"),
}
"""Options that say nothing without (one of) others."""
FAILED = 1
"""Exit status where the pictures lack what is required, or a record doesn't hold."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.picture_engine import add_picture_engine

    parser.usage = _USAGE
    add = parser.add_argument
    add("card", metavar="CARD", nargs="?", help="model card (docs/cards.md)")
    add("dataset", metavar="DATASET", nargs="?", help="labelled pictures: data.yaml, or a folder of images and labels")
    add("--out", metavar="FILE", help="write the record here (JSON)")
    add("--page", metavar="FILE", help="write the page here (default: beside the record, .md)")
    add("--run", metavar="DIR", help="write the run folder here (default: beside the record, .run)")
    add("--overwrite", action="store_true", help="replace what is there")
    add("--verify", metavar="FILE", help="hash and score again what a record was made of, and say what does not hold")
    add("--select", metavar="PATTERN", help="score the pictures whose names match alone, such as 'real_*'")
    add("--classes", metavar="FILE", help="class names of the data set, where it has none")
    add("--json", action="store_true", help="print the record")
    add("--threads", metavar="N", type=int, help="threads (default: all processors)")
    add_picture_engine(parser)
    boxes = parser.add_argument_group("boxes and thresholds")
    boxes.add_argument("--predictions", metavar="FILE", help="score these detections instead of running the model")
    boxes.add_argument("--nms", metavar="IOU", type=float, help="suppress them first, label by label")
    boxes.add_argument("--thresholds", metavar="FILE", help="confidence floors by label, instead of the card's")
    boxes.add_argument("--fitted-on", metavar="DATASET", help="the data set that the thresholds were fitted on")
    boxes.add_argument("--latency", metavar="FILE", help="measured milliseconds that go into the record")
    seen = parser.add_argument_group("what the score rests on")
    seen.add_argument("--train", metavar="DIR", help="the training pictures: repeats, shared sessions, near-duplicates")
    seen.add_argument("--twin-distance", metavar="BITS", type=int, help="near-duplicates differ by so much at most (8)")
    seen.add_argument("--group-by", metavar="COLUMN", help="column of --metadata that names a picture's session")
    seen.add_argument("--group-regex", metavar="RE", help="or what a named group catches in file names")
    seen.add_argument("--metadata", metavar="FILE", help="table of the pictures, by file name")
    seen.add_argument("--train-metadata", metavar="FILE", help="that of the training pictures (default: the same)")
    seen.add_argument("--require", metavar="FILE", help="YAML of what the pictures must cover")
    seen.add_argument("--ledger", metavar="FILE", help="append this look to the ledger of these pictures")
    seen.add_argument("--not-evaluated", metavar="TEXT", action="append", help="a thing the score says nothing about")
    drawn = parser.add_argument_group("intervals")
    drawn.add_argument("--replicates", metavar="N", type=int, help="resamples (1000)")
    drawn.add_argument("--seed", metavar="N", type=int, help="which are drawn (0)")
    drawn.add_argument("--level", metavar="C", type=float, help="confidence (0.95)")


def run(options: argparse.Namespace) -> int:
    """Verify a record, or make one."""
    if options.verify is not None:
        return _verify(options)
    if options.card is None or options.dataset is None or options.out is None:
        raise InputError("give a card, a data set and where the record goes: boxscore validate CARD DATASET --out FILE")
    from boxscore.validate.validating import validate
    from boxscore.validate.written import Places

    places = Places(options.out, page=options.page, run=options.run, overwrite=options.overwrite)
    with _detecting(options) as detecting:
        found = validate(
            options.card,
            options.dataset,
            _asked(options),
            threads=options.threads,
            tell=_progress(),
            detecting=detecting,
        )
    places.write(found)
    if options.json:
        print(found.text, end="", flush=True)
    else:
        from boxscore.cli.validate_tables import lines

        print("\n".join([*lines(found.record), "", f"written: {places.record}, {places.page}, {places.run}"]))
        sys.stdout.flush()
    return _told(found)


def _told(found: Validation) -> int:
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    for one in found.lacking:
        lacks = ", ".join(f"{count} {kind} more" for kind, count in one["lacks"].items())
        print(f"lacking: {one['name']} needs {lacks}", file=sys.stderr)
    return FAILED if found.lacking else 0


def _verify(options: argparse.Namespace) -> int:
    from boxscore.validate.verifying import verify

    if options.out is not None:
        raise InputError("--verify writes nothing; leave --out out, or make a new record without --verify")
    fixed = [name for name in _FIELDS if name not in _MOVABLE and getattr(options, name) is not None]
    if fixed:
        raise InputError(
            f"--{fixed[0].replace('_', '-')} is what the record says; with --verify only files that moved can be given"
        )
    moved = {name: getattr(options, name) for name in _MOVABLE}
    with _detecting(options) as detecting:
        found = verify(
            options.verify,
            card=options.card,
            dataset=options.dataset,
            threads=options.threads,
            detecting=detecting,
            **moved,
        )
    for one in found.noted:
        print(f"note: {one}", file=sys.stderr)
    for one in found.failed:
        print(f"does not hold: {one}")
    if not found.failed:
        same = "to the byte" if found.same_bytes else "but for the notes"
        what = "everything" if found.model_checked else "everything but the model's bytes"
        print(f"{options.verify} holds {same}: {what} was hashed and scored again")
    return FAILED if found.failed else 0


@contextmanager
def _detecting(options: argparse.Namespace) -> Iterator[Detecting | None]:
    """How pictures are run through the model on the cluster that is asked for; None: here."""
    from boxscore.cli.picture_engine import picture_session

    if options.engine is not None and options.predictions is not None:
        raise InputError("--engine says where the model runs, and with --predictions none does; leave one of them out")
    with picture_session(options) as session:
        if session is None:
            yield None
            return
        from boxscore.cluster.detecting import RayDetecting

        yield RayDetecting(session)


def _asked(options: argparse.Namespace) -> Asked:
    from boxscore.validate.asked import Asked

    given = {name: getattr(options, name) for name in _FIELDS}
    for name, others in _NEEDS.items():
        if given[name] is not None and all(given[other] is None for other in others):
            needed = " or ".join(f"--{other.replace('_', '-')}" for other in others)
            raise InputError(f"--{name.replace('_', '-')} has no effect without {needed}; give that, or leave it out")
    given |= {"confidence": options.level, "not_evaluated": tuple(options.not_evaluated or ())}
    return Asked(**{name: value for name, value in given.items() if value is not None})


def _progress() -> Callable[[int, int], None] | None:
    """Tells on a terminal how many pictures are done."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, of: int) -> None:
        print(f"\r{done} of {of} pictures", end="\n" if done == of else "", file=sys.stderr, flush=True)

    return tell
