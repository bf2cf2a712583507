"""Figures from outcomes: counts of actors and units, precision, recall and F1 of them, and their intervals.

A mask is a choice of rows here; the matches know nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxscore.measures import rates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from boxscore.pipeline.resampling import Resampling
    from boxscore.presence.matched import Outcomes
    from boxscore.stats.plans import Plan

    Counts = NDArray[np.int64]

OUT = -1
"""The part of what is in none."""

RATES = ("precision", "recall", "F1")


@dataclass(frozen=True, slots=True)
class Part:
    """Counts that belong together: actors of a role, one actor, one scene, or all."""

    name: str
    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def objects(self) -> int:
        """How often somebody of the part is there."""
        return self.true_positives + self.false_negatives

    def rates(self) -> dict[str, tuple[float | None, str | None]]:
        """Precision, recall and F1, each with the reason where it does not exist."""
        found, wrong = self.true_positives, self.false_positives
        return {
            "precision": rates.precision(found, wrong),
            "recall": rates.recall(found, self.objects),
            "F1": rates.f_beta(found, wrong, self.objects),
        }

    def row(self) -> dict[str, Any]:
        """Ready for JSON: `name`, TP, FP, FN, and of each rate `value` and `reason`."""
        counts = {"TP": self.true_positives, "FP": self.false_positives, "FN": self.false_negatives}
        shares = {name: {"value": value, "reason": reason} for name, (value, reason) in self.rates().items()}
        return {"name": self.name, **counts, **shares}


def tally(outcomes: Outcomes, unit: Counts, units: int, part: Counts, parts: int) -> Counts:
    """TP, FP and FN, [units, parts, 3]: `unit` is that of each moment, `part` that of each actor (OUT: none)."""
    columns = []
    for pairs, chosen in (
        (outcomes.predicted, outcomes.right),
        (outcomes.predicted, ~outcomes.right),
        (outcomes.true, ~outcomes.found),
    ):
        of = part[pairs.actor]
        kept = chosen & (of != OUT)
        place = unit[pairs.moment[kept]] * parts + of[kept]
        columns.append(np.bincount(place, minlength=units * parts).reshape(units, parts))
    return np.stack(columns, axis=-1)


def together(counts: Counts, part: Counts, parts: int) -> Counts:
    """Counts of units and actors, [units, actors, 3], summed to parts of the actors: [units, parts, 3]."""
    return np.stack([counts[:, part == number].sum(axis=1) for number in range(parts)], axis=1)


def parts_of(counts: Counts, names: Sequence[str]) -> list[Part]:
    """Parts by name over all units, from counts [units, parts, 3]."""
    return [Part(name, *map(int, row)) for name, row in zip(names, counts.sum(axis=0), strict=True)]


def with_intervals(rows: Sequence[dict[str, Any]], counts: Counts, plan: Plan, how: Resampling) -> None:
    """Fill in `low`, `high`, `std_error` or `interval_reason` of the rates of rows, one a part.

    `counts` [units, parts, 3] are those of the plan's units.
    """
    drawn = _drawn(counts, plan)
    for place, row in enumerate(rows):
        _fill(row, drawn[:, place], plan, how)


def _drawn(counts: Counts, plan: Plan) -> NDArray[np.float64]:
    """Rates of replicates, [replicates, parts, rates]; NaN where one does not exist."""
    from boxscore.measures.resampled import totals

    found, wrong, missed = np.moveaxis(totals(plan, counts.astype(np.float64)), -1, 0)
    objects = found + missed
    pairs = ((found, found + wrong), (found, objects), (2.0 * found, found + wrong + objects))
    shares = [np.divide(top, below, out=np.full(top.shape, np.nan), where=below > 0) for top, below in pairs]
    shares[2][objects == 0] = np.nan
    return np.stack(shares, axis=-1)


def _fill(row: dict[str, Any], drawn: NDArray[np.float64], plan: Plan, how: Resampling) -> None:
    from boxscore.stats.intervals import interval

    for place, name in enumerate(RATES):
        found = interval(
            drawn[:, place],
            row[name]["value"],
            method=how.interval,
            confidence=how.confidence,
            num_units=plan.num_units,
            probabilities=plan.probabilities,
        )
        row[name] |= {"low": found.low, "high": found.high, "std_error": found.std_error}
        row[name]["interval_reason"] = found.reason
