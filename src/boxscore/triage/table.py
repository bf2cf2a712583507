"""A table of matches, misses and false detections that another harness (or `--out`) wrote."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.model.notes import Note, counted, listed
from boxscore.triage.modes import FALSE_MODES, LEAST, MISS_MODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    import polars as pl

KINDS = ("tp", "fn", "fp")
_IMAGE = ("scene_id", "image_id", "file_name", "image")
_NEEDED = ("match_type", "gt_class", "pred_class", "pred_confidence")
_OVERLAP, _LABEL = "best_iou_any_class", "best_pred_class_at_overlap"
_OPTIONAL = {
    "iou": "Float64",
    "gt_tier": "String",
    "gt_box_area": "Float64",
    "pred_box_area": "Float64",
    _OVERLAP: "Float64",
    _LABEL: "String",
    "failure_mode": "String",
}
ENDINGS = (".csv", ".tsv", ".parquet")


class Table:
    """`cases`: the rows, with `failure_mode` (null for hits) and the image in `scene_id`; `notes` about them."""

    __slots__ = ("cases", "notes", "source")

    def __init__(self, cases: pl.DataFrame, notes: list[Note], source: str) -> None:
        self.cases = cases
        self.notes = notes
        self.source = source


def is_table(path: str | PathLike[str]) -> bool:
    """Whether a path is that of a table rather than of a run folder."""
    return os.fspath(path).lower().endswith(ENDINGS) and not os.path.isdir(path)  # noqa: PTH112  text or path


def read_table(path: str | PathLike[str], *, confidence: float | None = None) -> Table:
    """Read it, and give each miss and false detection its mode.

    A miss whose best overlap is absent or below 0.1 is missed; else it is localisation where the best detection has its
    label, or wrong label. A false detection is background: such tables don't say what it overlaps. A column
    `failure_mode` with modes of this package, as `--out` writes it, is taken as it is.

    At a `confidence`, false detections below it leave, and hits below it become misses. Raises InputError.
    """
    import polars as pl

    shown = os.fspath(path)
    frame = _shaped(_read(shown), shown)
    if not frame.height:
        raise InputError(f"{shown} has no rows; a table of matches has one a hit, miss and false detection")
    notes = []
    if confidence is not None:
        below = pl.col("pred_confidence") < confidence
        lost = frame.filter((pl.col("match_type") == "tp") & below).height
        if lost:
            message = (
                f"{shown}: {counted(lost, 'hit')} below confidence {confidence:g} counted as missed: the table does "
                "not say what else overlaps those objects"
            )
            notes.append(Note("hits-below-confidence", message, lost))
        frame = frame.filter((pl.col("match_type") != "fp") | ~below.fill_null(value=False)).with_columns(
            match_type=pl.when((pl.col("match_type") == "tp") & below).then(pl.lit("fn")).otherwise("match_type"),
        )
        if not frame.height:
            raise InputError(f"{shown}: no object, and no detection from confidence {confidence:g} on; lower it")
    return Table(_with_modes(frame, shown), notes, shown)


def _read(path: str) -> pl.DataFrame:
    from boxscore.io import frames
    from boxscore.pipeline.sliced_metadata import typed

    return typed(frames.read(path))


def _shaped(frame: pl.DataFrame, path: str) -> pl.DataFrame:
    """All columns there, of their types, the image in `scene_id`."""
    import polars as pl

    image = next((name for name in _IMAGE if name in frame.columns), None)
    missing = [name for name in _NEEDED if name not in frame.columns]
    if image is None or missing:
        lacks = missing[0] if missing else f"{_IMAGE[0]} (or {', '.join(_IMAGE[1:])})"
        raise InputError(
            f"{path}: no column {lacks}: a table of matches has one row a hit (tp), miss (fn) and false detection (fp) "
            f"with {', '.join((_IMAGE[0], *_NEEDED))}; this one has {listed(frame.columns, 20)}"
        )
    frame = frame.rename({image: "scene_id"}).with_columns(pl.col("scene_id").cast(pl.String))
    unknown = frame.with_row_index().filter(~pl.col("match_type").is_in(KINDS) | pl.col("match_type").is_null())
    if unknown.height:
        row = unknown.row(0, named=True)
        raise InputError(
            f"{path} row {row['index'] + 2}: match_type is {row['match_type']!r}; it must be one of {', '.join(KINDS)}"
        )
    kinds = _OPTIONAL | {"gt_class": "String", "pred_class": "String", "pred_confidence": "Float64"}
    absent = [pl.lit(None).alias(name) for name in kinds if name not in frame.columns]
    try:
        return frame.with_columns(absent).with_columns(pl.col(n).cast(getattr(pl, kind)) for n, kind in kinds.items())
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path}: a column is not what it should be: {str(error).splitlines()[0]}") from None


def _with_modes(frame: pl.DataFrame, path: str) -> pl.DataFrame:
    import polars as pl

    _check_labels(frame, path)
    stated = pl.col("failure_mode")
    known = pl.when(stated.is_in([*FALSE_MODES, *MISS_MODES])).then(stated)
    far = pl.col(_OVERLAP).is_null() | (pl.col(_OVERLAP) < LEAST)
    own = pl.col(_LABEL) == pl.col("gt_class")
    miss = pl.when(far).then(pl.lit("missed")).when(own).then(pl.lit("localisation")).otherwise(pl.lit("wrong label"))
    kind = pl.col("match_type")
    mode = pl.when(kind == "fn").then(pl.coalesce(known, miss))
    return frame.with_columns(failure_mode=mode.when(kind == "fp").then(pl.coalesce(known, pl.lit("background"))))


def _check_labels(frame: pl.DataFrame, path: str) -> None:
    """Objects have a label, and detections a label and a confidence."""
    import polars as pl

    kind = pl.col("match_type")
    needs = {"gt_class": kind.is_in(["tp", "fn"])}
    needs |= {"pred_class": kind == "fp", "pred_confidence": kind == "fp"}
    for name, where in needs.items():
        bare = frame.with_row_index().filter(where & pl.col(name).is_null())
        if bare.height:
            row = bare.row(0, named=True)
            raise InputError(
                f"{path} row {row['index'] + 2}: {row['match_type']} has no {name}; objects need a label, false "
                "detections a label and a confidence"
            )
