"""Making a run the baseline: verified, whole or in its slim form."""

from __future__ import annotations

import shutil
from pathlib import Path

from boxscore.errors import InputError
from boxscore.gate import timings
from boxscore.runs import read_run
from boxscore.runs.layout import MANIFEST, METRICS, file_of
from boxscore.runs.slim import write_slim
from boxscore.runs.write import place_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    from boxscore.gate.timings import ByDevice
    from boxscore.runs import SavedRun


def promote(
    run_folder: str | PathLike[str],
    base: str | PathLike[str],
    *,
    slim: bool = False,
    latency: str | None = None,
    overwrite: bool = False,
) -> int:
    """Write the baseline's folder in one piece, and give its size in bytes.

    The run's own tables are copied byte by byte (`slim`: those columns alone that checks need). Of what was derived its
    latencies come along, or those of the file `latency`.

    Raises InputError for a run that can't be verified (damaged, of an unknown format, without a digest of its data),
    and where the folder can't be written.
    """
    if Path(run_folder).resolve() == Path(base).resolve():
        raise InputError(f"{base} is the run itself; give the folder of the baseline that is to be made")
    saved = read_run(run_folder)
    if saved.data_identity is None:
        raise InputError(
            f"{saved.folder} does not say on which ground truth it was made (it has no digest of the data), so that no "
            "run could be held to it; evaluate its files again"
        )
    timed = timings.kept(run_folder) if latency is None else timings.read(latency)
    place_run(base, lambda folder: _fill(folder, saved, timed, slim=slim), overwrite=overwrite)
    return sum(file.stat().st_size for file in Path(base).rglob("*") if file.is_file())


def _fill(folder: Path, saved: SavedRun, timed: ByDevice | None, *, slim: bool) -> None:
    if slim:
        write_slim(saved, folder)
    else:
        for name in (MANIFEST, METRICS, *(file_of(table) for table in saved.tables)):
            shutil.copyfile(saved.folder / name, folder / name)
    if timed is not None:
        timings.keep(folder, timed)
