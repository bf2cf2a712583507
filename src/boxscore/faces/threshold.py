"""The threshold of identification, stated or fitted on actors who are never probes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from boxscore.faces.scores import Enrolled, Vectors


@dataclass(frozen=True, slots=True)
class Threshold:
    """A cosine; fitted: on how many pictures of how many other actors, and what share of them reaches it."""

    value: float
    target: float | None = None
    pictures: int = 0
    actors: int = 0
    reached: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields, ready for JSON."""
        import dataclasses

        return dataclasses.asdict(self) | {"how": "stated" if self.target is None else "fitted on other actors"}

    def sentence(self) -> str:
        """How it came about."""
        if self.target is None:
            return f"threshold {self.value:.4f}, as stated"
        return (
            f"threshold {self.value:.4f}, fitted on {self.pictures} pictures of {self.actors} other actors, taken for "
            f"strangers: {self.reached:.1%} of them reach it (at most {self.target:.1%} wanted)"
        )

    def caution(self) -> str | None:
        """What so few pictures can't show; None where they are enough."""
        if self.target is None or self.pictures * self.target >= 1:
            return None
        return (
            f"{self.pictures} pictures can't show a share of {self.target:.2%}: the threshold lies just over the "
            "likest of them; bring more actors, or give a larger --target-fpi"
        )


def fitted(vectors: Vectors, actors: list[str], gallery: Enrolled, target: float) -> Threshold:
    """The lowest threshold that at most a share `target` of strangers reaches.

    A stranger is a picture [n, d] of an actor who is taken out of the gallery for it: the likest of all the others is
    by need a wrong one. The gallery is the very one in which the probes are looked for, so that as many compete.
    """
    import numpy as np

    from boxscore.faces.scores import Likeness

    likest = Likeness.of(gallery.likeness(vectors), gallery.rows_of(actors)).best_other()
    ordered = np.sort(likest)[::-1]
    allowed = int(np.floor(target * len(ordered) + 1e-9))
    value = float(np.nextafter(ordered[min(allowed, len(ordered) - 1)], np.inf))
    return Threshold(value, target, len(likest), len(set(actors)), float((likest >= value).mean()))
