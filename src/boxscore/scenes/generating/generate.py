"""`generate`: a set of scenes in a folder, made or continued."""

from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path
from typing import Any, cast

from boxscore.errors import InputError
from boxscore.scenes import rendering
from boxscore.scenes.generating.asked import Asked
from boxscore.scenes.generating.finished import write_finished
from boxscore.scenes.generating.folder import IMAGES, TRUTH, Folder
from boxscore.scenes.generating.processes import made
from boxscore.scenes.generating.records import Record
from boxscore.scenes.generating.schedule import Schedule
from boxscore.scenes.generating.steering import Sampling
from boxscore.scenes.generating.work import Renderer, Work
from boxscore.scenes.rendering.seen import Boxes

Told = Callable[[int, int], None]
"""Takes how many scenes are done, of how many."""


@dataclass(frozen=True)
class Generated:
    """A folder with scenes: those that it holds, by number; how many were made now; what is worth knowing."""

    folder: Path
    schedule: Schedule
    records: list[Record]
    made: int
    notes: list[str]

    @property
    def ground_truth(self) -> Path:
        """The COCO file."""
        return self.folder / TRUTH

    @property
    def images(self) -> Path:
        """The folder of pictures."""
        return self.folder / IMAGES


def generate(
    asked: Asked,
    out: str | PathLike[str],
    *,
    sampling: Sampling | None = None,
    only: Collection[int] | None = None,
    processes: int = 1,
    told: Told | None = None,
    renderer: Renderer | None = None,
) -> Generated:
    """Make a set of scenes in the folder `out`, or what is missing there of it.

    The same arguments give the same bytes, whatever the number of processes, the order, and how often it was stopped:
    scenes that are there as they were written are kept, and made again where a picture was changed or lost. `sampling`
    (of `boxscore.triage.read_sampling`) makes more of the conditions that it names. With `only` nothing but the scenes
    of these numbers is made; the files then describe the scenes that are there. `renderer` stands in for PyBullet.

    Raises InputError for a folder of something else, or of scenes made with something else; for weights that scenes
    can't follow; where PyBullet is missing; and where a process dies.
    """
    if processes < 1:
        raise InputError(f"--processes {processes}: give 1 or more")
    if renderer is None:
        rendering.check_available()
    schedule = Schedule.of(asked, sampling)
    folder = Folder(Path(out), made_with(schedule))
    finished = False
    try:
        work = Work(
            folder.path,
            asked.count,
            asked.min_visibility,
            cast("Boxes", asked.boxes),
            renderer or rendering.render_scene,
        )
        records = folder.done()
        wanted = [
            index for index in (range(asked.count) if only is None else sorted(set(only))) if index not in records
        ]
        ready = len(records)
        if told is not None:
            told(ready, ready + len(wanted))
        with closing(made(work, [schedule.plan(index) for index in wanted], processes)) as coming:
            for number, record in enumerate(coming, 1):
                records[record.scene] = record
                if told is not None:
                    told(ready + number, ready + len(wanted))
        kept = [record for _, record in sorted(records.items())]
        write_finished(folder.path, folder.made_with, kept)
        finished = True
    finally:
        folder.close(finished=finished)
    notes = [] if schedule.steering is None else schedule.steering.notes
    return Generated(folder.path, schedule, kept, len(wanted), notes)


def made_with(schedule: Schedule) -> dict[str, Any]:
    """What the bytes of a set depend on: a folder made with anything else is another set."""
    asked, steering = schedule.asked, schedule.steering
    return {
        "count": asked.count,
        "seed": asked.seed,
        "profiles": schedule.counts,
        "randomise": str(asked.randomise),
        "min_visibility": asked.min_visibility,
        "boxes": asked.boxes,
        "width": asked.width,
        "height": asked.height,
        "weights": None if steering is None else steering.followed,
        "versions": _versions(),
    }


def _versions() -> Mapping[str, str | None]:
    """Of what draws, renders and encodes."""
    packages = {name: _version_of(name) for name in ("pybullet", "pillow")}
    return {"generator": rendering.version(), **packages}


def _version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
