"""In how many units the objects of a label lie: how often replicates lack it, and whether it can be decided upon."""

from __future__ import annotations

from boxscore.model.measure import FALSE_PER_IMAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.model.measure import Measure
    from boxscore.pipeline.run import Run
    from boxscore.stats.plans import Plan

_WITHOUT_OBJECTS = ("precision", "FP", "ignored", FALSE_PER_IMAGE)
"""Kinds that rest on detections, wherever they are."""

_SELDOM = 0.5
"""What is expected in less than so many of all replicates is not told."""


class Presence:
    """The units of a plan with objects that count in an area range (None: the first)."""

    __slots__ = ("_any_label", "_by_label", "_labels", "_plan")

    def __init__(self, run: Run, area: str | None, plan: Plan) -> None:
        import numpy as np

        matches = run.matches
        cell = np.uint64(matches.cell(matches.protocol.iou_thresholds[0], area))
        objects = matches.ground_truth
        counts = (np.asarray(objects.column("ignored")) >> cell) & np.uint64(1) == 0
        labels = np.asarray(objects.column("label"))[counts].astype(np.int64)
        units = plan.units[np.asarray(objects.column("image"))[counts]].astype(np.int64)
        met = np.unique(labels * plan.num_units + units) // plan.num_units
        self._labels = run.labels
        self._plan = plan
        self._by_label: list[int] = np.bincount(met, minlength=len(run.labels)).tolist()
        self._any_label = len(np.unique(units))

    def absent(self, measure: Measure, label: str | None) -> dict[str, float]:
        """By label, the chance that a replicate lacks it, where it is then left out of the mean over labels.

        It is (1 - m / k) ** k where a label's objects lie in m of k units; for an enumeration that is the very share of
        its replicates, by their probabilities. Labels without any object are in no figure at all, and are left out; so
        are those too frequent to be lacked by any of the replicates.
        """
        if label is not None or (measure.at_point and measure.average != "macro"):
            return {}
        units = self._plan.num_units
        least = 0.0 if self._plan.exact else _SELDOM / self._plan.replicates
        shares = {
            name: (1.0 - held / units) ** units for name, held in zip(self._labels, self._by_label, strict=True) if held
        }
        return {name: share for name, share in shares.items() if share > least}

    def basis(self, measure: Measure, label: str | None) -> int:
        """Number of units that a figure, of a label or of all (None), rests on: those with objects, if it needs any."""
        if measure.kind in _WITHOUT_OBJECTS:
            return self._plan.num_units
        return self._any_label if label is None else self._by_label[self._labels.index(label)]
