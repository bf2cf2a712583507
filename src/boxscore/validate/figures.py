"""Counts and rates as the record has them."""

from __future__ import annotations

from boxscore.measures import rates
from boxscore.model.measure import Measure
from boxscore.pipeline import operating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.pipeline.run import Run

RATES = ("precision", "recall", "f1")


def figures(ground_truth: int, true_positive: int, false_positive: int) -> dict[str, Any]:
    """Counts, precision, recall and F1 of counts. A rate that does not exist is None, and `reasons` says why."""
    found: dict[str, Any] = {
        "ground_truth": ground_truth,
        "true_positive": true_positive,
        "false_positive": false_positive,
        "false_negative": ground_truth - true_positive,
    }
    rated = {
        "precision": rates.precision(true_positive, false_positive),
        "recall": rates.recall(true_positive, ground_truth),
        "f1": rates.f_beta(true_positive, false_positive, ground_truth),
    }
    found |= {name: value for name, (value, _) in rated.items()}
    reasons = {name: reason for name, (_, reason) in rated.items() if reason is not None}
    return found | ({"reasons": reasons} if reasons else {})


def per_class(run: Run) -> dict[str, dict[str, Any]]:
    """Figures of each label at the run's floors, in the order of labels."""
    counts = operating.point(run).counts(Measure("TP"))
    return {
        name: figures(one.objects, one.true_positives, one.false_positives)
        for name, one in zip(run.labels, counts, strict=True)
    }


def micro(run: Run) -> dict[str, Any]:
    """Figures of the counts of all labels together."""
    found = per_class(run).values()
    return figures(*(sum(one[name] for one in found) for name in ("ground_truth", "true_positive", "false_positive")))
