"""Training pictures held against those of a validation: repeats, shared sessions, identical and nearly equal ones."""

from __future__ import annotations

import os
from collections import Counter

from boxscore.errors import InputError
from boxscore.io.pictures import SUFFIXES
from boxscore.io.stems import printable, walk
from boxscore.validate import digests
from boxscore.validate.sessions import sessions_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from boxscore.validate.asked import Asked, Path
    from boxscore.validate.cases import Cases
    from boxscore.validate.sessions import Sessions


class Training:
    """The training pictures: `names` below their folder, `paths`, `sha256` (hex) of their bytes, and `sessions`."""

    __slots__ = ("names", "paths", "sessions", "sha256")

    def __init__(self, names: list[str], paths: list[str], sessions: Sessions | None) -> None:
        self.names = names
        self.paths = paths
        self.sha256 = [digests.of_file(path) for path in paths]
        self.sessions = sessions

    @property
    def unique(self) -> int:
        """Pictures of different bytes."""
        return len(set(self.sha256))

    def repeats(self) -> dict[str, int]:
        """How many pictures occur how often: `{"1": 200, "2": 3}`."""
        times = Counter(Counter(self.sha256).values())
        return {str(number): times[number] for number in sorted(times)}


def training(folder: Path, asked: Asked, cases: Cases) -> Training:
    """All pictures below a folder. Raises InputError where there are none, or the validation's are among them."""
    root = os.fspath(folder)
    names, paths = pictures_below(root)
    if not names:
        raise InputError(f"{root}: no picture lies below the folder of training pictures; check --train")
    _refuse_own(root, paths, [case.picture_path for case in cases])
    stems = [name.rpartition(".")[0] for name in names]
    return Training(names, paths, sessions_of(names, stems, asked, asked.train_metadata or asked.metadata))


def pictures_below(root: str) -> tuple[list[str], list[str]]:
    """Names below the folder, and paths, of all pictures in it, by name. Raises InputError where it can't be read."""
    if not os.path.isdir(root):  # noqa: PTH112  paths are kept as text
        raise InputError(f"{root} is no folder; give the folder of the training pictures")
    found = [name for name in walk(root) if os.path.splitext(name)[1].lower() in SUFFIXES]  # noqa: PTH122  as above
    return [printable(name) for name in found], [os.path.join(root, name) for name in found]  # noqa: PTH118  as above


def _refuse_own(root: str, paths: Iterable[str], own: Iterable[str]) -> None:
    shared = {os.path.realpath(path) for path in paths} & {os.path.realpath(path) for path in own}
    if shared:
        raise InputError(
            f"{root} holds {len(shared)} of the very files that are validated; give the folder of the training "
            "pictures alone"
        )
