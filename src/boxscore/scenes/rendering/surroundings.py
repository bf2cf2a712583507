"""Floor, shadows and sky: everything that a pixel shows where no body is.

PyBullet's software renderer has no anti-aliasing, so a patterned floor shimmers, and its shadows leave out bodies of
this size; what lies behind the bodies is therefore drawn here, with the same light.
"""

import math

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering import textures
from boxscore.scenes.rendering.camera import Camera, looking
from boxscore.scenes.rendering.engine import World
from boxscore.scenes.rendering.planned import Light, ScenePlan

_TILE, _SIDE = 3.0, 512
"""The floor's pattern repeats after so many metres, and has so many pixels."""
_LAMP_DISTANCE, _LAMP_RADIUS, _LAMP_PIXELS = 40.0, 1.8, 720

Floats = NDArray[np.float64]


def behind(world: World, camera: Camera, plan: ScenePlan, light: Light) -> Floats:
    """Colours 0 to 1, (height, width, 3), of floor and sky; `light` as it shines in this scene."""
    x, y, z = camera.rays()
    down = np.minimum(z, -1e-6)
    far = -camera.eye[2] / down
    floor_x, floor_y = camera.eye[0] + x * far, camera.eye[1] + y * far
    colours = _floor(plan, floor_x, floor_y, far / camera.focal / np.abs(down) * np.sqrt(x * x + y * y + z * z))
    lit = np.full(z.shape, light.diffuse * light.direction[2])
    if light.shadow:
        lit *= 1.0 - _shadow(world, light, floor_x, floor_y)
    shine = [plan.ambient + lit * part for part in light.colour]
    sky = _sky(plan, z)
    above = z >= -1e-6
    return np.stack([np.where(above, sky[:, :, at], colours[:, :, at] * shine[at]) for at in range(3)], axis=2)


def _floor(plan: ScenePlan, x: Floats, y: Floats, footprint: Floats) -> Floats:
    """The pattern at points of the floor; where a pixel covers `footprint` metres of it, averaged over as many."""
    level = textures.pixels(plan.surroundings.floor, _SIDE)
    found = np.empty((*x.shape, 3))
    texel = _TILE / _SIDE
    u, v = x / _TILE, y / _TILE
    u, v = u - np.floor(u), v - np.floor(v)
    left = np.ones(x.shape, dtype=bool)
    while True:
        side = level.shape[0]
        here = left & (footprint < 1.5 * texel) if side > 1 else left
        rows = np.minimum((v[here] * side).astype(np.int64), side - 1)
        columns = np.minimum((u[here] * side).astype(np.int64), side - 1)
        found[here] = level[rows, columns]
        left &= ~here
        if side == 1 or not left.any():
            return found
        level = (level[::2, ::2] + level[1::2, ::2] + level[::2, 1::2] + level[1::2, 1::2]) / 4
        texel *= 2


def _shadow(world: World, light: Light, x: Floats, y: Floats) -> Floats:
    """How much of the light is kept from points of the floor, 0 to 1: what the lamp itself sees a body at, lies behind
    that body.
    """
    focal = _LAMP_PIXELS / 2 * _LAMP_DISTANCE / _LAMP_RADIUS
    eye = (
        light.direction[0] * _LAMP_DISTANCE,
        light.direction[1] * _LAMP_DISTANCE,
        light.direction[2] * _LAMP_DISTANCE,
    )
    lamp = looking(eye, (0.0, 0.0, 0.0), focal=focal, width=_LAMP_PIXELS, height=_LAMP_PIXELS)
    _, numbers = world.look(lamp, light, 1.0)
    dark = _softened((numbers >= 0).astype(np.float64))
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    at = lamp.project(points)
    column = np.clip(at[:, 0], 0, _LAMP_PIXELS - 1).astype(np.int64)
    row = np.clip(at[:, 1], 0, _LAMP_PIXELS - 1).astype(np.int64)
    return dark[row, column].reshape(x.shape)


def _softened(mask: Floats) -> Floats:
    """Averages over 5 x 5 pixels; nothing beyond the edge."""
    padded = np.pad(mask, 2)
    height, width = mask.shape
    found = np.zeros_like(mask)
    for down in range(5):
        for right in range(5):
            found += padded[down : down + height, right : right + width]
    return found / 25.0


def _sky(plan: ScenePlan, height: Floats) -> Floats:
    """From the colour of the horizon to that of the zenith, no brighter than the room."""
    bright = min(1.0, 0.1 + plan.ambient)
    share = np.clip(height, 0.0, 1.0)[:, :, None]
    horizon, zenith = (np.array(colour) for colour in (plan.surroundings.horizon, plan.surroundings.zenith))
    return (horizon * (1 - share) + zenith * share) * bright


def unit(light: Light) -> Light:
    """The light with a direction of length 1."""
    length = math.hypot(*light.direction)
    x, y, z = (part / length for part in light.direction)
    return Light((x, y, z), light.colour, light.diffuse, light.specular, shadow=light.shadow)
