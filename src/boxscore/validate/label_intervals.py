"""Intervals of precision, recall and F1, overall and by label: resampled where there is enough, exact where not."""

from __future__ import annotations

from boxscore.stats.intervals import caution
from boxscore.validate.figures import RATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run

FEW = 20
"""Under so many objects (of a precision: detections) resampled pictures show too little of what may vary."""
EXACT = "clopper-pearson"
_MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
_NO_EXACT_F1 = f"F1 has no exact interval, and under {FEW} objects, or without spread, it can't be resampled"


def intervals(
    resampled: Run, micro: Mapping[str, Any], per_class: Mapping[str, Mapping[str, Any]], resampling: Resampling
) -> dict[str, Any]:
    """`low`, `high` and `method` of each rate, or a `reason`, in `micro` and `per_class`, and how they were made.

    `resampled` is the run with intervals: its pictures (or sessions, where it has groups) were resampled. Figures that
    rest on fewer than 20 objects, or detections, and those that no resample changes, get Clopper and Pearson's
    interval, marked `optimistic`: it takes objects for independent draws, and those of one picture are not.
    """
    rows = {
        (row["measure"], row["label"]): row
        for row in resampled.metrics
        if row["slice"] is None and row["average"] in (None, "micro")
    }
    made = dict(resampled.resampled or {})
    unit = "session" if made["unit"] == "group" else "picture"
    return {
        "confidence": resampling.confidence,
        "caution": caution(made["units"], unit),
        "method": made["interval"],
        "unit": unit,
        "units": made["units"],
        "replicates": made["replicates"],
        "seed": made["seed"],
        "micro": _of(micro, rows, None, resampling.confidence),
        "per_class": {name: _of(one, rows, name, resampling.confidence) for name, one in per_class.items()},
    }


def _of(figure: Mapping[str, Any], rows: Mapping[Any, Any], label: str | None, confidence: float) -> dict[str, Any]:
    return {name: _one(name, figure, rows[_MEASURES[name], label], confidence) for name in RATES}


def _one(name: str, figure: Mapping[str, Any], row: Mapping[str, Any], confidence: float) -> dict[str, Any]:
    found, objects = figure["true_positive"], figure["ground_truth"]
    trials = found + figure["false_positive"] if name == "precision" else objects
    if figure[name] is None:
        return {"reason": figure["reasons"][name]}
    # Where all are found, or none, resamples have no spread, and would promise what they can't know.
    spread = row["low"] is None or row["low"] < row["high"]
    if objects >= FEW and trials >= FEW and spread:
        if row["low"] is None:
            return {"reason": row["interval_reason"]}
        return {"low": row["low"], "high": row["high"], "method": row["interval"]}
    if name == "f1":
        return {"reason": _NO_EXACT_F1}
    from boxscore.stats.intervals import clopper_pearson

    low, high = clopper_pearson(found, trials, confidence)
    return {"low": low, "high": high, "method": EXACT, "optimistic": True}
