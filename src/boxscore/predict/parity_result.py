"""What a comparison of two sides found, and what it is held to."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.predict.decode import Found


@dataclass(frozen=True, slots=True)
class Limits:
    """What counts as the same: pairs with at least `iou` and scores within `score`, for a `share` of the detections.

    Only detections from score `above` on are held to it; those below may pair with them.
    """

    iou: float = 0.99
    score: float = 0.01
    share: float = 0.99
    above: float = 0.05


@dataclass(slots=True)
class Extreme:
    """The largest difference of one kind, and where it is."""

    value: float
    picture: str | None = None
    label: str | None = None
    scores: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        return {"value": self.value, "picture": self.picture, "label": self.label, "scores": self.scores}


@dataclass(slots=True)
class Parity:
    """What was found over all pictures.

    Pairs of numbers are those of the first and the second side. `detections`, `paired` (with a partner of the same
    label, IoU 0.5 or more) and `agreeing` (with one within the limits) count those from the limit's score on.
    `same_bits` counts pictures whose detections are the same to the last bit. `missed` is the best score of a detection
    without a partner.
    """

    sides: tuple[dict[str, Any], dict[str, Any]]
    limits: Limits
    pictures: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    detections: list[int] = field(default_factory=lambda: [0, 0])
    paired: list[int] = field(default_factory=lambda: [0, 0])
    agreeing: list[int] = field(default_factory=lambda: [0, 0])
    same_bits: int = 0
    pixels: Extreme = field(default_factory=lambda: Extreme(0.0))
    score: Extreme = field(default_factory=lambda: Extreme(0.0))
    iou: Extreme = field(default_factory=lambda: Extreme(1.0))
    missed: list[Extreme] = field(default_factory=lambda: [Extreme(0.0), Extreme(0.0)])
    milliseconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    found: tuple[list[Found], list[Found]] = field(default_factory=lambda: ([], []))

    @property
    def share(self) -> float | None:
        """The lower share of a side's detections that agree; None where neither side found anything."""
        shares = [some / all_ for some, all_ in zip(self.agreeing, self.detections, strict=True) if all_]
        return min(shares, default=None)

    @property
    def passes(self) -> bool:
        """Whether enough detections agree, and all pictures could be read. Nothing found on both sides is the same."""
        return not self.unreadable and (self.share is None or self.share >= self.limits.share)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the detections, ready for JSON."""
        import statistics

        return {
            "sides": list(self.sides),
            "limits": {name: getattr(self.limits, name) for name in ("iou", "score", "share", "above")},
            "pictures": len(self.pictures),
            "unreadable": self.unreadable,
            "detections": self.detections,
            "paired": self.paired,
            "agreeing": self.agreeing,
            "share": self.share,
            "passes": self.passes,
            "pictures_with_the_same_bits": self.same_bits,
            "largest_box_difference_in_pixels": self.pixels.to_dict(),
            "largest_score_difference": self.score.to_dict(),
            "least_iou": self.iou.to_dict(),
            "best_without_a_partner": [one.to_dict() for one in self.missed],
            "median_milliseconds": [statistics.median(times) if times else None for times in self.milliseconds],
        }
