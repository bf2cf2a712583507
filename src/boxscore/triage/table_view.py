"""A table of matches as a view: its hits, misses and false detections, from which oracles give AP."""

from __future__ import annotations

from boxscore.triage.modes import FALSE_MODES, MISS_MODES, NO_MODE, FalseDetections, MissedObjects
from boxscore.triage.view import NONE, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

_IOU = 0.5
"""What is a hit was decided by whoever wrote the table; the number plays no part."""


class TableView:
    """As of a run: `view`, `false`, `missed`; `labels` and `scenes`: names by number.

    `metadata`: values of columns that say one thing a scene, by name. Targets of false detections are not known, nor
    which detections overlap missed objects.
    """

    __slots__ = ("false", "labels", "metadata", "missed", "scenes", "view")

    def __init__(self, cases: pl.DataFrame) -> None:
        import numpy as np
        import polars as pl

        from boxscore.protocols import load

        detected = cases.filter(pl.col("match_type").is_in(["tp", "fp"]))
        objects = cases.filter(pl.col("match_type").is_in(["tp", "fn"]))
        found = detected["pred_class"].fill_null(detected["gt_class"])
        self.scenes: list[str] = cases["scene_id"].unique(maintain_order=True).to_list()
        instead = objects["best_pred_class_at_overlap"]
        self.labels: list[str] = sorted({*found.to_list(), *objects["gt_class"].to_list(), *instead.drop_nulls()})
        hits = (detected["match_type"] == "tp").to_numpy()
        taken = np.flatnonzero((objects["match_type"] == "tp").to_numpy())
        self.view = View(
            iou=_IOU,
            protocol=load("coco").override(iou_thresholds=[_IOU]),
            image=_codes(detected["scene_id"], self.scenes),
            label=_codes(found, self.labels),
            score=detected["pred_confidence"].fill_null(0.0).to_numpy(),
            rank=np.zeros(detected.height, dtype=np.int64),
            part=np.ones(detected.height, dtype=np.bool_),
            matched=hits,
            ignored=np.zeros(detected.height, dtype=np.bool_),
            object_image=_codes(objects["scene_id"], self.scenes),
            object_label=_codes(objects["gt_class"], self.labels),
            counts=np.ones(objects.height, dtype=np.bool_),
            # Both tables keep the rows' order, so that hits and the objects they took stand alike in them.
            pair_detection=np.flatnonzero(hits),
            pair_object=taken,
            overlap=np.ones(len(taken)),
        )
        self.false = FalseDetections(
            _modes(detected, FALSE_MODES, ~hits), np.full(detected.height, NONE, dtype=np.int64)
        )
        lost = (objects["match_type"] == "fn").to_numpy()
        self.missed = MissedObjects(
            _modes(objects, MISS_MODES, lost),
            np.full(objects.height, NONE, dtype=np.int64),
            objects["best_iou_any_class"].fill_null(0.0).to_numpy(),
            _codes(instead, self.labels),
        )
        self.metadata = _of_scenes(cases)


def _codes(values: pl.Series, names: list[str]) -> NDArray[Any]:
    import numpy as np

    numbers = {name: number for number, name in enumerate(names)}
    return np.array([NONE if value is None else numbers[value] for value in values.to_list()], dtype=np.int64)


def _modes(rows: pl.DataFrame, names: tuple[str, ...], where: NDArray[np.bool_]) -> NDArray[np.int8]:
    import numpy as np

    codes = {name: code for code, name in enumerate(names)}
    stated = [codes.get(mode, NO_MODE) for mode in rows["failure_mode"].to_list()]
    return np.where(where, np.array(stated, dtype=np.int8), np.int8(NO_MODE)).astype(np.int8)


def _of_scenes(cases: pl.DataFrame) -> dict[str, list[Any]]:
    """Columns that have one value in each scene, in the order of the scenes."""
    import polars as pl

    from boxscore.triage.cases import COLUMNS

    names = [name for name in cases.columns if name not in COLUMNS]
    grouped = cases.group_by("scene_id", maintain_order=True)
    first = grouped.agg(pl.col(names).first())
    several = grouped.agg(pl.col(names).n_unique())
    return {name: first[name].to_list() for name in names if (several[name] == 1).all()}
