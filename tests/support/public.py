"""The public interface with plain data: one line from dictionaries to a run and its arrays."""

from typing import Any

import numpy as np

import boxscore
from tests.support import kernel

Array = np.ndarray[Any, np.dtype[Any]]
Row = dict[str, Any]


def evaluate(ground_truth: dict[str, Any], results: list[Row], **options: Any) -> boxscore.Run:
    """`boxscore.evaluate` on data held in memory."""
    return boxscore.evaluate(ground_truth, results, **options)


def arrays(run: boxscore.Run) -> dict[str, Array]:
    """Every array of a run's protocol: labels, areas, limits, thresholds, recall points."""
    return kernel.arrays(run.curves(every_limit=True, scores=True))
