"""What stands in the scenes: objects in two tiers, and clutter that is never ground truth."""

import math
from dataclasses import dataclass

from boxscore.scenes.rendering.planned import Colour, Vector

_OWN: Colour = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Kind:
    """A kind of body.

    Attributes:
        label: the ground truth's label; the easy tier's are names that a model trained on COCO knows.
        tier: `easy` (cup, bottle, bowl, teddy bear, sports ball), `hard` (cube, duck, lego, domino) or `clutter`.
        half: half the sides of its bounding box when it stands upright, metres.
        colour: its own; white leaves a body that brings a texture as it is.
        tumbles: dropped in any orientation, not only turned about the vertical.
    """

    label: str
    tier: str
    half: Vector
    colour: Colour
    tumbles: bool = False

    @property
    def reach(self) -> float:
        """Radius about its middle that holds the body as it is dropped, seen from above, metres."""
        return math.hypot(*(self.half if self.tumbles else self.half[:2]))

    @property
    def lift(self) -> float:
        """Height of its middle that lets it just clear the floor, metres."""
        return self.reach if self.tumbles else self.half[2]


CATALOGUE: tuple[Kind, ...] = (
    Kind("cup", "easy", (0.082, 0.1216, 0.1), (0.78, 0.16, 0.13)),
    Kind("bottle", "easy", (0.055, 0.055, 0.18), (0.10, 0.45, 0.22)),
    Kind("bowl", "easy", (0.15, 0.15, 0.06), (0.88, 0.85, 0.75)),
    Kind("teddy bear", "easy", (0.16, 0.132, 0.196), (0.60, 0.40, 0.22)),
    Kind("sports ball", "easy", (0.12, 0.12, 0.12), _OWN),
    Kind("cube", "hard", (0.09, 0.09, 0.09), (0.22, 0.35, 0.80), tumbles=True),
    Kind("duck", "hard", (0.1407, 0.098, 0.131), _OWN),
    Kind("lego", "hard", (0.0872, 0.0873, 0.0633), (0.85, 0.12, 0.10), tumbles=True),
    Kind("domino", "hard", (0.0635, 0.0159, 0.127), _OWN, tumbles=True),
)
"""The kinds that are ground truth, in the order of their category ids."""

LABELS: tuple[str, ...] = tuple(kind.label for kind in CATALOGUE)

CLUTTER: tuple[Kind, ...] = (
    Kind("block", "clutter", (0.07, 0.05, 0.05), (0.52, 0.50, 0.47), tumbles=True),
    Kind("rod", "clutter", (0.16, 0.02, 0.02), (0.62, 0.45, 0.28)),
    Kind("drum", "clutter", (0.075, 0.075, 0.08), (0.36, 0.42, 0.48)),
    Kind("cone", "clutter", (0.09, 0.09, 0.11), (0.58, 0.40, 0.55)),
)
"""Bodies that are in the way."""


def kinds_of(tier: str) -> tuple[Kind, ...]:
    """The kinds of a tier."""
    return tuple(kind for kind in (*CATALOGUE, *CLUTTER) if kind.tier == tier)


def kind_of(label: str) -> Kind:
    """The kind with that label, clutter included."""
    return next(kind for kind in (*CATALOGUE, *CLUTTER) if kind.label == label)
