"""What triage is asked for."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import number, shown, whole_number
from boxscore.triage.features import NAMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.pipeline.resampling import Resampling
    from boxscore.slices.slicing import Slicing

_NAMED_CLUSTERS, _NAMED_SEED = 5, 42


class Options:
    """What to look at, and how.

    - `iou`: one of the protocol's thresholds (None: 0.5 where it has it, else its first); `confidence`: the lowest that
      counts (None: the floors of the run; without floors every detection counts).
    - `crowds`: crowds of its label count among what a false detection overlaps, as in hotcoco (tidecv: not).
    - `slicing`: slices whose rates are compared, and metadata; its `support` also bounds which slices lead a mode.
    - `clusters`: cluster failures; `k`: into so many (None: chosen); `features`: None for the columns there are, or
      `perceptorguard` for that harness's (then k is 5 and the seed 42 unless given).
    - `search`: search conditions on images for where failures gather, by `permutations`, at `level`.
    - `resampling`: which units are permuted: images, or groups of them. `seed` decides all that is drawn.

    Raises InputError that names the field.
    """

    __slots__ = (
        "clusters",
        "confidence",
        "crowds",
        "features",
        "iou",
        "k",
        "level",
        "permutations",
        "resampling",
        "search",
        "seed",
        "slicing",
    )

    def __init__(
        self,
        *,
        iou: float | None = None,
        confidence: float | None = None,
        crowds: bool = True,
        slicing: Slicing | None = None,
        clusters: bool = False,
        k: int | None = None,
        features: str | None = None,
        search: bool = True,
        permutations: int = 999,
        level: float = 0.05,
        resampling: Resampling | None = None,
        seed: int | None = None,
    ) -> None:
        if features not in (None, NAMED):
            raise InputError(f"features is {shown(features)}; give {NAMED}, or leave it out")
        named = features == NAMED
        self.iou = None if iou is None else _share(iou, "iou")
        self.confidence = None if confidence is None else _finite(confidence, "confidence")
        self.crowds = crowds
        self.slicing = slicing
        self.clusters = clusters or k is not None or named
        self.k = _NAMED_CLUSTERS if named and k is None else None if k is None else _whole(k, "k", 2, 1000)
        self.features = features
        self.search = search
        self.permutations = _whole(permutations, "permutations", 19, 100_000)
        self.level = _share(level, "level")
        self.resampling = resampling
        self.seed = (_NAMED_SEED if named else 0) if seed is None else _whole(seed, "seed", 0, 2**31 - 1)

    @property
    def support(self) -> int:
        """The least images (objects) of a slice that leads a mode."""
        return 20 if self.slicing is None else self.slicing.support


def _whole(value: object, name: str, least: int, most: int) -> int:
    stated = whole_number(value)
    if stated is None or not least <= stated <= most:
        raise InputError(f"{name} is {shown(value)}; it must be a whole number from {least} to {most}")
    return stated


def _finite(value: object, name: str) -> float:
    stated = number(value)
    if stated is None or not abs(stated) < float("inf"):
        raise InputError(f"{name} is {shown(value)}; it must be a finite number")
    return float(stated)


def _share(value: object, name: str) -> float:
    stated = number(value)
    if stated is None or not 0.0 < stated <= 1.0:
        raise InputError(f"{name} is {shown(value)}; it must lie above 0 and up to 1")
    return float(stated)
