"""Failures as points: what each is like, as numbers of one scale."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.triage.cases import COLUMNS
from boxscore.triage.conditions import MOST_VALUES, is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

NAMED = "perceptorguard"
"""The features and their encoding by PerceptorGuard 0.1.2 (docs/quirks.md, P03)."""
_CODES = {
    "failure": {"background": 0, "localisation": 1, "missed": 2, "wrong label": 3},
    "tier": {"clutter": 0, "easy": 1, "hard": 2},
}
_NEEDED = ("camera_distance", "ambient_light", "num_objects", "profile")


class Feature:
    """One feature of the failures.

    `values` [failures, columns]: one column for numbers, one a category for others, `categories` then names them; on
    one scale: the columns of a feature have a variance of 1 together, so that each feature weighs alike.
    """

    __slots__ = ("categories", "name", "raw", "values")

    def __init__(self, name: str, raw: Values, categories: Sequence[str] | None = None) -> None:
        import numpy as np

        self.name = name
        self.raw = raw
        self.categories = None if categories is None else list(categories)
        centred = raw - raw.mean(axis=0)
        spread = float(np.sqrt((centred**2).mean(axis=0).sum()))
        self.values: Values = centred / spread if spread > 0 else centred


def features_of(failures: pl.DataFrame, slices: Sequence[str] = ()) -> list[Feature]:
    """Metadata of the image, log of 1 + box area, mode, tier, and the columns of slices, each standardised.

    Numbers stay numbers (missing ones are the mean), other columns are one-hot; what has a single value says nothing
    and is left out, and so is a category of more than 20 values. None without any failure.
    """
    if failures.is_empty():
        return []
    columns = [name for name in failures.columns if name not in COLUMNS] + list(slices)
    area = failures["gt_box_area"].fill_null(failures["pred_box_area"]).fill_null(0.0).to_numpy()
    found = [_feature(name, failures[name].to_list()) for name in columns] + [_number("log area", _log1p(area))]
    kinds = {"fn": "missed object", "fp": "false detection"}
    pairs = zip(failures["match_type"].to_list(), failures["failure_mode"].to_list(), strict=True)
    found.append(_category("mode", [f"{kinds[kind]}: {mode}" for kind, mode in pairs]))
    if not failures["gt_tier"].is_null().all():
        found.append(_category("tier", ["none" if tier is None else str(tier) for tier in failures["gt_tier"]]))
    return [one for one in found if one is not None and one.values.any()]


def perceptorguard_features(failures: pl.DataFrame) -> Values:
    """The seven features as that harness encodes them, [failures, 7], each standardised: names as ranks.

    Raises InputError where a column is missing.
    """
    import numpy as np

    missing = [name for name in (*_NEEDED, "gt_box_area", "gt_tier") if name not in failures.columns]
    if missing:
        raise InputError(
            f"--features {NAMED} needs the column {missing[0]} (that harness's features are {', '.join(_NEEDED)}, box "
            "area, mode and tier); leave the option out to use the columns that there are"
        )
    ranks = {name: rank for rank, name in enumerate(sorted(set(failures["profile"].to_list())))}
    coded = [
        [_CODES["failure"][mode] for mode in failures["failure_mode"].to_list()],
        [_CODES["tier"].get(tier, 0) for tier in failures["gt_tier"].to_list()],
        [ranks[name] for name in failures["profile"].to_list()],
    ]
    columns = [failures[name].cast(float).to_numpy() for name in _NEEDED[:3]]
    columns.append(_log1p(failures["gt_box_area"].cast(float).fill_null(0.0).to_numpy()))
    columns += [np.array(codes, dtype=np.float64) for codes in coded]
    points: Values = np.column_stack(columns)
    spread = points.std(axis=0)
    standard: Values = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return standard


def _feature(name: str, values: Sequence[Any]) -> Feature | None:
    import numpy as np

    if is_number(values):
        numbers = np.array([np.nan if value is None else float(value) for value in values])
        return _number(name, np.where(np.isnan(numbers), np.nanmean(numbers), numbers))
    texts = ["none" if value is None else str(value) for value in values]
    return _category(name, texts) if len(set(texts)) <= MOST_VALUES else None


def _number(name: str, values: Values) -> Feature:
    return Feature(name, values[:, None])


def _category(name: str, texts: Sequence[str]) -> Feature:
    import numpy as np

    categories = sorted(set(texts))
    column = np.array(texts, dtype=object)
    return Feature(name, np.stack([column == one for one in categories], axis=1).astype(np.float64), categories)


def _log1p(values: Values) -> Values:
    import numpy as np

    found: Values = np.log1p(np.maximum(values, 0.0))
    return found
