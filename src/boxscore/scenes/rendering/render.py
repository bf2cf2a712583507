"""From a plan to a picture with its ground truth."""

import math
from dataclasses import replace

import numpy as np

from boxscore.scenes.checks import check_between, refuse
from boxscore.scenes.rendering.camera import Camera, camera_of
from boxscore.scenes.rendering.engine import World, pybullet
from boxscore.scenes.rendering.planned import Light, Occluder, ScenePlan, Vector
from boxscore.scenes.rendering.rendered import RenderedScene
from boxscore.scenes.rendering.seen import BOXES, Boxes, seen_object
from boxscore.scenes.rendering.sensor import exposed
from boxscore.scenes.rendering.surroundings import behind, unit

SETTLING = 60
"""Steps of 1/240 s before the picture is taken."""
_VERSION = "1"


def version() -> str:
    """Of the generator; raised whenever the same plan would give other pixels."""
    return _VERSION


def check_available() -> None:
    """Raise InputError unless PyBullet can be imported here; the message says how to install it, and where it runs."""
    pybullet()


def render_scene(plan: ScenePlan, *, min_visibility: float = 0.25, boxes: Boxes = "mask") -> RenderedScene:
    """Settle the plan's bodies and render them: the same plan gives the same bytes, in any process and any order.

    Objects of which less than `min_visibility` can be seen are marked `ignore`. `boxes`: around the visible pixels
    (`mask`), or around the projected 3-D bounding boxes (`projected`).

    Raises InputError for another option, and where PyBullet is missing.
    """
    check_between("render_scene", {"min_visibility": min_visibility}, 0, 1)
    if boxes not in BOXES:
        raise refuse("boxes", boxes, f"give {' or '.join(BOXES)}")
    camera = camera_of(plan)
    light = _shining(plan)
    with World() as world:
        numbers = [world.drop(body) for body in plan.objects]
        for body in plan.clutter:
            world.drop(body)
        world.settle(SETTLING)
        for board in plan.occluders:
            _stand(world, board, world.middle(numbers[board.target]), camera)
        bodies, found = world.look(camera, light, plan.ambient)
        colours = np.where((found >= 0)[:, :, None], bodies / 255.0, behind(world, camera, plan, light))
        mask = np.full(found.shape, -1, dtype=np.int32)
        for object_id, number in enumerate(numbers):
            mask[found == number] = object_id
        with world.empty():
            seen = [
                seen_object(
                    *(world, number, object_id, body, camera, light, mask == object_id),
                    min_visibility=min_visibility,
                    boxes=boxes,
                )
                for object_id, (number, body) in enumerate(zip(numbers, plan.objects, strict=True))
            ]
    return RenderedScene(plan, exposed(colours, plan), tuple(one for one in seen if one is not None), mask)


def _shining(plan: ScenePlan) -> Light:
    """The plan's light as it shines: the lamp is dimmed with the room, or a dark scene would be lit like a stage."""
    light = unit(plan.light)
    return replace(light, diffuse=light.diffuse * (0.1 + plan.ambient))


def _stand(world: World, board: Occluder, target: Vector, camera: Camera) -> None:
    """Put a board before the object as it has settled, facing the camera."""
    x, y = camera.eye[0] - target[0], camera.eye[1] - target[1]
    length = math.hypot(x, y)
    x, y = x / length, y / length
    middle = (
        target[0] + x * board.along - y * board.across,
        target[1] + y * board.along + x * board.across,
        board.size[2] / 2,
    )
    # The board's width lies along its own x axis, which must be across the line to the camera.
    half = math.atan2(x, -y) / 2
    world.stand(board.size, middle, (0.0, 0.0, math.sin(half), math.cos(half)), board.colour)
