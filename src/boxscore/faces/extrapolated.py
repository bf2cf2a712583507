"""FPI by gallery size of one embedder at one size: counted, modelled, and the model held to what it could not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.faces.gallery_size import doubled, falsely_identified
from boxscore.faces.tail import TOO_FEW, Strangers, Tail

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.rates import Clusters
    from boxscore.faces.scores import Likeness

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

COUNTED, MODELLED = "counted", "modelled"
BEYOND = (100, 300, 1000, 3000, 10_000)
_HALVES = 50
"""Random halves of the others from which the whole is predicted."""


@dataclass(frozen=True, slots=True)
class AtGallerySize:
    """FPI with so many actors in the gallery; `kind` is COUNTED or MODELLED; null with a reason where there is none."""

    actors: int
    kind: str
    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """The whole gallery's FPI, predicted from random halves of the other actors (`half` of them each).

    `predicted` is the mean over halves, `least` and `most` the middle 90 % of them; `counted` is what it is.
    """

    half: int
    predicted: float
    least: float
    most: float
    counted: float


@dataclass(frozen=True, slots=True)
class Growth:
    """FPI by gallery size, the fitted tail, and the model's check; None where there are too few other actors."""

    sizes: tuple[AtGallerySize, ...]
    tail: Tail | None
    check: Check | None

    def to_dict(self) -> dict[str, Any]:
        """The fields, ready for JSON."""
        import dataclasses

        return dataclasses.asdict(self)


def growth(likeness: Likeness, among: Flags, threshold: float, clusters: Clusters, seed: int) -> Growth:
    """Of the probes `among` [n], one or more: FPI with 10, 20, 40, … actors, all of them, and up to ten thousand."""
    import numpy as np

    strangers = likeness.strangers()
    others = strangers.shape[1]
    beaten = likeness.rivals(threshold)
    counted = [_counted(beaten, among, others, size, clusters) for size in doubled(others + 1)]
    bars = np.maximum(likeness.own, threshold)
    seen = Strangers(strangers[among], bars[among])
    beyond = [size for size in BEYOND if size > others + 1]
    if seen.tail is None:
        none = [AtGallerySize(size, MODELLED, None, reason=TOO_FEW) for size in beyond]
        return Growth((*counted, *none), None, None)
    modelled = _modelled(seen, among, beyond, clusters)
    check = _check(strangers[among], bars[among], float(counted[-1].value or 0.0), seed)
    return Growth((*counted, *modelled), seen.tail, check)


def _counted(beaten: Counts, among: Flags, others: int, size: int, clusters: Clusters) -> AtGallerySize:
    """The mean over probes, with Wilson's interval of as many effective trials as the full gallery's, or that of
    resampled actors where these are asked for.
    """
    from boxscore.stats.intervals import wilson

    rate = clusters.rate(beaten > 0, among)
    if size == others + 1 or rate.effective is None:
        return AtGallerySize(size, COUNTED, rate.value, rate.low, rate.high)
    found = falsely_identified(beaten, others, size)
    value = float(found[among].mean())
    if clusters.resampled:
        return AtGallerySize(size, COUNTED, value, *clusters.spread(found, among))
    bounds = wilson(value * rate.effective, rate.effective, clusters.confidence)
    return AtGallerySize(size, COUNTED, value, *bounds)


def _modelled(seen: Strangers, among: Flags, sizes: list[int], clusters: Clusters) -> list[AtGallerySize]:
    import numpy as np

    if not sizes:
        return []
    actors = clusters.actors[among]
    times = [weights[actors].astype(np.float64) for weights in clusters.weights]
    values = seen.falsely_identified(sizes).tolist()
    replicates = [seen.falsely_identified(sizes, one) for one in times if one.any()]
    if not replicates:
        return [AtGallerySize(size, MODELLED, value) for size, value in zip(sizes, values, strict=True)]
    low, high = np.quantile(np.stack(replicates), clusters.tails, axis=0).tolist()
    return [AtGallerySize(size, MODELLED, *row) for size, *row in zip(sizes, values, low, high, strict=True)]


def _check(strangers: Floats, bars: Floats, counted: float, seed: int) -> Check | None:
    import numpy as np

    from boxscore.stats.plans import shuffled

    others = strangers.shape[1]
    half = others // 2
    predicted = []
    for number in range(_HALVES):
        seen = Strangers(strangers[:, shuffled(others, (seed + number + 1) % 2**64)[:half]], bars)
        if seen.tail is not None:
            predicted.append(float(seen.falsely_identified([others + 1])[0]))
    if not predicted:
        return None
    least, most = np.quantile(predicted, (0.05, 0.95))
    return Check(half, float(np.mean(predicted)), float(least), float(most), counted)
