"""Options of `boxscore faces min-size`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.faces.options import Options


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what says on whom, how degraded and how judged."""
    add = parser.add_argument
    add("--images", metavar="DIR", help="a folder an actor, or the image cache whose files --gallery lists")
    add("--embedder", metavar="CARD", action="append", help="an embedder's card (docs/faces.md); may be repeated")
    add("--gallery", metavar="FILE", action="append", help="a gallery in JSON or HDF5, one for each embedder")
    add("--reembed", action="store_true", help="take from --gallery whose pictures there are, and no embeddings")
    add("--detector", metavar="CARD", help="YuNet's model card: find the face in each picture first")
    probes = parser.add_argument_group("probes")
    probes.add_argument("--actors", metavar="N", type=int, help="actors to probe (3/4 of them; all with --threshold)")
    probes.add_argument("--probes", metavar="N", type=int, default=1, help="pictures of each (1)")
    probes.add_argument("--gallery-pictures", metavar="N", type=int, help="at most so many an actor in the gallery")
    probes.add_argument("--sizes", metavar="S,S", help="in pixels (16,24,32,48,66,96,112)")
    probes.add_argument(
        "--degrade",
        metavar="RECIPE",
        default="area",
        help="area or bicubic, and steps blur:S, noise:S, jpeg:Q: area+blur:0.8+jpeg:40 (area)",
    )
    probes.add_argument("--seed", metavar="N", type=int, default=0, help="of all that is drawn (0)")
    judged = parser.add_argument_group("how they are judged")
    judged.add_argument("--threshold", metavar="C", type=float, help="on the cosine (fitted on other actors)")
    judged.add_argument(
        "--target-fpi", metavar="P", type=float, default=0.01, help="share of strangers that may reach it (0.01)"
    )
    judged.add_argument("--margin", metavar="P", type=float, default=0.05, help="less TPI than native (0.05)")
    judged.add_argument("--confidence-level", metavar="P", type=float, default=0.95, help="of intervals (0.95)")
    judged.add_argument(
        "--intervals",
        choices=("effective", "resampled"),
        default="effective",
        help="of several probes an actor: Wilson's of effective trials, or actors resampled (effective)",
    )
    judged.add_argument("--replicates", metavar="N", type=int, default=200, help="draws of actors, 20 or more (200)")
    add("--threads", metavar="N", type=int, help="of ONNX Runtime (default: all processors)")


def options_of(options: argparse.Namespace) -> Options:
    """The options of the search. Raises InputError that names the one that is wrong."""
    from boxscore.cli.options import whole_numbers
    from boxscore.errors import InputError
    from boxscore.faces.degrade import Recipe
    from boxscore.faces.options import SIZES, Options

    if options.threads is not None and options.threads < 1:
        raise InputError(f"--threads {options.threads}: give 1 or more")
    return Options(
        sizes=SIZES if options.sizes is None else tuple(whole_numbers(options.sizes, "--sizes")),
        actors=options.actors,
        probes=options.probes,
        gallery_pictures=options.gallery_pictures,
        recipe=Recipe.parse(options.degrade),
        threshold=options.threshold,
        target_fpi=options.target_fpi,
        margin=options.margin,
        confidence=options.confidence_level,
        intervals=options.intervals,
        replicates=options.replicates,
        seed=options.seed,
        reembed=options.reembed,
    )
