"""What a search for conditions is about, and what it finds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.slices.slice import Slice

    Values = NDArray[np.float64]
    Booleans = NDArray[np.bool_]


class Outcome:
    """What may gather: `events` out of `base`, counted by image [images]: misses of objects, false ones of images."""

    __slots__ = ("base", "events", "name")

    def __init__(self, name: str, events: NDArray[Any], base: NDArray[Any]) -> None:
        import numpy as np

        self.name = name
        self.events: Values = events.astype(np.float64)
        self.base: Values = base.astype(np.float64)


class Finding:
    """A condition under which an outcome is more frequent than elsewhere.

    `parts` are its one or two slices, `mask` the images; `units` and `images` how many it has. `rate` and `rest` are
    over all images; `p_value` is adjusted for the whole family. `held_out` is from the half that was not searched:
    `rate`, `rest`, `difference`, `std_error` (None where it can't be told) and `units`. `cost`: AP at stake.
    """

    __slots__ = (
        "cost",
        "held_out",
        "images",
        "mask",
        "outcome",
        "p_value",
        "parts",
        "rate",
        "rest",
        "statistic",
        "units",
    )

    def __init__(self, outcome: str, parts: Sequence[Slice], mask: Booleans, statistic: float, p_value: float) -> None:
        self.outcome = outcome
        self.parts = list(parts)
        self.mask = mask
        self.statistic = statistic
        self.p_value = p_value
        self.units = 0
        self.images = int(mask.sum())
        self.rate: float | None = None
        self.rest: float | None = None
        self.held_out: dict[str, Any] = {}
        self.cost: float | None = None

    @property
    def name(self) -> str:
        """`weather=rain & brightness<=0.25`."""
        return " & ".join(part.name for part in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON; `condition` as (column, value) of its parts."""
        return {
            "condition": self.name,
            "where": [list(pair) for part in self.parts for pair in part.condition],
            "outcome": self.outcome,
            "units": self.units,
            "images": self.images,
            "rate": self.rate,
            "rest": self.rest,
            "statistic": self.statistic,
            "p_value": self.p_value,
            "held_out": self.held_out,
            "cost": self.cost,
        }


class Searched:
    """`findings` with an adjusted p-value up to `level`, and what was searched: `family` conditions and pairs times
    outcomes, in `units` of a `kind`, half of them, by `permutations`. `reason`: why nothing could be searched.
    """

    __slots__ = ("family", "findings", "kind", "level", "permutations", "reason", "units")

    def __init__(self, kind: str, units: int, permutations: int, level: float) -> None:
        self.kind = kind
        self.units = units
        self.permutations = permutations
        self.level = level
        self.family = 0
        self.findings: list[Finding] = []
        self.reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        named = ("kind", "units", "family", "permutations", "level", "reason")
        return {name: getattr(self, name) for name in named} | {"findings": [one.to_dict() for one in self.findings]}
