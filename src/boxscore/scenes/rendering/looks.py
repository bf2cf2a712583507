"""Colours, patterns, light and surroundings: plain, or drawn where randomisation asks for it."""

import colorsys
import math
from collections.abc import Sequence

from boxscore.scenes.rendering.catalogue import Kind
from boxscore.scenes.rendering.draws import Draws, Part
from boxscore.scenes.rendering.planned import Colour, Light, Surroundings, Texture
from boxscore.scenes.rendering.randomisation import Randomisation

PATTERNS = ("checks", "stripes", "dots", "clouds")

_LIGHT = Light((0.45, -0.35, 0.82), (1.0, 1.0, 1.0), 0.4, 0.05, shadow=True)
_SURROUNDINGS = Surroundings(
    Texture("clouds", ((0.62, 0.58, 0.53), (0.70, 0.66, 0.60)), 24, 1), (0.80, 0.83, 0.86), (0.55, 0.66, 0.80)
)


def looks_of(own: int, kinds: Sequence[Kind], randomise: Randomisation) -> list[tuple[Colour, Texture | None]]:
    """Colour and pattern of each body of the scene whose seed is `own`."""
    colours, textures = Draws(own, Part.COLOUR), Draws(own, Part.TEXTURES)
    return [
        (
            _vivid(colours) if randomise.colour else kind.colour,
            _texture(textures, (2, 8)) if randomise.textures else None,
        )
        for kind in kinds
    ]


def light_of(draws: Draws | None) -> Light:
    """The plain light, or one drawn: 25 to 80 degrees above the floor, from any side, tinted, mostly with shadows."""
    if draws is None:
        return _LIGHT
    height, side = math.radians(draws.between(25, 80)), math.radians(draws.between(0, 360))
    across = math.cos(height)
    direction = (across * math.cos(side), across * math.sin(side), math.sin(height))
    colour = colorsys.hsv_to_rgb(draws.share(), draws.between(0.0, 0.35), 1.0)
    strength, gloss = draws.between(0.2, 0.6), draws.between(0.0, 0.4)
    return Light(direction, _rounded(colour), strength, gloss, shadow=draws.share() < 0.8)


def surroundings_of(draws: Draws | None) -> Surroundings:
    """The plain floor and sky, or drawn ones."""
    if draws is None:
        return _SURROUNDINGS
    floor = _texture(draws, (4, 60))
    return Surroundings(floor, _muted(draws), _muted(draws))


def _texture(draws: Draws, cells: tuple[int, int]) -> Texture:
    colours = (_vivid(draws), _vivid(draws))
    return Texture(draws.one_of(PATTERNS), colours, draws.whole(*cells), draws.whole(0, 2**31 - 1))


def _vivid(draws: Draws) -> Colour:
    return _rounded(colorsys.hsv_to_rgb(draws.share(), draws.between(0.3, 1.0), draws.between(0.35, 1.0)))


def _muted(draws: Draws) -> Colour:
    return _rounded(colorsys.hsv_to_rgb(draws.share(), draws.between(0.0, 0.4), draws.between(0.3, 1.0)))


def _rounded(colour: Colour) -> Colour:
    red, green, blue = (round(part, 4) for part in colour)
    return (red, green, blue)
