"""How small may a face be, for one embedder or several.

    boxscore faces min-size --images DIR --embedder CARD [--embedder CARD …] --out DIR

DIR has a folder of pictures for each actor. A picture of each is held out as the probe, shrunk to each size, and
looked for in a gallery at native resolution: the other pictures, or those of --gallery. TPI is the share of probes
whose rank 1 is right and at or over the threshold, FPI the share whose rank 1 is wrong and at or over it. The
threshold is stated, or fitted on actors who are no probes. Writes min_size.json, min_size.csv, gallery_size.csv,
probes.csv and curve.png. What was embedded is kept: a run that was stopped, however, goes on where it was.
"""

from __future__ import annotations

import sys
from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.faces.measuring import MinSize

CURVE, CACHE = "curve.png", "embeddings.sqlite"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.faces_options import add_options

    parser.add_argument("action", choices=("min-size",), help="what to find out, as above")
    add_options(parser)
    parser.add_argument("--out", metavar="DIR", help="folder to write to")
    parser.add_argument("--cache", metavar="FILE", help=f"where embeddings are kept (DIR/{CACHE})")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(options: argparse.Namespace) -> int:
    """Measure, write, print."""
    from boxscore.cli.faces_options import options_of
    from boxscore.faces import load_embedder, min_size, read_gallery

    missing = [f"--{name}" for name in ("images", "embedder", "out") if not getattr(options, name)]
    if missing:
        raise InputError(
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing; min-size takes "
            "--images DIR --embedder CARD --out DIR"
        )
    asked = options_of(options)
    galleries = [read_gallery(path) for path in options.gallery or ()]
    embedders = [load_embedder(path, threads=options.threads) for path in options.embedder]
    detector = None
    if options.detector is not None:
        from boxscore.faces.detector import FaceDetector

        detector = FaceDetector.of(options.detector, threads=options.threads)
    found = min_size(
        options.images,
        embedders,
        asked,
        galleries=galleries,
        detector=detector,
        cache=options.cache or Path(options.out) / CACHE,
        progress=sys.stderr,
    )
    _tell(found, options)
    return 0


def _tell(found: MinSize, options: argparse.Namespace) -> None:
    from boxscore.model.json_text import to_json

    written = found.write(options.out)
    notes = list(found.notes)
    curve, why = _drawn(found, Path(options.out))
    written += [] if curve is None else [curve]
    notes += [] if why is None else [why]
    if options.json:
        print(to_json(found.to_dict()), flush=True)
    else:
        from boxscore.cli import faces_tables

        print("\n".join(faces_tables.lines(found)), flush=True)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    print(f"wrote {', '.join(map(str, written))}", file=sys.stderr)


def _drawn(found: MinSize, folder: Path) -> tuple[Path | None, str | None]:
    """The picture of the curve, or why there is none: figures are there without it."""
    from boxscore.model.whole_files import write_bytes
    from boxscore.report import size_curve

    try:
        drawn = size_curve.png(found.to_dict())
    except InputError as error:
        (folder / CURVE).unlink(missing_ok=True)  # one of older figures would be taken for these
        return None, f"no {CURVE}: {error}"
    write_bytes(folder / CURVE, drawn)
    return folder / CURVE, None
