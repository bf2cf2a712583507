"""Non-maximum suppression of one picture, without a loop over boxes.

The rule: by descending score, a box stays unless it overlaps one that stayed (and has its label, where suppression is
per label) by *more* than the threshold; a box that overlaps by exactly the threshold stays. Boxes of equal score keep
the order in which they were given: the first of them goes first. A pair of boxes without any area doesn't overlap.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]
    Ints = NDArray[np.intp]

_PAIRS_AT_ONCE = 1 << 17
"""Bounds the memory, and keeps what is worked on in the processor's cache."""
_FEW_PAIRS = 12
"""So many pairs a box, and of `_ANYWAY` boxes more, are looked at all together; more are first made fewer."""
_BEST_AT_FIRST = 4
"""How many times the boxes that are wanted are looked at first, and how many times more after that."""
_ANYWAY = 1000
"""A round over no boxes at all would cost as much as one over so many."""


def kept(
    boxes: Floats,
    scores: Floats,
    labels: NDArray[np.integer] | None,
    iou: float,
    *,
    behind: NDArray[np.bool_] | None = None,
) -> Ints:
    """Which rows stay, as indices by descending score, equal scores in the order given.

    `boxes` [n, 4] are corners x1, y1, x2, y2; `labels` [n] None: every box competes with every other. Rows that are
    `behind` come after all others, so that they suppress nobody but each other; among the result they stand by score.
    """
    import numpy as np

    first = by_score(scores)
    order = first if behind is None else first[np.argsort(behind[first], kind="stable")]
    groups = np.zeros(len(order), np.intp) if labels is None else np.asarray(labels)[order]
    stays = np.zeros(len(order), bool)
    stays[order] = _stay(np.asarray(boxes, np.float64)[order], groups, iou)
    return first[stays[first]]


def best(boxes: Floats, scores: Floats, labels: NDArray[np.integer] | None, iou: float, most: int) -> Ints:
    """The first `most` of what `kept` gives, without a look at all boxes where there are many.

    Whether a box stays depends on better ones alone, so that the best boxes can be done without the rest.
    """
    import numpy as np

    size = _BEST_AT_FIRST * most
    while size < len(scores):
        # With all that equal the last of them, so that ties fall as they would among all.
        least = np.partition(scores, len(scores) - size)[len(scores) - size]
        rows = np.flatnonzero(scores >= least)
        found = rows[kept(boxes[rows], scores[rows], None if labels is None else labels[rows], iou)]
        if len(found) >= most:
            return found[:most]
        size *= _BEST_AT_FIRST
    return kept(boxes, scores, labels, iou)[:most]


def by_score(scores: Floats) -> Ints:
    """Indices by descending score; equal scores, -0.0 and 0.0 among them, keep their order."""
    import numpy as np

    return np.argsort(-np.asarray(scores), kind="stable")


def _stay(boxes: Floats, groups: NDArray[np.integer], iou: float) -> NDArray[np.bool_]:
    """Which boxes, best first, stay within their groups.

    The best box of each group stays, and what it excludes goes: all groups at once, again and again. Between rounds,
    ever more of them apart, the rest is looked at: once few of them lie near each other, their pairs decide.
    """
    import numpy as np

    stays = np.zeros(len(boxes), bool)
    _, groups = np.unique(groups, return_inverse=True)
    rows = np.argsort(groups, kind="stable")
    sides, groups = np.ascontiguousarray(boxes[rows].T), groups[rows]
    rounds, look_at = 0, 1
    while len(rows):
        if rounds == look_at - 1:
            near = _Near(sides, groups, iou)
            if near.count <= _FEW_PAIRS * (len(rows) + _ANYWAY):
                stays[rows] = _greedy(len(rows), *_overlapping(sides, near, iou))
                return stays
            look_at *= 2
        rounds += 1
        best = np.flatnonzero(np.diff(groups, prepend=-1))
        stays[rows[best]] = True
        of_group = np.repeat(best, np.diff(best, append=len(rows)))
        left = ~_beyond(sides, sides[:, of_group], iou)
        left[best] = False
        rows, sides, groups = rows[left], sides[:, left], groups[left]
    return stays


def _greedy(count: int, better: Ints, worse: Ints) -> NDArray[np.bool_]:
    """Which of so many boxes, the best of each group first, stay, given the pairs of which one excludes the other.

    In each round, boxes that no undecided better one excludes stay, and exclude what they exclude.
    """
    import numpy as np

    stays, gone = np.zeros(count, bool), np.zeros(count, bool)
    while True:
        waiting = np.zeros(count, bool)
        waiting[worse] = True
        stays |= ~waiting & ~gone
        if not len(better):
            return stays
        gone[worse[stays[better]]] = True
        open_still = ~(gone[better] | gone[worse])
        better, worse = better[open_still], worse[open_still]


class _Near:
    """Pairs of one group that may overlap by more than the threshold as far as x says, `count` of them.

    Along x alone, a box that begins within the other by d overlaps it by no more than (width - d) / width.
    """

    def __init__(self, sides: Floats, groups: NDArray[np.integer], iou: float) -> None:
        import numpy as np

        left, right = sides[0], sides[2]
        ends = right - iou * np.maximum(right - left, 0)
        ends += 1e-9 * (1 + np.abs(right) + np.abs(left))  # more than rounding can lose
        step = 2 * (max(left.max(), right.max()) - min(left.min(), right.min()) + 1)
        starts, ends = left + groups * step, ends + groups * step  # the groups stand beside each other
        self._order = np.argsort(starts, kind="stable")
        reach = np.searchsorted(starts[self._order], ends[self._order], side="right")
        self._partners = np.maximum(reach - np.arange(len(reach)) - 1, 0)
        self._total = np.cumsum(self._partners)
        self.count = int(self._total[-1])

    def blocks(self) -> Iterator[tuple[Ints, Ints]]:
        """The pairs, some at a time."""
        import numpy as np

        order, partners, total = self._order, self._partners, self._total
        begin = 0
        while begin < len(order):
            before = total[begin - 1] if begin else 0
            end = max(int(np.searchsorted(total, before + _PAIRS_AT_ONCE, side="right")), begin + 1)
            counts = partners[begin:end]
            one = np.repeat(np.arange(begin, end), counts)
            within = np.arange(len(one)) - np.repeat(total[begin:end] - counts - before, counts)
            yield order[one], order[one + 1 + within]
            begin = end


def _overlapping(sides: Floats, near: _Near, iou: float) -> tuple[Ints, Ints]:
    """Rows, the better first, of all pairs of one group that overlap by more than the threshold."""
    import numpy as np

    better, worse = [], []
    for one, other in near.blocks():
        beyond = _beyond(sides[:, one], sides[:, other], iou)
        better.append(np.minimum(one[beyond], other[beyond]))
        worse.append(np.maximum(one[beyond], other[beyond]))
    return np.concatenate(better), np.concatenate(worse)


def _beyond(one: Floats, other: Floats, iou: float) -> NDArray[np.bool_]:
    """Whether each box of one [4, n] overlaps that of the other by more than the threshold.

    Compared by the quotient, as pycocotools and the detectors' own suppression do.
    """
    import numpy as np

    wide = np.minimum(one[2], other[2]) - np.maximum(one[0], other[0])
    high = np.minimum(one[3], other[3]) - np.maximum(one[1], other[1])
    shared = np.maximum(wide, 0) * np.maximum(high, 0)
    union = (one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1]) - shared
    beyond: NDArray[np.bool_] = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0) > iou
    return beyond
