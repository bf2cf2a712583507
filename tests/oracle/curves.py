"""From outcomes by descending score to precision, recall and the areas under the curve."""

from collections.abc import Sequence
from typing import Any

from tests.oracle.matching import FALSE, IGNORED, TRUE

Row = dict[str, Any]
# The distance from 1 to the next number: pycocotools adds it to the denominator so that nothing is divided by zero.
SPACING = 2.0**-52


def running_precision_recall(rows: Sequence[Row], positives: int, spaced: bool) -> tuple[list[float], list[float]]:
    """Precision and recall after each row; ignored rows repeat what stood before them."""
    true = false = 0
    precision: list[float] = []
    recall: list[float] = []
    for row in rows:
        true += row["outcome"] == TRUE
        false += row["outcome"] == FALSE
        if spaced:
            precision.append(true / (false + true + SPACING))
        else:
            precision.append(true / (false + true) if false + true else 0.0)
        recall.append(true / positives)
    return precision, recall


def at_recall_points(
    rows: Sequence[Row], positives: int, points: Sequence[float], spaced: bool = True
) -> tuple[list[float], list[float]]:
    """Per recall point: the best precision at that recall or beyond it, and the score at which it is first reached.

    0 where the point is never reached. 101 points give COCO's figure, 11 points that of VOC 2007 (unspaced).
    """
    precision, recall = running_precision_recall(rows, positives, spaced)
    values: list[float] = []
    scores: list[float] = []
    for point in points:
        reached = [at for at in range(len(rows)) if recall[at] >= point]
        values.append(max(precision[reached[0] :]) if reached else 0.0)
        scores.append(rows[reached[0]]["score"] if reached else 0.0)
    return values, scores


def every_point(rows: Sequence[Row], positives: int, spaced: bool = False) -> float:
    """Area under the precision envelope (VOC 2012), summed over its steps, the runs of equal precision."""
    counted = [row for row in rows if row["outcome"] != IGNORED]
    precision, recall = running_precision_recall(counted, positives, spaced)
    envelope = [max(precision[at:]) for at in range(len(precision))]
    total, start = 0.0, 0.0
    for at, value in enumerate(envelope):
        if at + 1 == len(envelope) or envelope[at + 1] != value:
            total += (recall[at] - start) * value
            start = recall[at]
    return total
