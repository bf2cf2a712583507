"""What a gate is given, opened: run folders, tables of figures, tables of samples."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError
from boxscore.gate import figure_tables, timings
from boxscore.gate.gating import default_rules
from boxscore.gate.lacking import NAMES
from boxscore.gate.rules import FAIL, Rules
from boxscore.pipeline.resampling import Resampling
from boxscore.runs.layout import MANIFEST
from boxscore.slices.slicing import SUPPORT, Slicing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.gate.figure_tables import FigureSides
    from boxscore.gate.run_sides import RunSides
    from boxscore.gate.sample_tables import SampleSides
    from boxscore.gate.timings import ByDevice
    from boxscore.model.notes import Note
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.sliced import Slices
    from boxscore.slices.slice import Slice


def is_run(path: str) -> bool:
    """Whether a path is a run folder."""
    return os.path.isfile(os.path.join(path, MANIFEST))  # noqa: PTH113, PTH118  as everywhere


def runs(
    current: str,
    baseline: str,
    rules: Rules | None = None,
    resampling: Resampling | None = None,
    *,
    metadata: str | None = None,
    latency: str | None = None,
    baseline_latency: str | None = None,
    own_floors: bool = False,
    threads: int = 1,
) -> tuple[RunSides, Rules]:
    """Two run folders, verified, with their slices and timings; rules by default where none are given.

    Raises InputError for damaged folders, and for runs of other data or (unless the rules have it fail) protocols,
    naming what differs.
    """
    from boxscore.gate.run_sides import RunSides
    from boxscore.runs import read_run

    pair = _loaded((baseline, current), threads)
    saved = {name: read_run(path, verify=False) for name, path in zip(NAMES, (baseline, current), strict=True)}
    asked = rules or default_rules(pair[1])
    slices, notes = _slices(pair, _slicing(asked, pair[1], metadata))
    sides = RunSides(
        pair,
        slices,
        resampling,
        timings.Timings(_timed(baseline, baseline_latency), _timed(current, latency)),
        saved=saved,
        own_floors=own_floors,
        own_protocols=asked.other_protocol == FAIL,
        notes=notes,
        folder=current,
        threads=threads,
    )
    return sides, asked


def _loaded(folders: tuple[str, str], threads: int) -> tuple[Run, Run]:
    """Both verified: reading and digests are native code, so that two threads take half the time."""
    from concurrent.futures import ThreadPoolExecutor

    from boxscore.pipeline.saved import load_run

    with ThreadPoolExecutor(min(threads, 2)) as pool:
        baseline, current = pool.map(load_run, folders)
    for run in (baseline, current):
        run.threads = threads
    return baseline, current


def refuse_other_tables(current: str, baseline: str, *, samples: bool = False) -> None:
    """Raises InputError for paths of which both are no tables: of figures, or (`samples`) with one row a sample."""
    for path in (current, baseline):
        if not Path(path).exists():
            raise InputError(f"{path}: there is no such file or folder; give a run folder, or a table")
    if samples:
        return
    for path, other in ((current, baseline), (baseline, current)):
        if is_run(path):
            raise InputError(f"{path} is a run folder, and {other} is none; hold a run to a run, or a table to a table")
        if not figure_tables.is_figures(path):
            raise InputError(
                f"{path} is no run folder, and no table of figures (columns measure and value, or a folder of "
                "metrics_*.csv); for a table with one row a sample, name its column of ids with --sample-id"
            )


def figures(current: str, baseline: str) -> FigureSides:
    """Two tables of figures, or folders of them. Raises InputError."""
    return figure_tables.FigureSides(figure_tables.read(baseline), figure_tables.read(current))


def samples(
    current: str, baseline: str, sample_id: str, rules: Rules, resampling: Resampling | None = None
) -> SampleSides:
    """Two tables with one row a sample. Raises InputError."""
    from boxscore.gate.sample_tables import SampleSides
    from boxscore.io import frames
    from boxscore.pipeline.sliced_metadata import typed

    pair = typed(frames.read(baseline)), typed(frames.read(current))
    return SampleSides(pair, (baseline, current), sample_id, slicing_of(rules), Resampling.of(resampling))


def slicing_of(rules: Rules, metadata: str | None = None) -> Slicing:
    """The slices that rules ask for. A file of metadata is looked for beside the rules that name it."""
    if metadata is None and rules.metadata is not None:
        metadata = os.fspath(Path(rules.source or "").parent / rules.metadata)
    support = SUPPORT if rules.support is None else rules.support
    return Slicing(rules.by, rules.where, metadata=metadata, support=support)


def _slicing(rules: Rules, current: Run, metadata: str | None) -> Slicing:
    """Those of the rules; where they cut none, those that the current run was evaluated with."""
    known = current.slices
    if rules.by or rules.where or known is None:
        return slicing_of(rules, metadata)
    return Slicing(known["by"], known["where"], metadata=metadata, support=known["support"])


def _slices(pair: tuple[Run, Run], slicing: Slicing) -> tuple[tuple[Sequence[Slice], Sequence[Slice]], list[Note]]:
    if not slicing:
        return ([], []), []
    from boxscore.pipeline.sliced import slices_of

    found: list[Slices] = []
    for name, run in zip(NAMES, pair, strict=True):
        if found and _cut_alike(pair, slicing):
            found *= 2
            break
        try:
            found.append(slices_of(run, slicing))
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    return (found[0], found[1]), found[1].notes


def _cut_alike(pair: tuple[Run, Run], slicing: Slicing) -> bool:
    """Whether slices are of the same images whichever run they are cut of: all their columns are in the metadata."""
    from boxscore.io import frames
    from boxscore.slices.cutting import columns_in

    if slicing.metadata is None:
        return False
    names = {*slicing.columns, *(name for one in slicing.conditions for name in columns_in(one))}
    baseline, current = pair
    same = baseline.image_ids == current.image_ids and baseline.file_names == current.file_names
    return same and names <= set(frames.head(slicing.metadata))


def _timed(folder: str, path: str | None) -> ByDevice | None:
    return timings.kept(folder) if path is None else timings.read(path)
