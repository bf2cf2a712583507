"""Ground truth from masks: what each object shows, and what it would show if nothing stood before it."""

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering.camera import Camera
from boxscore.scenes.rendering.engine import World
from boxscore.scenes.rendering.planned import Light, PlannedBody
from boxscore.scenes.rendering.rendered import Box, SeenObject

Boxes = Literal["mask", "projected"]
"""Where the ground truth's boxes come from: the visible pixels, or (the older way) the corners of a 3-D box."""
BOXES: tuple[Boxes, ...] = get_args(Boxes)
Numbers = NDArray[np.int32]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


def box_of(mask: Mask) -> Box | None:
    """The smallest box round the pixels of a mask, or None of an empty one."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    top, left = float(rows[0]), float(columns[0])
    return (left, top, float(columns[-1]) + 1 - left, float(rows[-1]) + 1 - top)


def seen_object(
    world: World,
    number: int,
    object_id: int,
    body: PlannedBody,
    camera: Camera,
    light: Light,
    visible: Mask,
    *,
    min_visibility: float,
    boxes: Boxes,
) -> SeenObject | None:
    """The object as the picture shows it, or None when it lies wholly outside; within `world.empty()`.

    `visible`: the pixels at which the picture shows it.
    """
    alone = _alone(world, number, camera, light) | visible
    full_box = box_of(alone)
    if full_box is None:
        return None
    corners = world.corners(number, body)
    whole_box, full_area = _whole(world, number, camera, light, alone, full_box, corners)
    pixels = int(np.count_nonzero(visible))
    fraction = pixels / full_area
    around = _clipped(camera.project(corners), camera) or full_box
    shown = box_of(visible) or full_box
    middle = world.middle(number)
    return SeenObject(
        object_id=object_id,
        name=body.name,
        label=body.label,
        tier=body.tier,
        box=shown if boxes == "mask" else around,
        full_box=full_box,
        whole_box=whole_box,
        aabb_box=around,
        pixel_area=pixels,
        full_area=full_area,
        visible_fraction=round(fraction, 6),
        distance=round(math.dist(middle, camera.eye), 4),
        ignore=not pixels or fraction < min_visibility,
        truncated=whole_box != full_box,
        scale=body.scale,
        texture=body.texture.pattern if body.texture else "own",
    )


def _alone(world: World, number: int, camera: Camera, light: Light) -> Mask:
    with world.only(number):
        _, numbers = world.look(camera, light, 1.0)
    return np.asarray(numbers == number)


def _whole(
    world: World, number: int, camera: Camera, light: Light, alone: Mask, inside: Box, corners: Floats
) -> tuple[Box, int]:
    """Box and pixels beyond the picture's edges too.

    That takes a second look, at a picture up to five times as wide and high, where the mask meets an edge. Of an
    object that reaches behind the camera, what lies within the picture is all that is measured.
    """
    edges = (alone[0], alone[-1], alone[:, 0], alone[:, -1])
    at = camera.project(corners)
    if not any(edge.any() for edge in edges) or at[:, 2].min() <= 0:
        return inside, int(np.count_nonzero(alone))
    beyond = [-at[:, 0].min(), at[:, 0].max() - camera.width, -at[:, 1].min(), at[:, 1].max() - camera.height]
    across, along = (
        min(max(0, math.ceil(max(pair)) + 2), 2 * side)
        for pair, side in ((beyond[:2], camera.width), (beyond[2:], camera.height))
    )
    wide = _alone(world, number, camera.widened(across, along), light)
    inner = (slice(along, along + camera.height), slice(across, across + camera.width))
    wide[inner] = alone
    left, top, width, height = box_of(wide) or inside
    return (left - across, top - along, width, height), int(np.count_nonzero(wide))


def _clipped(points: Floats, camera: Camera) -> Box | None:
    """The box round projected points, within the picture; None where nothing is left, or a point is behind."""
    if points[:, 2].min() <= 0:
        return None
    left, right = np.clip([points[:, 0].min(), points[:, 0].max()], 0, camera.width).tolist()
    top, bottom = np.clip([points[:, 1].min(), points[:, 1].max()], 0, camera.height).tolist()
    if right <= left or bottom <= top:
        return None
    return (round(left, 3), round(top, 3), round(right - left, 3), round(bottom - top, 3))
