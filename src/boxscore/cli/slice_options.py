"""Options that slice an evaluation."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.slices.slicing import Slicing


def add_slice_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("slices (parts of the images, or of the objects)")
    add = group.add_argument
    add(
        "--slice-by",
        metavar="SPEC",
        action="append",
        help="slice by a column (weather), by bins of one (distance:0,3,5,inf, right-closed, named by =near,mid,far), "
        "or by several crossed (weather*distance:0,3,inf); may be given more than once",
    )
    add(
        "--slice",
        metavar="NAME=SQL",
        dest="slice_where",
        action="append",
        help='a slice by a condition in SQL, such as "night = hour >= 20 OR hour < 6"; may be given more than once',
    )
    add("--metadata", metavar="FILE", help="table (CSV, Parquet, …) of further columns, by image id or file name")
    add("--metadata-key", metavar="COLUMN", help="its column of image ids or file names (found by its name)")
    add("--support", metavar="N", type=int, help="mark slices of fewer images, or objects (20)")
    add(
        "--calibration",
        metavar="BINS",
        nargs="?",
        const=10,
        type=int,
        help="also print how confidences compare with precision, in all and by slice (default: 10 bins)",
    )
    add(
        "--sequences",
        metavar="FIELD",
        nargs="?",
        const="",
        help="also print misses in a row of ordered images of a group, by a field of theirs (default: as declared)",
    )
    add(
        "--order-by",
        metavar="FIELD",
        help="field of the images that orders them (frame, …, else file names)",
    )
    add(
        "--track-by",
        metavar="FIELD",
        help="field of the objects that says which are the same one (track_id, object_id)",
    )


def asks_for_slices(options: argparse.Namespace) -> bool:
    """Whether any of the options was given; nothing is imported where none was. Raises InputError for a lone one."""
    for option in ("order_by", "track_by"):
        if getattr(options, option) is not None and options.sequences is None:
            raise InputError(f"--{option.replace('_', '-')} is about ordered images; add --sequences")
    if options.slice_by or options.slice_where or options.metadata:
        if options.support is not None and not (options.slice_by or options.slice_where):
            raise InputError("--support marks slices, and none are asked for; add --slice-by or --slice")
        return True
    for option in ("metadata_key", "support"):
        if getattr(options, option) is not None:
            raise InputError(f"--{option.replace('_', '-')} is about slices, and none are asked for; add --slice-by")
    return False


def slicing_of(options: argparse.Namespace) -> Slicing:
    """The slicing that was asked for. Raises InputError."""
    from boxscore.slices.slicing import SUPPORT, Slicing

    return Slicing(
        options.slice_by or (),
        options.slice_where or (),
        metadata=options.metadata,
        key=options.metadata_key,
        support=SUPPORT if options.support is None else options.support,
    )
