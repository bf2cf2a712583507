"""Whether class numbers are in another order than the ground truth's names: found from boxes that overlap.

Each object votes once, by the best-scored detection that overlaps it by half: the label it carries against the
object's. Where most votes for a stated label go to one other label, and that for several labels, the numbers were
given to other names.
"""

from __future__ import annotations

from boxscore.io.relabel import array
from boxscore.model.labels import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy as np

    from boxscore.model.tables import Predictions

    Array = np.ndarray[Any, np.dtype[Any]]

LEAST_OVERLAP = 0.5
LEAST_VOTES = 3
"""A label with fewer votes says nothing: two may be chance."""
MAJORITY = 0.6
"""Share of a label's votes that makes one other label its meaning."""


class ClassOrder:
    """What class numbers mean by their boxes: `becomes[i]` is the label that stated label `i` is (None: not told).

    `moved` are those that become another one; `votes` (labels, labels) counts objects by stated and true label; `name`
    says which order it is where it is a known one.
    """

    __slots__ = ("becomes", "moved", "name", "votes")

    def __init__(self, becomes: Sequence[int | None], votes: Array, name: str | None) -> None:
        self.becomes = list(becomes)
        self.votes = votes
        self.name = name
        self.moved = [i for i, label in enumerate(becomes) if label is not None and label != i]

    def untold(self, detections: Sequence[int]) -> list[int]:
        """Labels with detections of which nothing tells what they are."""
        return [i for i, label in enumerate(self.becomes) if label is None and detections[i]]


def find(predictions: Predictions, threads: int = 1) -> ClassOrder | None:
    """The order that class numbers seem to have, or None where they mean what they say.

    At least two labels must turn out to be others, no two the same one: a detector that takes trucks for cars is no
    matter of numbers.
    """
    votes = count_votes(predictions, threads)
    sure = _sure(votes)
    moved = {i: label for i, label in sure.items() if label != i}
    if len(moved) < 2 or len(set(sure.values())) < len(sure):
        return None
    names = predictions.dataset.labels.names
    for name, order in _known_orders(names):
        if all(order[i] == label for i, label in sure.items()):
            return ClassOrder(order, votes, name)
    return ClassOrder(_completed(sure, len(names)), votes, None)


def count_votes(predictions: Predictions, threads: int = 1) -> Array:
    """Objects by the label of their best-scored overlapping detection and by their own, (labels, labels)."""
    import numpy as np

    from boxscore import _kernel

    dataset = predictions.dataset
    pairs = _kernel.overlap_pairs(dataset.kernel, predictions.kernel, min_overlap=LEAST_OVERLAP, threads=threads)
    detection, thing = array(pairs, "detection"), array(pairs, "ground_truth")
    score = array(predictions.table, "score")[detection]
    best_first = np.lexsort((-score, thing))
    _, first = np.unique(thing[best_first], return_index=True)
    chosen = best_first[first]
    votes = np.zeros((len(dataset.labels), len(dataset.labels)), dtype=np.int64)
    stated = array(predictions.table, "label")[detection[chosen]]
    true = array(dataset.ground_truth, "label")[thing[chosen]]
    np.add.at(votes, (stated, true), 1)
    return votes


def _sure(votes: Array) -> dict[int, int]:
    """Stated labels with enough votes and a clear majority, with what they are."""
    totals, tops = votes.sum(axis=1), votes.argmax(axis=1)
    enough = (totals >= LEAST_VOTES) & (votes.max(axis=1) >= MAJORITY * totals)
    return {i: int(tops[i]) for i in enough.nonzero()[0].tolist()}


def _known_orders(names: Sequence[str]) -> Iterator[tuple[str, list[int | None]]]:
    """Orders that class files come in, each with the label that number `i` would be."""
    count = len(names)
    alphabetical = sorted(range(count), key=lambda i: fold(names[i]))
    yield "the names in alphabetical order", [*alphabetical]
    yield "numbers one too high (they start at 1)", [None, *range(count - 1)]
    yield "numbers one too low (they start at 0)", [*range(1, count), None]
    back: list[int | None] = [0] * count
    for number, label in enumerate(alphabetical):
        back[label] = number
    yield "the ground truth's names in alphabetical order", back


def _completed(sure: dict[int, int], count: int) -> list[int | None]:
    """What is sure; a single label that is left over must be the single name that is left over."""
    becomes: list[int | None] = [sure.get(i) for i in range(count)]
    left = [i for i in range(count) if i not in sure]
    names = sorted(set(range(count)) - set(sure.values()))
    if len(left) == 1:
        becomes[left[0]] = names[0]
    return becomes
