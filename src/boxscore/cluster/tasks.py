"""What a worker runs: some work of boxscore's, whose refusals come back as values rather than as Ray's tracebacks."""

from __future__ import annotations

import os
from dataclasses import dataclass

from boxscore.errors import BoxscoreError, InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


@dataclass(frozen=True)
class Refused:
    """An error that the user can mend: it is raised where the result is asked for."""

    error: BoxscoreError


@dataclass(frozen=True)
class Place:
    """Where the driver stands: its version, and its folder, by which relative paths are meant."""

    version: str
    folder: str

    @staticmethod
    def here() -> Place:
        """This process's."""
        from boxscore.model.versions import versions

        return Place(versions()["boxscore"], os.getcwd())  # noqa: PTH109  a text that travels


def run(place: Place, returns: int, work: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401  whatever the work takes and gives
    """`work(*arguments)`; where it raises, or an argument was refused before, all that it returns is `Refused`."""
    for given in arguments:
        if isinstance(given, Refused):
            return _refused(given, returns)
    # One task, one processor: libraries that bring threads of their own keep to that, too.
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    try:
        _stand(place)
        return work(*arguments)
    except BoxscoreError as error:
        return _refused(Refused(error), returns)


def _refused(refused: Refused, returns: int) -> Refused | tuple[Refused, ...]:
    return refused if returns == 1 else (refused,) * returns


def _stand(place: Place) -> None:
    """Be where the driver is. Raises InputError where figures could differ from the driver's."""
    import platform

    here = Place.here()
    if here.version != place.version:
        raise InputError(
            f"node {platform.node()} of the cluster has boxscore {here.version}, and this is {place.version}; install "
            "the same version on all nodes"
        )
    if here.folder != place.folder and os.path.isdir(place.folder):  # noqa: PTH112  likewise
        os.chdir(place.folder)
