"""All that a report is made from: a run folder, what was derived from it, and pictures where there are any."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import Any, Protocol

    import polars as pl

    from boxscore.runs import SavedRun

    class Picture(Protocol):
        """A part of a picture: `data` as a data URI; `x`, `y`, `w`, `h` of the part in pixels of the whole."""

        data: str
        x: float
        y: float
        w: float
        h: float

    class Album(Protocol):
        """Pictures of the images by row, cut to a part."""

        def cut(self, image: int, box: tuple[float, float, float, float]) -> Picture | None:
            """The part of an image's picture that a box (x, y, w, h) spans; None where there is no such picture."""


class Contents:
    """What a report reads. `title` is its heading; `most_pictures` how many failures of each mode are shown.

    `reasons` says, by name of a view, why it could not be made.
    """

    def __init__(
        self,
        saved: SavedRun,
        views: Mapping[str, dict[str, Any]],
        *,
        title: str,
        reasons: Mapping[str, str] | None = None,
        album: Album | None = None,
        most_pictures: int = 6,
    ) -> None:
        self.saved = saved
        self.views = dict(views)
        self.title = title
        self.reasons = {name: _anywhere(reason, saved.folder) for name, reason in (reasons or {}).items()}
        self.album = album
        self.most_pictures = most_pictures
        self._tables: dict[str, pl.DataFrame] = {}

    def view(self, name: str) -> dict[str, Any] | None:
        """What was derived under a name, None where nothing was."""
        return self.views.get(name)

    def why_missing(self, name: str, remedy: str) -> str:
        """One line about a view that is not there."""
        return self.reasons.get(name) or remedy

    def table(self, name: str) -> pl.DataFrame:
        """A table of the run, read once. Raises InputError where the run kept none."""
        if name not in self._tables:
            self._tables[name] = self.saved.table(name)
        return self._tables[name]

    def derived_table(self, name: str) -> pl.DataFrame | None:
        """The table beside what was derived under a name."""
        from boxscore.runs.derived import read_derived_table

        return read_derived_table(self.saved.folder, name)


def _anywhere(reason: str, folder: Path) -> str:
    """A reason as it reads wherever the run folder lies: a report is the same in every place, and of one sentence."""
    text = reason.replace(f"{folder}: ", "").replace(f"{folder}{os.sep}", "")
    return text if text.endswith(".") else f"{text}."


def read_contents(
    folder: str | PathLike[str],
    *,
    title: str | None = None,
    reasons: Mapping[str, str] | None = None,
    album: Album | None = None,
    most_pictures: int = 6,
    verify: bool = True,
) -> Contents:
    """Read a run folder and what was derived from it. What is stale or damaged is left out, with that as its reason.

    Raises InputError where the run itself can't be read.
    """
    from boxscore.runs import read_run
    from boxscore.runs.derived import list_derived, read_derived

    saved = read_run(folder, verify=verify)
    views: dict[str, dict[str, Any]] = {}
    told = dict(reasons or {})
    for name in list_derived(folder):
        try:
            content = read_derived(folder, name)
        except InputError as error:
            told.setdefault(name, str(error))
            continue
        if content is not None:
            views[name] = content
    return Contents(
        saved,
        views,
        title=title or Path(folder).resolve().name,
        reasons=told,
        album=album,
        most_pictures=most_pictures,
    )
