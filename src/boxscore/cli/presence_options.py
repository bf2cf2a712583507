"""Options of `boxscore presence score`."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from boxscore.pipeline.resampling import Resampling
    from boxscore.presence.person import Person
    from boxscore.presence.scoring import Asked
    from boxscore.slices.slicing import Slicing

UNITS = ("group", "moment")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    add = parser.add_argument
    add("--pred", metavar="FILE", required=True, help="the pipeline's JSON")
    _add_truth(parser.add_argument_group("ground truth (one or more)"))
    _add_people(parser.add_argument_group("who is who, and who counts"))
    _add_moments(parser.add_argument_group("moments"))
    _add_intervals(parser.add_argument_group("intervals"))
    _add_output(parser.add_argument_group("output"))


def _add_truth(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--xray", metavar="DIR", help="folder of one title's Amazon X-Ray CSV files")
    add("--presence", choices=("scene", "timestamp"), help="X-Ray: who is in a scene is there for all of it (default), "
        "or from the timestamp on")  # fmt: skip
    add("--movienet", metavar="PATH", help="MovieNet's annotation JSON, or a folder of MovieNet-PS .mat files")
    add("--shots", metavar="FILE", help="MovieNet: the title's shot file (start end key key key, in frames)")
    add("--fps", metavar="N", type=float, help="MovieNet: frames per second of the film")
    add("--split", metavar="NAME", help="MovieNet-PS: which .mat file, such as Train_app10")
    add("--title", metavar="TT", help="MovieNet-PS: the title's id, such as tt0120885")
    add("--table", metavar="FILE", help="a table of actor, start, end in seconds (CSV, TSV, Parquet)")


def _add_people(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--gallery", metavar="FILE", help="whom the pipeline can recognise: actors outside are outside the mask")
    add("--no-mask", action="store_true", help="count all actors, those nobody could know or find too")
    add("--crosswalk", metavar="FILE", help="exact ids: what `boxscore presence crosswalk` wrote, JSON, or a table")
    add("--also", metavar="FILE", action="append", default=[], help="a prediction that this one will be compared with: "
        "its actors get labels, too (repeatable)")  # fmt: skip


def _add_moments(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--step", metavar="S", type=float, help="a moment every S seconds (1.0)")
    add("--random", metavar="N", type=int, help="N moments drawn at random instead")
    add("--scene-anchored", action="store_true", help="the middle of each scene instead")
    add("--seed", metavar="N", type=int, default=0, help="which moments and resamples are drawn (0)")
    add("--duration", metavar="S", type=float, help="length of the film (default: as ground truth or prediction say)")
    add(
        "--anneal", metavar="S,S,…", help="also the figures with gaps of the prediction up to S seconds closed: 0,1,2,5"
    )


def _add_intervals(group: argparse._ArgumentGroup) -> None:
    from boxscore.stats.intervals import METHODS

    add = group.add_argument
    add("--block", metavar="S", type=float, help="resample blocks of S seconds (default: scenes; without any, 60)")
    add(
        "--unit", choices=UNITS, default="group", help="moment: as if neighbouring seconds were independent; too narrow"
    )
    add("--interval", choices=METHODS, help="how intervals are made (student)")
    add("--level", metavar="C", type=float, help="confidence of intervals (0.95)")
    add("--replicates", metavar="N", type=int, help="resamples drawn (1000)")


def _add_output(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--per-actor", action="store_true", help="also print a table of all actors")
    add("--per-scene", action="store_true", help="also print a table of scenes, or blocks")
    add("--slice-by", metavar="SPEC", action="append", help="slice by scene, people, time:-1,600,inf, role, masked, …")
    add("--slice", metavar="NAME=SQL", dest="slice_where", action="append", help="a slice by a condition in SQL")
    add("--support", metavar="N", type=int, help="mark slices of fewer moments, or objects (20)")
    add("--samples", metavar="FILE", help="write who is there and who is predicted at each moment, as JSON lines")
    add("--out", metavar="DIR", help="write the run folder here; with several ground truths, one for each in DIR")
    add("--overwrite", action="store_true", help="replace the run folder that is there")
    add("--json", action="store_true", help="print everything as JSON")
    add("--threads", metavar="N", type=int, help="threads (default: all processors)")


def resampling_of(options: argparse.Namespace) -> Resampling:
    """How intervals are made. Raises InputError that names the option."""
    from boxscore.cli.interval_options import AskedResampling

    given = {"replicates": options.replicates, "confidence": options.level, "interval": options.interval}
    chosen = {field: value for field, value in given.items() if value is not None}
    return AskedResampling(seed=options.seed, unit="image" if options.unit == "moment" else None, **chosen)


def slicing_of(options: argparse.Namespace) -> Slicing | None:
    """The slices that are asked for; None without any. Raises InputError."""
    if not options.slice_by and not options.slice_where:
        if options.support is not None:
            raise InputError("--support marks small slices, and none are asked for; add --slice-by, or leave it out")
        return None
    from boxscore.slices.slicing import SUPPORT, Slicing

    support = SUPPORT if options.support is None else options.support
    return Slicing(options.slice_by or (), options.slice_where or (), support=support)


def asked_of(
    options: argparse.Namespace,
    resampling: Resampling,
    others: Sequence[Person],
    gallery: tuple[Person, ...] | None,
    inputs: Mapping[str, str],
) -> Asked:
    """What is asked for. Raises InputError for values that make no sense."""
    from boxscore.cli.options import numbers
    from boxscore.pipeline.evaluate import thread_count
    from boxscore.presence.moments import Sampling
    from boxscore.presence.scoring import Asked

    if options.no_mask and options.gallery is not None:
        raise InputError("--gallery makes a mask, and --no-mask turns it off; leave one of them out")
    sampling = Sampling(
        step=options.step,
        random=options.random,
        seed=options.seed,
        scene_anchored=options.scene_anchored,
        duration=options.duration,
        block=options.block,
    )
    return Asked(
        sampling,
        gallery=gallery,
        masked=not options.no_mask,
        resampling=resampling,
        anneal=() if options.anneal is None else tuple(numbers(options.anneal, "--anneal")),
        others=tuple(others),
        inputs=inputs,
        threads=thread_count(options.threads),
    )
