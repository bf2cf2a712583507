"""Metadata of a run's images from a table."""

from __future__ import annotations

from boxscore.model.notes import Note, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    import polars as pl

    from boxscore.pipeline.run import Run

_KEYS = ("image", "image_id", "id", "file_name", "source_row")
_OWN = ("width", "height", "group")


def with_metadata(
    run: Run, table: str | PathLike[str] | pl.DataFrame | None, key: str | None = None
) -> tuple[Run, list[Note]]:
    """The run with a table's columns among the metadata of its images, and notes about rows and images that don't fit.

    `key` names the column of image ids or file names. Raises InputError, see `slices.metadata.join`.
    """
    if table is None:
        return run, []
    import polars as pl

    from boxscore.io import frames
    from boxscore.slices.metadata import join

    source = "the metadata" if isinstance(table, pl.DataFrame) else str(table)
    frame = table if isinstance(table, pl.DataFrame) else typed(frames.read(table))
    joined, notes = join(frame, run.image_ids, run.file_names, source=source, key=key)
    joined = joined.drop([name for name in _KEYS if name in joined.columns])
    own = [name for name in _OWN if name in joined.columns]
    if own:
        message = f"{source}: {listed(own)} left out: every image has these of its own; name such columns otherwise"
        notes.append(Note("metadata-columns-left-out", message, len(own)))
    joined = joined.drop(own)
    before = run.metadata
    if before is not None:
        joined = before.drop([name for name in joined.columns if name in before.columns]).hstack(joined)
    # Nothing that was derived depends on metadata: what stands is kept.
    return (run.again(metadata=joined) if joined.columns else run), notes


def typed(frame: pl.DataFrame) -> pl.DataFrame:
    """Texts as whole numbers, numbers or booleans where all of a column are; a number with leading zeros is a text."""
    return frame.with_columns([_typed(column) for column in frame.iter_columns()])


def _typed(column: pl.Series) -> pl.Series:
    import polars as pl

    if column.dtype != pl.String:
        return column
    texts = column.str.strip_chars()
    texts = texts.set(texts == "", None)
    if texts.is_null().all() or texts.str.contains(r"^[+-]?0\d").any():
        return texts
    for kind in (pl.Int64, pl.Float64):
        cast = texts.cast(kind, strict=False)
        if cast.null_count() == texts.null_count():
            return cast
    lower = texts.str.to_lowercase()
    if lower.drop_nulls().is_in(["true", "false"]).all():
        return (lower == "true").alias(column.name)
    return texts
