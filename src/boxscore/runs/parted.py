"""A run folder out of parts: the tables of one part are in memory at a time, then a column of one table."""

from __future__ import annotations

import io

from boxscore.model.json_text import to_json
from boxscore.runs.contents import with_brought
from boxscore.runs.digests import column_digest
from boxscore.runs.layout import MANIFEST, METRICS, file_of
from boxscore.runs.manifest import describe, manifest_of
from boxscore.runs.write import place_run, write_bytes, write_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Any

    import numpy as np
    import polars as pl

    from boxscore.runs.contents import Evaluation

    Rows = Sequence[np.ndarray[Any, np.dtype[np.int64]]]
    Part = Callable[[int, str], bytes]

_ROWS_OF = {"gt": "ground_truth", "detection": "detections", "ground_truth": "ground_truth"}
"""Columns that hold row numbers of another table."""


def write_parted_run(
    run: Evaluation,
    folder: str | PathLike[str],
    part: Part,
    image_rows: Rows,
    *,
    overwrite: bool = False,
    command: Mapping[str, Any] | None = None,
) -> None:
    """Write a run whose tables come in parts: `part(number, name)` is a table as the bytes of a Parquet file.

    In them images and rows are counted from 0; `image_rows[number]` are the rows of a part's images in the whole.
    Raises InputError as `write_run` does.
    """
    stacked = _Stacked(part, image_rows)
    place_run(folder, lambda beside: _fill(beside, run, stacked, command), overwrite=overwrite)


def _fill(folder: Path, run: Evaluation, stacked: _Stacked, command: Mapping[str, Any] | None) -> None:
    images = with_brought(stacked.frame("images"), run)
    write_table(folder / file_of("images"), images)
    described = {"images": describe(images)}
    described |= {name: stacked.write(folder, name) for name in ("ground_truth", "detections", "pairs")}
    metrics = run.metrics.to_polars()
    write_table(folder / file_of("metrics"), metrics)
    described["metrics"] = describe(metrics)
    metrics_text = f"{run.to_json()}\n".encode()
    write_bytes(folder / METRICS, metrics_text)
    manifest = manifest_of(run, described, metrics_text, command, gone={})
    write_bytes(folder / MANIFEST, f"{to_json(manifest)}\n".encode())


class _Stacked:
    """Tables of parts as one, rows by image in canonical order."""

    def __init__(self, part: Part, image_rows: Rows) -> None:
        self._part = part
        self._image_rows = image_rows
        self._starts: dict[str, list[np.ndarray[Any, np.dtype[np.int64]]]] = {}

    def write(self, folder: Path, name: str) -> dict[str, Any]:
        """Write a table, and describe it as run.json does."""
        import polars as pl

        pieces = []
        for number in range(len(self._image_rows)):
            frame = self._renumbered(number, pl.read_parquet(io.BytesIO(self._part(number, name))))
            pieces.append(folder / f".{name}-{number:05}.parquet")
            write_table(pieces[-1], frame)
        # A piece may lack a column, or hold nothing in it, so that its type is that of the others.
        whole = pl.concat([pl.scan_parquet(piece) for piece in pieces], how="diagonal_relaxed")
        key = "image" if name != "pairs" else "detection"
        if not self._in_order():
            whole = whole.sort(key, maintain_order=True)
        path = folder / file_of(name)
        whole.sink_parquet(path, compression="zstd", maintain_order=True)
        for piece in pieces:
            piece.unlink()
        return _described(path)

    def frame(self, name: str) -> pl.DataFrame:
        """A table of images, which are few beside what they show."""
        import polars as pl

        pieces = (pl.read_parquet(io.BytesIO(self._part(number, name))) for number in range(len(self._image_rows)))
        frames = [self._renumbered(number, frame) for number, frame in enumerate(pieces)]
        return pl.concat(frames, how="vertical_relaxed").sort("image")

    def _in_order(self) -> bool:
        """Whether parts follow one another in canonical order."""
        from itertools import pairwise

        firsts = [rows for rows in self._image_rows if len(rows)]
        return all(one[-1] < other[0] for one, other in pairwise(firsts))

    def _renumbered(self, number: int, frame: pl.DataFrame) -> pl.DataFrame:
        import polars as pl

        columns = []
        if "image" in frame.columns:
            rows = self._image_rows[number][frame["image"].to_numpy()]
            columns.append(pl.Series("image", rows, dtype=pl.UInt32))
        columns += [
            self._moved(number, frame[name], table) for name, table in _ROWS_OF.items() if name in frame.columns
        ]
        return frame.with_columns(columns)

    def _moved(self, number: int, column: pl.Series, table: str) -> pl.Series:
        """Row numbers of a part's table as those of the whole."""
        import polars as pl

        starts = self._starts_of(table)[number]
        known = column.is_not_null()
        moved = starts[column.fill_null(0).to_numpy()] if len(starts) else column.fill_null(0).to_numpy()
        return pl.select(pl.when(known).then(pl.Series(column.name, moved, dtype=pl.UInt32))).to_series()

    def _starts_of(self, table: str) -> list[np.ndarray[Any, np.dtype[np.int64]]]:
        """By part: the new row of each row of a table."""
        if table not in self._starts:
            self._starts[table] = self._new_rows(table)
        return self._starts[table]

    def _new_rows(self, table: str) -> list[np.ndarray[Any, np.dtype[np.int64]]]:
        import numpy as np
        import polars as pl

        total = sum(len(rows) for rows in self._image_rows)
        images = [
            rows[pl.read_parquet(io.BytesIO(self._part(number, table)), columns=["image"])["image"].to_numpy()]
            for number, rows in enumerate(self._image_rows)
        ]
        counts = sum((np.bincount(of_part, minlength=total) for of_part in images), np.zeros(total, np.int64))
        starts = np.concatenate([[0], np.cumsum(counts)])
        # Rows of a part are by image, and an image is in one part alone.
        return [starts[own] + np.arange(len(own)) - np.searchsorted(own, own) for own in images]


def _described(path: Path) -> dict[str, Any]:
    """A table on disk, a column at a time."""
    import polars as pl

    names = pl.read_parquet_schema(path)
    columns = {}
    rows = 0
    for name in names:
        series = pl.read_parquet(path, columns=[name]).to_series()
        rows = len(series)
        columns[name] = {"type": str(series.dtype), "digest": column_digest(series)}
    return {"rows": rows, "columns": columns}
