"""What is asked of a search for the smallest face."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.faces.degrade import Recipe
from boxscore.faces.rates import METHODS

if TYPE_CHECKING:
    from typing import Any

SIZES = (16, 24, 32, 48, 66, 96, 112)
_LARGEST = 16384
_FEWEST = 20
"""Replicates: of fewer, the ends of an interval are but the extremes, and none may draw an actor that counts."""


@dataclass(frozen=True, slots=True)
class Options:
    """How faces are chosen, degraded and judged.

    `actors`: how many are probed (None: all that can be, or three quarters where the threshold is fitted on the rest);
    `probes`: pictures of each; `gallery_pictures`: at most so many an actor in a gallery made of the pictures;
    `threshold`: a cosine, None to fit one that a share `target_fpi` of strangers reaches; `margin`: how much less TPI
    than native is as good; `intervals`: how those of several probes an actor are made (`rates.METHODS`); `replicates`:
    draws of actors, for these where they are resampled, and in which the growth of FPI is modelled anew. `reembed`: a
    gallery file says whose pictures there are, and its embeddings aren't used.
    """

    sizes: tuple[int, ...] = SIZES
    actors: int | None = None
    probes: int = 1
    gallery_pictures: int | None = None
    recipe: Recipe = field(default_factory=Recipe)
    threshold: float | None = None
    target_fpi: float = 0.01
    margin: float = 0.05
    confidence: float = 0.95
    intervals: str = METHODS[0]
    replicates: int = 200
    seed: int = 0
    reembed: bool = False

    def __post_init__(self) -> None:
        """Raises InputError that names the option."""
        from boxscore.stats.intervals import DEFAULT, check_options

        if not self.sizes or any(not 1 <= size <= _LARGEST for size in self.sizes):
            raise InputError(f"--sizes {_joined(self.sizes)}: give one or more, each from 1 to {_LARGEST} pixels")
        for name in ("actors", "probes", "gallery_pictures"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"--{name.replace('_', '-')} {value}: give 1 or more")
        if self.replicates < _FEWEST:
            raise InputError(f"--replicates {self.replicates}: give {_FEWEST} or more")
        if self.intervals not in METHODS:
            raise InputError(f"--intervals {self.intervals}: give one of {', '.join(METHODS)}")
        if self.threshold is not None and not -1 <= self.threshold <= 1:
            raise InputError(f"--threshold {self.threshold:g}: give a cosine, from -1 to 1")
        for name in ("target_fpi", "margin"):
            value = getattr(self, name)
            if not 0 <= value < 1:
                raise InputError(f"--{name.replace('_', '-')} {value:g}: give a share from 0 to below 1")
        if not 0 <= self.seed < 2**64:
            raise InputError(f"--seed {self.seed}: give a whole number from 0 to 2**64 - 1")
        check_options(DEFAULT, self.confidence)

    def to_dict(self) -> dict[str, Any]:
        """The options, ready for JSON."""
        import dataclasses

        return dataclasses.asdict(self) | {"sizes": list(self.sizes), "recipe": str(self.recipe)}


def _joined(sizes: tuple[int, ...]) -> str:
    return ",".join(map(str, sizes)) or "''"
