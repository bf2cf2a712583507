"""Patterns as pixels. They repeat seamlessly, so that they can cover a floor."""

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering.draws import Draws, Part
from boxscore.scenes.rendering.planned import Texture

Floats = NDArray[np.float64]


def pixels(texture: Texture, side: int) -> Floats:
    """The pattern, (side, side, 3), 0 to 1."""
    share = _SHARES[texture.pattern](texture, side)[:, :, None]
    first, second = (np.array(colour) for colour in texture.colours)
    return first * (1 - share) + second * share


def _checks(texture: Texture, side: int) -> Floats:
    cell = _cells(texture, side)
    return ((cell[:, None] + cell[None, :]) % 2).astype(np.float64)


def _stripes(texture: Texture, side: int) -> Floats:
    return np.broadcast_to((_cells(texture, side) % 2)[:, None].astype(np.float64), (side, side))


def _dots(texture: Texture, side: int) -> Floats:
    within = (np.arange(side) + 0.5) * texture.cells / side % 1.0 - 0.5
    return (within[:, None] ** 2 + within[None, :] ** 2 < 0.09).astype(np.float64)


def _clouds(texture: Texture, side: int) -> Floats:
    """Smooth noise of two scales: random values at the corners of the cells, and of cells half as large, blended."""
    draws = Draws(texture.seed, Part.TEXTURES)
    coarse, fine = (_smooth(draws, texture.cells * factor, side) for factor in (1, 2))
    return (2 * coarse + fine) / 3


def _smooth(draws: Draws, cells: int, side: int) -> Floats:
    corners = (draws.raw(cells * cells) >> np.uint64(11)).astype(np.float64).reshape(cells, cells) * 2.0**-53
    at = np.arange(side) * (cells / side)
    low = at.astype(np.int64)
    part = at - low
    weight = part * part * (3 - 2 * part)
    low, high = low % cells, (low + 1) % cells
    rows: Floats = corners[low] * (1 - weight)[:, None] + corners[high] * weight[:, None]
    found: Floats = rows[:, low] * (1 - weight) + rows[:, high] * weight
    return found


def _cells(texture: Texture, side: int) -> NDArray[np.int64]:
    """Number of the cell of each pixel along a side; an even number of them, or the pattern would not repeat."""
    cells = texture.cells + texture.cells % 2
    return (np.arange(side) * cells) // side


_SHARES = {"checks": _checks, "clouds": _clouds, "dots": _dots, "stripes": _stripes}
