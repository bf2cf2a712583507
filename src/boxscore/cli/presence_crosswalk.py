"""Resolve a gallery's TMDB ids to IMDb ids, as TMDB gives them.

The key is TMDB_API_KEY of the environment, or of a file .env in this folder. The crosswalk holds every answer, also
that there is no IMDb id; a rerun asks for new ids alone. It is written whole every few answers, so a run that is killed
goes on where it was. Exit status 1 where an id could not be resolved: the others are kept, and a rerun asks for it
again.
"""

from __future__ import annotations

import sys

from boxscore.presence.crosswalk.telling import Told

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.predict.run_progress import Progress
    from boxscore.presence.crosswalk.options import Asking
    from boxscore.presence.crosswalk.summary import Summary

UNRESOLVED = 1
"""Exit status where an id could not be resolved."""

_TOLD_FROM = 5.0
"""Seconds of a wait from which on it is told also where no progress is drawn."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.presence.crosswalk.options import Asking

    usual = Asking()
    add = parser.add_argument
    add("--gallery", metavar="FILE", required=True, help="the gallery: actors and their ids, JSON or HDF5")
    add("--out", metavar="FILE", required=True, help="the crosswalk: read where it exists, and written (JSON)")
    add("--base", metavar="URL", default=usual.base, help=f"address of the interface ({usual.base})")
    add("--every", metavar="N", type=int, default=usual.every, help=f"write after so many answers ({usual.every})")
    add("--retries", metavar="N", type=int, default=usual.retries, help=f"ask again so often ({usual.retries})")
    add("--timeout", metavar="S", type=float, default=usual.timeout, help=f"seconds for an answer ({usual.timeout:g})")
    add(
        "--back-off",
        metavar="S",
        type=float,
        default=usual.back_off,
        help=f"seconds before the second try, doubled for each further one ({usual.back_off:g})",
    )
    add(
        "--longest-wait",
        metavar="S",
        type=float,
        default=usual.longest_wait,
        help=f"stop where the server asks to wait for longer ({usual.longest_wait:g})",
    )
    add("--json", action="store_true", help="print the summary as JSON")


def run(options: argparse.Namespace) -> int:
    """Read the gallery, ask, keep, tell."""
    import os
    from pathlib import Path

    from boxscore.cli.presence_sources import gallery_of
    from boxscore.errors import InputError
    from boxscore.presence.crosswalk import key
    from boxscore.presence.crosswalk.resolving import resolve
    from boxscore.presence.crosswalk.summary import summarise, tmdb_ids

    how = _asking(options)
    gallery = gallery_of(options.gallery) or ()
    people = tmdb_ids(gallery)
    if not people:
        raise InputError(f"{options.gallery}: none of its {len(gallery)} actors has a TMDB id (ids.tmdb); add them")
    if how.is_in_clear:
        print("note: --base is http, so the key crosses the network unencrypted", file=sys.stderr)
    telling = _Telling()
    try:
        resolved = resolve(people, Path(options.out), lambda: key.read(os.environ, Path.cwd()), how, telling)
    finally:
        telling.end()
    summary = summarise(gallery, resolved)
    _tell(summary, options.out, as_json=options.json)
    return UNRESOLVED if summary.unresolved else 0


def _asking(options: argparse.Namespace) -> Asking:
    from boxscore.presence.crosswalk.options import Asking

    return Asking(
        base=options.base,
        every=options.every,
        retries=options.retries,
        timeout=options.timeout,
        back_off=options.back_off,
        longest_wait=options.longest_wait,
    )


def _tell(summary: Summary, out: str, *, as_json: bool) -> None:
    if as_json:
        from boxscore.model.json_text import to_json

        print(to_json(summary.to_dict()), flush=True)
    else:
        print("\n".join(_lines(summary, out)), flush=True)
    for note in summary.notes:
        print(f"note: {note}", file=sys.stderr)


def _lines(summary: Summary, out: str) -> list[str]:
    from boxscore.model.notes import counted

    unresolved = len(summary.unresolved)
    kept = f"; answers are in {out}" if summary.with_imdb or summary.without_imdb else ""
    known = f"{summary.with_imdb} with an IMDb id, {summary.without_imdb} without"
    return [
        f"{counted(summary.people, 'TMDB id')}: {known}, {unresolved} unresolved",
        f"answered now: {summary.answered}{kept}",
        *(f"unresolved: {one['tmdb']} ({one['actor']}): {one['reason']}" for one in summary.unresolved),
    ]


class _Telling(Told):
    """Progress on a terminal; long waits anywhere."""

    def __init__(self) -> None:
        self._progress: Progress | None = None

    def done(self, count: int, total: int) -> None:
        from boxscore.predict.run_progress import Progress

        if self._progress is None:
            self._progress = Progress(sys.stderr, total, "ids")
        self._progress.tell(count)

    def waiting(self, person: int, reason: str, seconds: float) -> None:
        if seconds < _TOLD_FROM:
            return
        self.end()
        print(f"{person}: {reason}; asking again in {seconds:.0f} s", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the terminal's line free."""
        if self._progress is not None:
            self._progress.end()
