"""One row a match, miss and false detection, in columns that evaluation harnesses of scenes write."""

from __future__ import annotations

from boxscore.triage.modes import FALSE_MODES, MISS_MODES
from boxscore.triage.view import NONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import polars as pl
    from numpy.typing import NDArray

    from boxscore.slices.slice import Slice
    from boxscore.triage.modes import FalseDetections, MissedObjects
    from boxscore.triage.source import Source
    from boxscore.triage.view import Booleans, Rows, View

COLUMNS = (
    "scene_id",
    "match_type",
    "iou",
    "gt_class",
    "gt_tier",
    "gt_box_area",
    "pred_class",
    "pred_confidence",
    "pred_box_area",
    "best_iou_any_class",
    "best_pred_class_at_overlap",
    "failure_mode",
)
"""All that isn't metadata of the image. `match_type` is tp, fn or fp; misses and false detections have `iou` 0."""
TIER = "tier"
"""Attribute of objects that goes into `gt_tier`."""


def cases_of(
    source: Source, view: View, false: FalseDetections, missed: MissedObjects, slices: Sequence[Slice] = ()
) -> pl.DataFrame:
    """The rows of a run by image: hits, misses, false detections, each as its tables have them.

    `best_iou_any_class` and `best_pred_class_at_overlap` say of a miss which detection overlaps it most (null below
    0.1). `failure_mode` is null for hits. Columns of metadata stand behind `scene_id`, those of `slices` at the end.
    """
    import numpy as np
    import polars as pl

    hits = np.flatnonzero(view.taken != NONE)
    parts = [
        _rows(source, view, "tp", view.image[hits], hits, view.taken[hits]).with_columns(iou=_overlaps(view, hits)),
        _misses(source, view, missed),
        _false(source, view, false),
    ]
    frame = pl.concat(parts, how="vertical").sort("image", maintain_order=True)
    ids = pl.Series("scene_id", [str(value) for value in source.run.image_ids], dtype=pl.String)
    metadata = source.run.metadata
    known = [ids] + ([] if metadata is None else [c for c in metadata.iter_columns() if c.name not in COLUMNS])
    of_case = [column.gather(frame["image"]) for column in known]
    sliced = [column for column in _slice_columns(slices, frame) if column.name not in {one.name for one in of_case}]
    return pl.DataFrame(of_case).hstack(frame.drop("image", "object")).hstack(sliced)


def _slice_columns(slices: Sequence[Slice], frame: pl.DataFrame) -> list[pl.Series]:
    """A column for each spec of slices: the value of the slice that a row lies in; yes or no for conditions."""
    import polars as pl

    found: dict[str, pl.Series] = {}
    for one in slices:
        name = one.column if one.condition else one.name
        value = " & ".join(value for _, value in one.condition) or "yes"
        inside = pl.Series(one.mask).gather(frame["image" if one.kind == "image" else "object"])
        other = found.get(name, pl.Series([None if one.condition else "no"] * frame.height, dtype=pl.String))
        choice = pl.when(inside).then(pl.lit(value)).when(inside.is_null()).then(None).otherwise(other)
        found[name] = pl.select(choice.alias(name))[name]
    return list(found.values())


def _misses(source: Source, view: View, missed: MissedObjects) -> pl.DataFrame:
    import numpy as np
    import polars as pl

    rows = np.flatnonzero(missed.mode >= 0)
    best = missed.detection[rows]
    frame = _rows(source, view, "fn", view.object_image[rows], None, rows)
    return frame.with_columns(
        best_iou_any_class=_filled(missed.overlap[rows], best != NONE, pl.Float64),
        best_pred_class_at_overlap=_named(source, view.label, best),
        failure_mode=pl.Series([MISS_MODES[mode] for mode in missed.mode[rows].tolist()], dtype=pl.String),
    )


def _false(source: Source, view: View, false: FalseDetections) -> pl.DataFrame:
    import numpy as np
    import polars as pl

    rows = np.flatnonzero(false.mode >= 0)
    modes = np.array(FALSE_MODES, dtype=object)[false.mode[rows]]
    frame = _rows(source, view, "fp", view.image[rows], rows, None)
    return frame.with_columns(failure_mode=pl.Series(modes.tolist(), dtype=pl.String))


def _rows(
    source: Source, view: View, kind: str, image: NDArray[Any], detections: Rows | None, objects: Rows | None
) -> pl.DataFrame:
    """Rows of detections, of objects, or of both side by side."""
    import numpy as np
    import polars as pl

    size = len(image)
    none = np.full(size, NONE, dtype=np.int64)
    rows, gts = none if detections is None else detections, none if objects is None else objects
    found = source.detections
    tiers = None if source.run.attributes is None else source.run.attributes.get_column(TIER, default=None)
    tier = pl.Series([None] * size, dtype=pl.String)
    if tiers is not None and objects is not None:
        tier = tiers.cast(pl.String).gather(objects)
    return pl.DataFrame(
        {
            "image": pl.Series(image, dtype=pl.UInt32),
            "object": pl.Series(gts, dtype=pl.Int64).replace(NONE, None),
            "match_type": pl.Series([kind] * size, dtype=pl.String),
            "iou": pl.Series(np.zeros(size), dtype=pl.Float64),
            "gt_class": _named(source, view.object_label, gts),
            "gt_tier": tier,
            "gt_box_area": _taken_from(source.objects["area"], gts),
            "pred_class": _named(source, view.label, rows),
            "pred_confidence": _taken_from(view.score, rows),
            "pred_box_area": _taken_from(found["w"] * found["h"], rows),
            "best_iou_any_class": pl.Series([None] * size, dtype=pl.Float64),
            "best_pred_class_at_overlap": pl.Series([None] * size, dtype=pl.String),
            "failure_mode": pl.Series([None] * size, dtype=pl.String),
        }
    )


def _taken_from(column: NDArray[Any], rows: Rows) -> pl.Series:
    """Values at rows, null where there is no row."""
    import polars as pl

    if len(column) == 0:
        return pl.Series([None] * len(rows), dtype=pl.Float64)
    return _filled(column[rows], rows != NONE, pl.Float64)


def _filled(values: NDArray[Any], there: Booleans, dtype: Any) -> pl.Series:  # noqa: ANN401  a polars type
    import polars as pl

    stated = pl.Series("value", values, dtype=dtype)
    return pl.select(pl.when(pl.Series(there)).then(stated).otherwise(None))["value"]


def _named(source: Source, label: NDArray[Any], rows: Rows) -> pl.Series:
    import numpy as np
    import polars as pl

    names: Sequence[str] = source.run.labels.names
    codes = label[rows] if len(label) else np.zeros(len(rows), dtype=np.int64)
    texts = np.array(list(names) or [""], dtype=object)[codes.astype(np.int64)]
    return _filled(texts, rows != NONE, pl.String)


def _overlaps(view: View, hits: Rows) -> pl.Series:
    """By how much each hit overlaps the object that it took."""
    import numpy as np
    import polars as pl

    pairs = view.taken[view.pair_detection] == view.pair_object
    overlap = np.zeros(len(view.label))
    overlap[view.pair_detection[pairs]] = view.overlap[pairs]
    return pl.Series("iou", overlap[hits], dtype=pl.Float64)
