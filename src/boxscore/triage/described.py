"""What sets each cluster apart."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from boxscore.triage.features import Feature

    Rows = NDArray[np.int64]

_TOLD = 3
_LEAST = 0.5
"""A feature sets a cluster apart where its mean lies so many standard deviations from that of all failures."""


def described(labels: Rows, failures: pl.DataFrame, features: Sequence[Feature]) -> list[dict[str, Any]]:
    """A row a cluster, the largest first.

    `cluster`, `count`, `share`; `mode`, the most frequent, and its `mode_share`; `apart`: up to three of `feature`,
    `here`, `all` (means of numbers, shares of a category, which `value` names), `distance` in standard deviations.
    """
    import numpy as np

    modes = np.array(failures["failure_mode"].to_list(), dtype=object)
    found = []
    sizes = np.bincount(labels)
    for number in np.argsort(-sizes, kind="stable").tolist():
        own = labels == number
        names, counts = np.unique(modes[own].astype(str), return_counts=True)
        leading = int(np.argmax(counts))
        apart = [one for feature in features for one in _apart(feature, own)]
        apart.sort(key=lambda one: -abs(one["distance"]))
        found.append(
            {
                "cluster": number,
                "count": int(own.sum()),
                "share": float(own.mean()),
                "mode": str(names[leading]),
                "mode_share": float(counts[leading] / own.sum()),
                "apart": _once(apart)[:_TOLD],
            }
        )
    return found


def words(apart: dict[str, Any]) -> str:
    """`profile=dark 94 % (all 21 %)`, `ambient_light 0.118 (all 0.632)`."""
    if apart["value"] is None:
        return f"{apart['feature']} {apart['here']:.3g} (all {apart['all']:.3g})"
    return f"{apart['feature']}={apart['value']} {100 * apart['here']:.0f} % (all {100 * apart['all']:.0f} %)"


def _apart(feature: Feature, own: NDArray[np.bool_]) -> list[dict[str, Any]]:
    found = []
    for column, value in enumerate([None] if feature.categories is None else feature.categories):
        raw = feature.raw[:, column]
        spread = float(raw.std())
        here, overall = float(raw[own].mean()), float(raw.mean())
        distance = (here - overall) / spread if spread > 0 else 0.0
        # What a category is not is seldom worth telling; what it is, is.
        if abs(distance) >= _LEAST and (value is None or distance > 0):
            row = {"feature": feature.name, "value": value, "here": here, "all": overall, "distance": distance}
            found.append(row)
    return found


def _once(apart: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of each feature: the largest, which stands first."""
    found: dict[str, dict[str, Any]] = {}
    for one in apart:
        found.setdefault(one["feature"], one)
    return list(found.values())
