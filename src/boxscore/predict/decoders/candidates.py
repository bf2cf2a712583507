"""From a score for every place and label to the candidates that are worth decoding."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.predict.decoders.asked import Asked

    Array = NDArray[Any]
    Chosen = tuple[NDArray[np.intp], Array, NDArray[np.intp]]


def chosen(scores: Array, asked: Asked) -> Chosen:
    """Places, scores and labels of the candidates, from scores [n, labels]: by place, then label.

    The card's `output.score` makes probabilities of them; `softmax` goes over all columns, of which the last stands for
    no object.
    """
    import numpy as np

    if asked.score == "softmax":
        shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
        scores = (shifted / shifted.sum(axis=1, keepdims=True))[:, :-1]
    # A sigmoid of the few that pass is cheaper than one of all; its rounding must not cost one of them.
    lowest = _logit(asked.least) - 1e-3 if asked.score == "sigmoid" else asked.least
    places, labels = _best(scores, lowest) if asked.one_label else _every(scores, lowest)
    found = scores[places, labels]
    if asked.score == "sigmoid":
        found = sigmoid(found)
        enough = found >= asked.least
        places, found, labels = places[enough], found[enough], labels[enough]
    return places, found, labels


def once(places: NDArray[np.intp], count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which of `count` places to decode, and which of those decoded each candidate takes.

    A place may be a candidate of many labels: then all places are decoded once.
    """
    import numpy as np

    return (np.arange(count), places) if len(places) > count else (places, np.arange(len(places)))


def sigmoid(values: Array) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    import numpy as np

    half: Array = np.tanh(values * 0.5)
    return half * 0.5 + 0.5


def corners(centres: Array, sizes: Array) -> Array:
    """Boxes x1, y1, x2, y2 from centres [n, 2] and sizes [n, 2]."""
    import numpy as np

    return np.concatenate([centres - sizes / 2, centres + sizes / 2], axis=1)


def around(centres: Array, distances: Array) -> Array:
    """Boxes from points [n, 2] and the distances [n, 4] to left, top, right and bottom."""
    import numpy as np

    return np.concatenate([centres - distances[:, :2], centres + distances[:, 2:]], axis=1)


def _logit(probability: float) -> float:
    import math

    return math.log(probability / (1 - probability)) if 0 < probability < 1 else math.copysign(1e4, probability - 0.5)


def _every(scores: Array, lowest: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    import numpy as np

    # Heads that put labels before places come here transposed: searched as they lie in memory, then put in order.
    if scores.flags.c_contiguous or not scores.T.flags.c_contiguous:
        at = np.flatnonzero((scores >= lowest).ravel())
        places, labels = np.divmod(at, scores.shape[1])
        return places, labels
    transposed = scores.T
    at = np.flatnonzero((transposed >= lowest).ravel())
    labels, places = np.divmod(at, scores.shape[0])
    order = np.lexsort((labels, places))
    return places[order], labels[order]


def _best(scores: Array, lowest: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    import numpy as np

    labels = scores.argmax(axis=1)
    places = np.flatnonzero(scores[np.arange(len(labels)), labels] >= lowest)
    return places, labels[places]
