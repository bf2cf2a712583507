"""Clusters of failures by k-means: how many, how stable, and whether there is any structure at all.

The one place that imports scikit-learn.
"""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.triage.halves import shuffled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.triage.features import Feature

    Values = NDArray[np.float64]
    Rows = NDArray[np.int64]

LEAST_FAILURES = 20
MOST_CLUSTERS = 8
STARTS = 10
_MOST_FITTED = 3000
"""Failures that centres are fitted to; beyond, a sample is, and all are given their nearest centre."""
_MOST_COMPARED = 1000
"""Failures whose distances all to all a silhouette takes."""
_SHUFFLES = 5
_SPLITS = 5
STABLE = 0.8
"""From this mean Rand index on (adjusted), halves of the failures find the same clusters."""


class Clustering:
    """`labels` [failures]: cluster of each, from 0; the largest first. `k`: how many, `chosen`: whether k was.

    `silhouette`: how well points sit in their clusters, -1 to 1; `shuffled`: the mean of the same for shuffles of the
    features among the failures, in which there is no structure, and `shuffled_most` the largest. `stability`: mean
    adjusted Rand index between clusters found from two halves, 1: the same. `word`: what to make of it: `stable`,
    `unstable` or `no structure`; `reason` says so in a sentence.
    """

    __slots__ = ("chosen", "k", "labels", "reason", "shuffled", "shuffled_most", "silhouette", "stability", "word")

    def __init__(self, labels: Rows, k: int, *, chosen: bool) -> None:
        self.labels = labels
        self.k = k
        self.chosen = chosen
        self.silhouette: float | None = None
        self.shuffled: float | None = None
        self.shuffled_most: float | None = None
        self.stability: float | None = None
        self.word = "no structure"
        self.reason = ""

    def to_dict(self) -> dict[str, Any]:
        """All but the labels, ready for JSON."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "labels"}


def cluster(features: Sequence[Feature], count: int, *, k: int | None = None, seed: int = 0) -> Clustering:
    """Cluster `count` failures by their features; k is given, or chosen from 2 to 8 by how far the silhouette stands
    above that of shuffled features.

    Raises InputError for a k that can't be, and where scikit-learn is missing.
    """
    import numpy as np

    with _one_thread():
        points = np.hstack([one.values for one in features]) if features else np.zeros((count, 1))
        kept = np.sort(shuffled(count, seed)[:_MOST_FITTED])
        sample = points[kept]
        distinct = len(np.unique(sample, axis=0))
        most = min(MOST_CLUSTERS, distinct - 1, count // 5)
        if k is not None and not 2 <= k <= max(distinct - 1, 1):
            raise InputError(f"{k} clusters of {count} failures ({distinct} different ones): give 2 to {distinct - 1}")
        if count < LEAST_FAILURES or most < 2:
            return _too_few(count, distinct)
        others = [_shuffled_features(features, kept, seed + number) for number in range(1, _SHUFFLES + 1)]
        tried = [_tried(sample, others, one, seed) for one in ([k] if k is not None else range(2, most + 1))]
        best = max(tried, key=lambda one: one[1] - one[2])
        model = _fitted(sample, best[0], seed)
        found = Clustering(_by_size(model.predict(points)), best[0], chosen=k is None)
        found.silhouette, found.shuffled, found.shuffled_most = best[1:]
        found.stability = _stability(sample, best[0], seed)
        found.word, found.reason = _judged(found)
        return found


def plain_kmeans(points: Values, k: int, seed: int) -> Rows:
    """Clusters as scikit-learn numbers them: k-means with ten starts."""
    import numpy as np

    if len(points) < k:
        raise InputError(f"{k} clusters of {len(points)} failures can't be made; give fewer")
    with _one_thread():
        return np.asarray(_fitted(points, k, seed).labels_, dtype=np.int64)


def _too_few(count: int, distinct: int) -> Clustering:
    import numpy as np

    found = Clustering(np.zeros(count, dtype=np.int64), 1, chosen=True)
    found.reason = f"{count} failures, {distinct} of them different, are too few to cluster"
    return found


def _judged(found: Clustering) -> tuple[str, str]:
    silhouette, most, stability = found.silhouette or 0.0, found.shuffled_most or 0.0, found.stability or 0.0
    figures = f"silhouette {silhouette:.2f}, at most {most:.2f} where features are shuffled; stability {stability:.2f}"
    if silhouette <= most:
        return "no structure", f"shuffled features cluster as well: these are no kinds of failures ({figures})"
    if stability < STABLE:
        return "unstable", f"halves of the failures don't find the same clusters: don't build on them ({figures})"
    return "stable", f"halves of the failures find the same clusters ({figures})"


def _tried(sample: Values, others: Sequence[Values], k: int, seed: int) -> tuple[int, float, float, float]:
    """k, the silhouette, and the mean and largest of those of the shuffles."""
    own = _silhouette(sample, _fitted(sample, k, seed).labels_, seed)
    # One start less good makes a shuffle's silhouette smaller, hardly ever by much: three are enough here.
    of_others = [_silhouette(other, _fitted(other, k, seed, starts=3).labels_, seed) for other in others]
    return k, own, sum(of_others) / len(of_others), max(of_others)


def _fitted(points: Values, k: int, seed: int, *, starts: int = STARTS) -> Any:  # noqa: ANN401  scikit-learn's model
    from sklearn.cluster import KMeans

    return KMeans(n_clusters=k, random_state=seed % 2**32, n_init=starts).fit(points)


def _silhouette(points: Values, labels: Rows, seed: int) -> float:
    import numpy as np
    from sklearn.metrics import silhouette_score

    rows = np.sort(shuffled(len(points), seed)[:_MOST_COMPARED])
    number = len(set(labels[rows].tolist()))
    return float(silhouette_score(points[rows], labels[rows])) if 2 <= number < len(rows) else 0.0


def _stability(sample: Values, k: int, seed: int) -> float:
    """Mean adjusted Rand index between what two halves say of all, over several splits."""
    import numpy as np
    from sklearn.metrics import adjusted_rand_score

    found = []
    for number in range(_SPLITS):
        order = shuffled(len(sample), seed + 1000 + number)
        halves = [sample[half] for half in (order[: len(order) // 2], order[len(order) // 2 :])]
        if min(len(np.unique(half, axis=0)) for half in halves) < k:
            return 0.0
        first, second = (
            _fitted(half, k, seed + 2 * number + at, starts=5).predict(sample) for at, half in enumerate(halves)
        )
        found.append(float(adjusted_rand_score(first, second)))
    return sum(found) / len(found)


def _shuffled_features(features: Sequence[Feature], kept: Rows, seed: int) -> Values:
    """Each feature dealt out anew among the failures, its columns together: as before one by one, unrelated."""
    import numpy as np

    orders = shuffled(len(kept), seed, len(features))
    return np.hstack([one.values[kept][order] for one, order in zip(features, orders, strict=True)])


def _by_size(labels: Rows) -> Rows:
    import numpy as np

    sizes = np.bincount(labels)
    new = np.empty(len(sizes), dtype=np.int64)
    new[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return new[labels]


def _one_thread() -> Any:  # noqa: ANN401  a context
    """scikit-learn with one thread: sums of several fall in any order, and the last bits with them."""
    import contextlib

    @contextlib.contextmanager
    def limited() -> Iterator[None]:
        try:
            import sklearn.cluster  # noqa: F401  threads of what is loaded are limited
            from threadpoolctl import threadpool_limits
        except ImportError:
            raise InputError(
                "clusters need scikit-learn, which is not installed; install boxscore[triage], or leave them out"
            ) from None
        with threadpool_limits(1):
            yield

    return limited()
