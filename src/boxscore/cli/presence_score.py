"""Score a prediction of who is on screen against who really was.

Ground truth is Amazon X-Ray (--xray), MovieNet (--movienet), or a table of
actor, start, end (--table); with several, each is told beside the others. Both
sides are looked at in the same moments, whose outcomes become a run folder
(--out) that slices, gate, compare and report read like any other.
docs/presence.md explains forms, mask and figures.
"""

from __future__ import annotations

import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from boxscore.pipeline.run import Run
    from boxscore.presence.scoring import Scored


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this action's arguments."""
    from boxscore.cli.presence_options import add_options

    add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Read, score, save if asked to, print."""
    from boxscore.cli.presence_options import asked_of, resampling_of, slicing_of
    from boxscore.cli.presence_sources import read_sources
    from boxscore.presence.saving import finished
    from boxscore.presence.together import content_of, score_all

    resampling, slicing = resampling_of(options), slicing_of(options)
    _check_targets(options)
    prediction, truths, others, gallery, inputs = read_sources(options)
    asked = asked_of(options, resampling, others, gallery, inputs)
    found = score_all(truths, prediction, asked)
    content = content_of(prediction, found)
    runs = []
    if options.out is not None or slicing is not None:
        runs = [finished(one, resampling, slicing) for one in found]
    if options.out is not None:
        _save(options, found, runs, content)
    if options.samples is not None:
        _write_samples(options.samples, found)
    if options.json:
        from boxscore.model.json_text import to_json

        print(to_json(content | _slices(runs)), flush=True)
        return 0
    _print(content, runs, options)
    return 0


def _check_targets(options: argparse.Namespace) -> None:
    """Before any work: whether what is to be written may be."""
    if options.samples is not None:
        _check_samples(options.samples, options.out)
    if options.out is None:
        if options.overwrite:
            raise InputError("--overwrite replaces the run folder of --out, which is not given; give it, too")
        return
    from boxscore.cli.presence_sources import sources_named
    from boxscore.presence.saving import folders
    from boxscore.runs import check_target

    for folder in folders(options.out, sources_named(options)).values():
        check_target(folder, overwrite=options.overwrite)


def _check_samples(path: str, out: str | None) -> None:
    """Its folder is there, or is one that the run folder brings."""
    from pathlib import Path

    home = Path(path).parent
    if not home.is_dir() and (out is None or Path(out) not in (home, *home.parents)):
        raise InputError(f"{path} can't be written: there is no folder {home}; make it, or give another --samples")


def _save(options: argparse.Namespace, found: Sequence[Scored], runs: Sequence[Run], content: dict[str, Any]) -> None:
    from boxscore.presence.saving import folders, save

    where = folders(options.out, [one.truth.source for one in found])
    left_out = ("act", "out", "overwrite", "json", "threads", "samples")
    given = {name: value for name, value in vars(options).items() if name not in left_out}
    asked = {name: value for name, value in given.items() if value is not None and value is not False}
    for one, run_ in zip(found, runs, strict=True):
        command = {"name": "presence score", "options": asked}
        own = content | {"source": one.truth.source}
        save(run_, where[one.truth.source], own, overwrite=options.overwrite, command=command)


def _write_samples(path: str, found: Sequence[Scored]) -> None:
    from boxscore.model.whole_files import write_text
    from boxscore.presence.sample_sets import lines

    write_text(path, "".join(f"{line}\n" for one in found for line in lines(one)))


def _slices(runs: Sequence[Run]) -> dict[str, Any]:
    """Rows of slices, by source, where any were asked for; the mask's rows are none."""
    from boxscore.presence.saving import MASK

    sliced = [
        [row for row in one.metrics if row["slice"] is not None and not row["slice"].startswith(MASK)]
        for one in runs
        if one.slices is not None
    ]
    return {"slices": sliced} if sliced else {}


def _print(content: dict[str, Any], runs: Sequence[Run], options: argparse.Namespace) -> None:
    from boxscore.cli import presence_tables, slice_tables

    lines: list[str] = []
    for place, source in enumerate(content["sources"]):
        lines += [""] if lines else []
        lines += presence_tables.source(source, per_actor=options.per_actor, per_scene=options.per_scene)
        if runs and runs[place].slices is not None:
            lines += slice_tables.slices(runs[place])
    print("\n".join(lines), flush=True)
    told = [*content["notes"], *(note for source in content["sources"] for note in presence_tables.notes(source))]
    told += [str(note) for run_ in runs if run_.slices is not None for note in run_.notes if "slice" in note.code]
    for note in dict.fromkeys(told):
        print(f"note: {note}", file=sys.stderr)
