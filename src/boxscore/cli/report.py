"""Write a run folder's report: one HTML file that works offline, or Markdown.

What the report shows and the run folder lacks yet (curves, sweeps, confusion, …) is derived first and kept under
RUN/derived. `--check` writes nothing: exit status 1 where FILE is not what the run gives. docs/report.md shows one.
"""

from __future__ import annotations

import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.report.contents import Album

_MOST_PICTURES = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("run", metavar="RUN", help="run folder, as `boxscore eval --out` writes it")
    add("--out", metavar="FILE", required=True, help="FILE.html or FILE.md")
    add("--baseline", metavar="BASE", help="run folder to compare with")
    add("--compare", metavar="RUN", action="append", default=[], help="further run folder to compare with (repeatable)")
    add("--images", metavar="DIR", help="folder of the pictures, for a gallery of failures")
    add("--gallery", metavar="N", type=int, default=6, help="pictures of each failure mode (default: 6)")
    add("--title", metavar="TEXT", help="heading (default: the run folder's name)")
    add("--check", action="store_true", help="write nothing; exit 1 where FILE is not what the run gives")
    add("--threads", metavar="N", type=int, help="threads (default: all processors)")


def run(options: argparse.Namespace) -> int:
    """Derive what is missing, make the report, write or check it."""
    from boxscore.cli.report_views import make_views
    from boxscore.model.whole_files import write_text
    from boxscore.report.contents import read_contents
    from boxscore.report.making import check, form_of, render

    form = form_of(options.out)
    if not 0 <= options.gallery <= _MOST_PICTURES:
        raise InputError(f"--gallery is {options.gallery}; it must be a whole number from 0 to {_MOST_PICTURES}")
    reasons = make_views(options)
    contents = read_contents(
        options.run,
        title=options.title,
        reasons=reasons,
        album=_album(options, form),
        most_pictures=options.gallery,
        verify=False,  # the views were derived from tables that were held to their digests
    )
    text = render(contents, form)
    if not options.check:
        write_text(options.out, text)
        print(f"written: {options.out}")
        return 0
    problem = check(text, options.out)
    if problem is None:
        print(f"{options.out} is what the run gives")
        return 0
    print(f"{problem}; write it again with `boxscore report`", file=sys.stderr)
    return 1


def _album(options: argparse.Namespace, form: str) -> Album | None:
    """The pictures, for HTML: Markdown has none."""
    if options.images is None or form != "html":
        return None
    from boxscore.io.album import Album
    from boxscore.runs import read_run

    saved = read_run(options.run, verify=False)
    images = saved.table("images")
    names = images["file_name"].to_list() if "file_name" in images.columns else [None] * images.height
    shown = [str(id_) if name is None else name for id_, name in zip(saved.image_ids, names, strict=True)]
    sizes: list[tuple[float, float] | None] = [None] * images.height
    if {"width", "height"} <= set(images.columns):
        stated = images.select("width", "height").rows()
        sizes = [None if None in size or size != size else size for size in stated]  # noqa: PLR0124  NaN: not known
    return Album(options.images, shown, sizes)
