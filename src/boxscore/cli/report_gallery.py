"""Which failures a report shows: some of each mode, with their boxes, kept under RUN/derived as `gallery`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from boxscore.runs import SavedRun
    from boxscore.triage.view import View

    Rows = NDArray[np.int64]

MOST = 200
"""Failures of a mode that are kept."""


def gallery(saved: SavedRun, iou: float, floors: Sequence[float] | None, *, crowds: bool = True) -> dict[str, Any]:
    """Failures by mode at an IoU threshold and confidence floors, a label each (None: all count).

    `modes`: `of` (`false detections` or `missed objects`), `mode`, `count`, and `cases`, at most 200, each image's
    first one before any image's second: false detections by descending confidence, missed objects by descending area.
    A case has `image` (row), `detection` (`label`, `score`, `box`) and `object` (`label`, `box`), either None where
    there is none, and their `overlap`. Raises InputError where the run kept no pairs.
    """
    from boxscore.triage.modes import FALSE_MODES, MISS_MODES, false_detections, missed_objects
    from boxscore.triage.source import source_of
    from boxscore.triage.view import view_of

    view = view_of(source_of(saved.folder, verify=False), iou, floors)
    drawn = _Drawn(saved, view)
    false, missed = false_detections(view, crowds=crowds), missed_objects(view)
    best, _ = view.best(view.counts[view.pair_object], "detection")
    found = []
    for code, name in enumerate(FALSE_MODES):
        rows = _first(false.mode == code, view.image, view.score)
        objects = [
            target if target >= 0 else other for target, other in zip(false.target[rows], best[rows], strict=True)
        ]
        cases = [drawn.case(int(row), int(gt)) for row, gt in zip(rows, objects, strict=True)]
        found.append(_mode("false detections", name, int((false.mode == code).sum()), cases))
    area = drawn.areas()
    for code, name in enumerate(MISS_MODES):
        rows = _first(missed.mode == code, view.object_image, area)
        cases = [drawn.case(int(missed.detection[gt]), int(gt)) for gt in rows]
        found.append(_mode("missed objects", name, int((missed.mode == code).sum()), cases))
    return {"iou": view.iou, "floors": None if floors is None else list(floors), "crowds": crowds, "modes": found}


class _Drawn:
    """Cases with their boxes and names."""

    def __init__(self, saved: SavedRun, view: View) -> None:
        import numpy as np

        self._names = saved.labels.names
        self._view = view
        self._detections = _boxes(saved.table("detections"))
        self._objects = _boxes(saved.table("ground_truth"))
        keys = view.pair_detection * len(view.counts) + view.pair_object
        order = np.argsort(keys)
        self._keys, self._overlaps = keys[order], view.overlap[order]

    def areas(self) -> NDArray[np.float64]:
        areas: NDArray[np.float64] = self._objects[:, 2] * self._objects[:, 3]
        return areas

    def case(self, row: int, gt: int) -> dict[str, Any]:
        """`row` of a detection and `gt` of an object, -1: none."""
        view = self._view
        image = view.image[row] if row >= 0 else view.object_image[gt]
        detection = None
        if row >= 0:
            detection = {
                "label": self._names[int(view.label[row])],
                "score": float(view.score[row]),
                "box": _short(self._detections[row]),
            }
        object_ = None
        if gt >= 0:
            object_ = {"label": self._names[int(view.object_label[gt])], "box": _short(self._objects[gt])}
        overlap = self._overlap(row, gt) if row >= 0 and gt >= 0 else None
        return {"image": int(image), "detection": detection, "object": object_, "overlap": overlap}

    def _overlap(self, row: int, gt: int) -> float | None:
        """None where they overlap less than pairs do."""
        key = row * len(self._view.counts) + gt
        place = int(self._keys.searchsorted(key))
        return float(self._overlaps[place]) if place < len(self._keys) and self._keys[place] == key else None


def _mode(of: str, name: str, count: int, cases: list[dict[str, Any]]) -> dict[str, Any]:
    return {"of": of, "mode": name, "count": count, "cases": cases}


def _first(chosen: NDArray[np.bool_], image: Rows, weight: NDArray[np.float64]) -> Rows:
    """Rows by descending weight, each image's first one before any image's second."""
    import numpy as np

    rows = np.flatnonzero(chosen)
    rows = rows[np.lexsort((rows, -weight[rows]))]
    seen: dict[int, int] = {}
    turns = []
    for one in image[rows].tolist():
        turns.append(seen.get(one, 0))
        seen[one] = turns[-1] + 1
    return rows[np.argsort(turns, kind="stable")][:MOST]


def _boxes(table: pl.DataFrame) -> NDArray[np.float64]:
    boxes: NDArray[np.float64] = table.select("x", "y", "w", "h").to_numpy()
    return boxes


def _short(box: NDArray[np.float64]) -> list[float]:
    return [round(float(value), 2) for value in box]
