"""A run folder as a Run again: its matches are restored, from which every figure is derived anew."""

from __future__ import annotations

from boxscore.model.tables import Matches
from boxscore.pipeline.groups import Groups
from boxscore.pipeline.run import Run
from boxscore.runs import SavedRun, read_run
from boxscore.runs.layout import IMAGE_COLUMNS, OBJECT_COLUMNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    import polars as pl

    from boxscore import _kernel

_UNMATCHED = 2**32 - 1
"""The kernel's form of a null in the column gt."""


def load_run(folder: str | PathLike[str], *, verify: bool = True) -> Run:
    """The run that a folder holds. It has matches, labels and pairs, not boxes: `dataset` and `predictions` are None.

    File names, groups, intervals, slices and metadata are those that were saved.

    Raises InputError as `read_run` does.
    """
    saved = read_run(folder, verify=verify)
    images = saved.table("images")
    return Run(
        Matches(_matches(saved), saved.protocol),
        saved.labels,
        image_ids=saved.image_ids,
        file_names=images["file_name"].to_list() if "file_name" in images.columns else None,
        groups=_groups(saved, images),
        data_identity=saved.data_identity,
        label_agnostic=saved.label_agnostic,
        floors=saved.floors,
        steps=saved.steps,
        notes=saved.notes,
        result_notes=(),  # they were saved with the others
        reading=saved.reading,
        # Figures are derived anew; intervals would have to be drawn anew.
        metrics=None if saved.resampled is None and saved.slices is None else saved.metrics,
        resampled=saved.resampled,
        slices=saved.slices,
        metadata=_further(images, IMAGE_COLUMNS),
        attributes=_further(saved.table("ground_truth"), OBJECT_COLUMNS),
        saved_pairs=(lambda: saved.table("pairs")) if "pairs" in saved.tables else None,
    )


def _groups(saved: SavedRun, images: pl.DataFrame) -> Groups | None:
    """The column `group`; older runs don't say what it was made of."""
    if "group" not in images.columns or images["group"].is_null().all():
        return None
    return Groups(images["group"].to_list(), saved.grouped_by or {"field": "group"})


def _further(table: pl.DataFrame, own: tuple[str, ...]) -> pl.DataFrame | None:
    """The columns that were brought along, beside a table's own."""
    further = [name for name in table.columns if name not in own]
    return table.select(further) if further else None


def _matches(saved: SavedRun) -> _kernel.Matches:
    from boxscore import _kernel

    detections, objects = saved.table("detections"), saved.table("ground_truth")
    detections = detections.with_columns(detections["gt"].fill_null(_UNMATCHED))
    columns = {
        name: _bytes(detections[name]) for name in ("image", "label", "score", "rank", "matched", "ignored", "gt")
    }
    columns |= {f"object_{name}": _bytes(objects[name]) for name in ("image", "label", "matched", "ignored")}
    num_cells = len(saved.protocol.area_ranges) * len(saved.protocol.iou_thresholds)
    return _kernel.Matches.from_state(num_cells, len(saved.image_ids), columns)


def _bytes(series: pl.Series) -> bytes:
    return series.to_numpy().tobytes()
