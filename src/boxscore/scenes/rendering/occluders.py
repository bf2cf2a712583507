"""Boards between objects and the camera."""

import math
from collections.abc import Sequence

from boxscore.scenes.rendering.catalogue import kind_of
from boxscore.scenes.rendering.draws import Draws
from boxscore.scenes.rendering.planned import Colour, Occluder, PlannedBody

_THICKNESS = 0.03
_COLOURS: tuple[Colour, ...] = ((0.45, 0.33, 0.22), (0.30, 0.34, 0.38), (0.62, 0.58, 0.50), (0.28, 0.38, 0.30))


def occluders_of(draws: Draws, objects: Sequence[PlannedBody], pitch: float) -> tuple[Occluder, ...]:
    """A board for the first object, and for each of the others with even chance.

    It hides 30 to 80 % of the object's height from a camera that looks down at `pitch` degrees (a board further off
    must be higher by the slope of that line), and 50 to 100 % of its width, from one side.
    """
    found = []
    for target, body in enumerate(objects):
        if target and draws.share() < 0.5:
            continue
        kind = kind_of(body.label)
        reach, height = kind.reach * body.scale, 2 * min(kind.lift, kind.half[2]) * body.scale
        along = reach + draws.between(0.06, 0.25)
        top = along * math.tan(math.radians(-pitch)) + height * draws.between(0.3, 0.8)
        width = 2 * reach * draws.between(0.5, 1.0)
        side = draws.one_of((-1.0, 1.0))
        across = side * (reach - width / 2)
        size = (round(width, 4), _THICKNESS, round(top, 4))
        found.append(Occluder(target, round(along, 4), round(across, 4), size, draws.one_of(_COLOURS)))
    return tuple(found)
