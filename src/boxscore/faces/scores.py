"""How like each probe is to each actor of a gallery, and what identification makes of it.

The likeness is the cosine of two embeddings, that to an actor the largest over the actor's embeddings. Rank 1 is
right where the own actor is likest, and wrong in a tie. TPI: rank 1 right and at or over the threshold;
FPI: rank 1 wrong and at or over it; the rest is not identified.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A gallery ready to be compared with: unit vectors [m, d], rows of one actor together, and where each begins."""

    actors: tuple[str, ...]
    vectors: Vectors
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, actors: Sequence[tuple[str, Vectors]]) -> Enrolled:
        """From each actor's unit vectors [n, d]; actors without any are left out."""
        import numpy as np

        full = [(name, vectors) for name, vectors in actors if len(vectors)]
        starts = np.cumsum([0, *(len(vectors) for _, vectors in full)])[:-1]
        return cls(tuple(name for name, _ in full), np.concatenate([vectors for _, vectors in full]), starts)

    def rows_of(self, actors: Sequence[str]) -> NDArray[np.int64]:
        """The row of each actor, -1 where it is not enrolled."""
        import numpy as np

        places = {name: row for row, name in enumerate(self.actors)}
        return np.array([places.get(name, -1) for name in actors], dtype=np.int64)

    def likeness(self, probes: Vectors) -> Vectors:
        """Cosines [n, actors]."""
        import numpy as np

        return np.maximum.reduceat(probes @ self.vectors.T, self.starts, axis=1)


@dataclass(frozen=True, slots=True)
class Likeness:
    """Of each probe: the likeness to its own actor (-inf: not enrolled) and to the others [n, others], any order.

    `best` is the row of the actor at rank 1.
    """

    own: Vectors
    others: Vectors
    best: NDArray[np.int64]

    @classmethod
    def of(cls, cosines: Vectors, own: NDArray[np.int64]) -> Likeness:
        """From cosines [n, actors] and the row of each probe's own actor, -1 where it is not enrolled."""
        import numpy as np

        rows = np.arange(len(cosines))
        known = own >= 0
        at = np.where(known, own, cosines.shape[1])
        padded = np.concatenate([cosines, np.full((len(cosines), 1), -np.inf)], axis=1)
        mine = padded[rows, at].copy()
        padded[rows, at] = -np.inf
        rivals = padded.max(axis=1)
        best = np.where(mine > rivals, at, padded.argmax(axis=1))
        return cls(mine, padded, best)

    def best_other(self) -> Vectors:
        """The likeness to the likest of the others."""
        found: Vectors = self.others.max(axis=1)
        return found

    def strangers(self) -> Vectors:
        """The likenesses to the others alone, [n, m]; all probes are enrolled, or none."""
        import numpy as np

        return self.others[np.isfinite(self.others)].reshape(len(self.others), -1)

    def right(self) -> Flags:
        """Whether rank 1 is right."""
        found: Flags = self.own > self.best_other()
        return found

    def true_positive(self, threshold: float) -> Flags:
        """Rank 1 right, and at or over the threshold."""
        found: Flags = self.right() & (self.own >= threshold)
        return found

    def false_positive(self, threshold: float) -> Flags:
        """Rank 1 wrong, and at or over the threshold."""
        found: Flags = ~self.right() & (self.best_other() >= threshold)
        return found

    def rivals(self, threshold: float) -> NDArray[np.int64]:
        """How many others are at or over both the threshold and the own actor: each alone makes a false positive."""
        import numpy as np

        bar = np.maximum(self.own, threshold)
        found: NDArray[np.int64] = (self.others >= bar[:, None]).sum(axis=1)
        return found
