"""One embedder's figures: at native size and at each size, TPI, FPI, the loss against native, and growth by gallery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.faces.extrapolated import growth
from boxscore.faces.smallest import smallest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.extrapolated import Growth
    from boxscore.faces.options import Options
    from boxscore.faces.rates import Clusters, Rate
    from boxscore.faces.scores import Likeness
    from boxscore.faces.smallest import Smallest
    from boxscore.faces.threshold import Threshold

    Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AtSize:
    """Figures of the probes that were degraded to a size; `size` None: of all, native.

    `native` counts the probes that are no larger than the size: they are reported as native, and not here.
    """

    size: int | None
    native: int
    tpi: Rate
    fpi: Rate
    rank_1: Rate
    loss: Rate | None
    growth: Growth | None

    def to_dict(self) -> dict[str, Any]:
        """The figures, ready for JSON."""
        return {
            "size": self.size,
            "native_probes": self.native,
            "TPI": self.tpi.to_dict(),
            "FPI": self.fpi.to_dict(),
            "rank_1": self.rank_1.to_dict(),
            "loss_of_TPI": None if self.loss is None else self.loss.to_dict(),
            "by_gallery_size": None if self.growth is None else self.growth.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Measured:
    """One embedder's threshold, figures (native first, then sizes from the largest), smallest size and outcomes."""

    name: str
    sha256: str
    threshold: Threshold
    sizes: tuple[AtSize, ...]
    smallest: Smallest
    gallery_actors: int
    outcomes: Mapping[int | None, Sequence[dict[str, Any]]]

    @property
    def losses(self) -> dict[int, Rate]:
        """The loss of TPI at each size at which at least half of the probes were degraded."""
        return _losses(self.sizes)

    def to_dict(self) -> dict[str, Any]:
        """All but the outcomes, ready for JSON."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "gallery_actors": self.gallery_actors,
            "threshold": self.threshold.to_dict(),
            "sizes": [one.to_dict() for one in self.sizes],
            "smallest": self.smallest.to_dict(),
        }


def measured(
    who: tuple[str, str],
    threshold: Threshold,
    likeness: Mapping[int | None, Likeness],
    sides: NDArray[np.int64],
    clusters: Clusters,
    options: Options,
    actors: Sequence[str],
) -> Measured:
    """From the likeness of all probes at each size (None: native), and the probes' own sizes `sides` [n].

    `who` is the embedder's name and SHA-256, `actors` are the gallery's.
    """
    import numpy as np

    sizes = []
    native = likeness[None].true_positive(threshold.value)
    for size in (None, *sorted((one for one in likeness if one is not None), reverse=True)):
        among = np.ones(len(sides), bool) if size is None else sides > size
        here = likeness[size]
        right = here.true_positive(threshold.value)
        sizes.append(
            AtSize(
                size,
                int((~among).sum()),
                clusters.rate(right, among),
                clusters.rate(here.false_positive(threshold.value), among),
                clusters.rate(here.right(), among),
                None if size is None else clusters.loss(native, right, among),
                growth(here, among, threshold.value, clusters, options.seed) if among.any() else None,
            )
        )
    rows = {size: _outcomes(one, threshold.value, sides, size, actors) for size, one in likeness.items()}
    return Measured(*who, threshold, tuple(sizes), smallest(_losses(sizes), options.margin), len(actors), rows)


def _losses(sizes: Sequence[AtSize]) -> dict[int, Rate]:
    return {
        one.size: one.loss
        for one in sizes
        if one.size is not None and one.loss is not None and one.loss.trials >= max(one.native, 1)
    }


def _outcomes(
    likeness: Likeness, threshold: float, sides: NDArray[np.int64], size: int | None, actors: Sequence[str]
) -> list[dict[str, Any]]:
    """A row a probe that was degraded to the size: how it was identified, by which cosines."""
    import numpy as np

    right, wrong = likeness.true_positive(threshold), likeness.false_positive(threshold)
    others = likeness.best_other()
    found = []
    for row in range(len(sides)):
        if size is not None and sides[row] <= size:
            continue
        found.append(
            {
                "probe": row,
                "own": float(likeness.own[row]) if np.isfinite(likeness.own[row]) else None,
                "best_other": float(others[row]) if np.isfinite(others[row]) else None,
                "rank_1": actors[likeness.best[row]] if likeness.best[row] < len(actors) else None,
                "outcome": "TPI" if right[row] else "FPI" if wrong[row] else "none",
            }
        )
    return found
