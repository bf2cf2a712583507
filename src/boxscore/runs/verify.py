"""Holding a run folder to its digests, column by column."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.runs import digests
from boxscore.runs.layout import ARITHMETIC, MANIFEST, file_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    import polars as pl

    from boxscore.runs.read import SavedRun

_AGAIN = "write the run again, or copy the whole folder again"


def verify(folder: str | PathLike[str]) -> None:
    """Check every file of a run folder against its digests. Raises InputError that names the file and the column."""
    from boxscore.runs.read import read_run

    read_run(folder)


def check(saved: SavedRun) -> None:
    """Check the tables of a run that was read, and the two digests that are made of them."""
    frames = {name: _checked_table(saved, name) for name in saved.tables}
    _check_images(saved, frames)
    _check_identities(saved, frames)


def _checked_table(saved: SavedRun, name: str) -> pl.DataFrame:
    stated = saved.manifest["tables"][name]
    frame = saved.table(name)
    columns: dict[str, Any] = stated["columns"]
    if list(columns) != frame.columns:
        _refuse(saved, file_of(name), f"its columns are {', '.join(frame.columns)}, not {', '.join(columns)}")
    if frame.height != stated["rows"]:
        _refuse(saved, file_of(name), f"it has {frame.height} rows, not {stated['rows']}")
    for series in frame.iter_columns():
        column = columns[series.name]
        if str(series.dtype) != column["type"]:
            _refuse(saved, file_of(name), f"column {series.name} is {series.dtype}, not {column['type']}")
        if digests.column_digest(series) != column["digest"]:
            _refuse(saved, file_of(name), f"the values of column {series.name} are not those that were written")
    return frame


def _check_images(saved: SavedRun, frames: dict[str, pl.DataFrame]) -> None:
    ids = frames["images"]["image_id"].to_list() if "images" in frames else []
    # Ids of both kinds are texts in the table's one column; the manifest keeps their kinds.
    listed = saved.image_ids if all(isinstance(value, int) for value in ids) else [str(i) for i in saved.image_ids]
    if ids != listed:
        _refuse(saved, MANIFEST, "the manifest of images is not that of the table images")


def _check_identities(saved: SavedRun, frames: dict[str, pl.DataFrame]) -> None:
    if saved.manifest["arithmetic"] == ARITHMETIC:
        found = digests.compatibility(saved.protocol, saved.labels, label_agnostic=saved.label_agnostic)
        if found != saved.compatibility:
            _refuse(saved, MANIFEST, "digests.compatibility is not that of the protocol and the labels it states")
    objects = frames["ground_truth"]
    if saved.data_identity is None or "area" not in objects.columns:
        return  # boxes were not kept, so that the digest made when they were there stands for them
    names = saved.labels.names
    per_image = digests.object_digests(_FrameColumns(objects), len(saved.image_ids), lambda label: names[label])
    if digests.data_identity(saved.image_ids, per_image, saved.corner_convention) != saved.data_identity:
        _refuse(saved, MANIFEST, "digests.data is not that of the ground truth")


def _refuse(saved: SavedRun, file: str, problem: str) -> None:
    raise InputError(f"{saved.folder / file}: {problem}: the run folder was changed; {_AGAIN}")


class _FrameColumns:
    """A data frame's columns as NumPy arrays, behind the kernel tables' method."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def column(self, name: str) -> Any:  # noqa: ANN401  as in Columns
        return self._frame[name].to_numpy()
