"""`params`: what to evaluate, with pycocotools' names and defaults; and the same, checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore.compat.ids import Id, ordered_ids, plain_ids
from boxscore.errors import InputError

ANY_LABEL = -1
"""pycocotools' category id of everything, where `useCats` is 0."""


def refuse_other_types(iou_type: object) -> None:
    """Raises InputError for whatever isn't "bbox", saying what to do."""
    if iou_type == "bbox":
        return
    default = ", which is pycocotools' default," if iou_type in ("segm", None, "") else ""
    kinds = {"segm": "masks", "keypoints": "keypoints"}
    what = kinds.get(str(iou_type), "that")
    raise InputError(
        f"iouType is {iou_type!r}{default} but boxes alone are evaluated here: for boxes give iouType='bbox', as in "
        f"COCOeval(cocoGt, cocoDt, iouType='bbox'); for {what} use pycocotools"
    )


class Params:
    """pycocotools' parameters of an evaluation of boxes.

    - `imgIds`, `catIds`: ids to evaluate.
    - `iouThrs` (T,), `recThrs` (R,): IoU thresholds and recall points.
    - `maxDets`: M limits of detections an image and category, whole numbers from 1 on.
    - `areaRng`: A pairs of least and largest area in square pixels, both included; `areaRngLbl`: their names.
    - `useCats`: 0 disregards categories (of the boxes of `catIds`).
    - `iouType`: "bbox". `useSegm`: None; pycocotools' deprecated way to say it is refused.

    Raises InputError for another `iouType`.
    """

    def __init__(self, iouType: str = "segm") -> None:
        refuse_other_types(iouType)
        self.imgIds: Any = []
        self.catIds: Any = []
        self.iouThrs: Any = np.linspace(0.5, 0.95, 10)
        self.recThrs: Any = np.linspace(0.0, 1.0, 101)
        self.maxDets: Any = [1, 10, 100]
        self.areaRng: Any = [[0, 1e5**2], [0, 32**2], [32**2, 96**2], [96**2, 1e5**2]]
        self.areaRngLbl: Any = ["all", "small", "medium", "large"]
        self.useCats: Any = 1
        self.iouType: Any = iouType
        self.useSegm: Any = None


@dataclass(frozen=True)
class Settings:
    """Checked parameters, in plain types. Positions in these lists are the axes of all arrays."""

    image_ids: list[Id]
    category_ids: list[Id]
    use_categories: bool
    thresholds: list[float]
    recall_points: list[float]
    limits: list[int]
    area_ranges: list[tuple[float, float]]

    @property
    def labels(self) -> list[Id]:
        """Category ids of the K axis: one that stands for all where categories are disregarded."""
        return self.category_ids if self.use_categories else [ANY_LABEL]

    @staticmethod
    def of(params: Any) -> "Settings":
        """The content of `params`, pycocotools' own included. Raises InputError that names the field."""
        refuse_other_types(params.iouType)
        if getattr(params, "useSegm", None) is not None:
            raise InputError(
                f"params.useSegm is {params.useSegm!r}; that is deprecated and not read here: leave it None and give "
                "COCOeval iouType='bbox' for boxes (masks are not evaluated)"
            )
        return Settings(
            image_ids=plain_ids(params.imgIds, "params.imgIds"),
            category_ids=plain_ids(params.catIds, "params.catIds"),
            use_categories=bool(params.useCats),
            thresholds=_numbers(params.iouThrs, "iouThrs"),
            recall_points=_numbers(params.recThrs, "recThrs"),
            limits=[_limit(limit) for limit in _filled(params.maxDets, "maxDets")],
            area_ranges=[_area_range(pair) for pair in _filled(params.areaRng, "areaRng")],
        )


def put_in_order(params: Any) -> None:
    """Ids sorted and each once, limits sorted, in `params` itself: there pycocotools' users look for the order.

    Where categories are disregarded theirs stays as it is: it decides ties of score.
    """
    params.imgIds = ordered_ids(params.imgIds, "params.imgIds")
    if params.useCats:
        params.catIds = ordered_ids(params.catIds, "params.catIds")
    params.maxDets = sorted(_limit(limit) for limit in _filled(params.maxDets, "maxDets"))


def _filled(values: Iterable[Any], field: str) -> list[Any]:
    listed = list(values) if isinstance(values, Iterable) else []
    if not listed:
        raise InputError(f"params.{field} is {values!r}; it must be a list that is not empty")
    return listed


def _numbers(values: Iterable[Any], field: str) -> list[float]:
    listed = _filled(values, field)
    for place, value in enumerate(listed):
        if not np.isfinite(_number(value)):
            raise InputError(f"params.{field}[{place}] is {value!r}; it must be a finite number")
    return [float(value) for value in listed]


def _number(value: Any) -> float:
    """The value, NaN where it is none."""
    try:
        return float("nan") if isinstance(value, str) else float(value)
    except (TypeError, ValueError):
        return float("nan")


def _limit(value: Any) -> int:
    if not _number(value).is_integer() or not 1 <= int(value) < 2**32:
        raise InputError(f"params.maxDets holds {value!r}; a limit is a whole number from 1 on")
    return int(value)


def _area_range(pair: Sequence[Any]) -> tuple[float, float]:
    low, high = map(_number, pair) if hasattr(pair, "__len__") and len(pair) == 2 else (float("nan"),) * 2
    if np.isnan(low) or np.isnan(high):
        raise InputError(f"params.areaRng holds {pair!r}; a range is a pair of numbers, least and largest area")
    return low, high
