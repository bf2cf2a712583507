"""The one home of PyBullet: bringing it in, and a world of bodies that settle and are looked at."""

import contextlib
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from boxscore.errors import InputError
from boxscore.scenes.rendering.bodies import Workshop
from boxscore.scenes.rendering.camera import Camera
from boxscore.scenes.rendering.planned import Light, PlannedBody, Quaternion, Vector
from boxscore.scenes.rendering.shapes import SHAPES

_STEP, _GRAVITY = 1 / 240, -9.81
_AWAY: Vector = (0.0, 0.0, -500.0)
_UPRIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)
_FRICTION = {"lateralFriction": 0.9, "rollingFriction": 0.02, "spinningFriction": 0.02}

Pixels = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Floats = NDArray[np.float64]


def pybullet() -> ModuleType:
    """PyBullet. Raises InputError where it is missing, with how to install it and for which Python there are wheels."""
    with _silent():
        try:
            engine = importlib.import_module("pybullet")
            # Comes with it; were it missing, that must be told here, not in the middle of a scene.
            importlib.import_module("pybullet_data")
        except ImportError as error:
            running = ".".join(str(part) for part in sys.version_info[:2])
            remedy = (
                "pip install 'boxscore[scenes]'"
                if running == "3.11"
                else f"its wheels are for Python 3.11 and this is {running}: make scenes under Python 3.11, with "
                "pip install 'boxscore[scenes]'; what they are used for needs no PyBullet"
            )
            raise InputError(f"rendering scenes needs PyBullet ({error}); {remedy}") from None
    return engine


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Without what C code writes to standard error: PyBullet greets with the date of its build."""
    if "pybullet" in sys.modules:
        yield
        return
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error to keep clean
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)


class World:
    """An empty world with a floor that is felt and not seen; closed at the end of its `with` block.

    Each scene has a world of its own, so nothing of one scene can reach another.
    """

    def __init__(self) -> None:
        self._engine = pybullet()
        data = Path(importlib.import_module("pybullet_data").getDataPath())
        self._folder = tempfile.TemporaryDirectory(prefix="boxscore-scene-")
        self._workshop = Workshop(data, Path(self._folder.name))
        self._client = {"physicsClientId": self._engine.connect(self._engine.DIRECT)}
        self._poses: dict[int, tuple[Vector, Quaternion]] = {}
        self._engine.setPhysicsEngineParameter(
            fixedTimeStep=_STEP,
            numSolverIterations=50,
            numSubSteps=0,
            deterministicOverlappingPairs=1,
            # Files written here have a new name in each world: what is kept of them would only grow.
            enableFileCaching=0,
            **self._client,
        )
        self._engine.setGravity(0, 0, _GRAVITY, **self._client)
        self._lay_floor()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._engine.disconnect(**self._client)
        self._folder.cleanup()

    def drop(self, body: PlannedBody) -> int:
        """Add a planned body where it is dropped; the number it has in masks."""
        engine = self._engine
        form = self._workshop.felt(body)
        felt = engine.createCollisionShape(**{**form, "shapeType": getattr(engine, form["shapeType"])}, **self._client)
        seen = engine.createVisualShape(engine.GEOM_MESH, **self._workshop.seen(body), **self._client)
        number = self._add(SHAPES[body.label].mass, felt, seen, body.position, body.orientation)
        engine.changeDynamics(number, -1, restitution=0.0, **_FRICTION, **self._client)
        if body.texture is not None:
            texture = engine.loadTexture(self._workshop.painted(body.texture, body.name), **self._client)
            engine.changeVisualShape(number, -1, textureUniqueId=texture, **self._client)
        return number

    def stand(self, size: Vector, middle: Vector, turn: Quaternion, colour: Vector) -> int:
        """Add a board that nothing moves; the number it has in masks."""
        half = [side / 2 for side in size]
        seen = self._engine.createVisualShape(
            self._engine.GEOM_BOX, halfExtents=half, rgbaColor=[*colour, 1], **self._client
        )
        return self._add(0.0, -1, seen, middle, turn)

    def settle(self, steps: int) -> None:
        """Let time pass: steps of 1/240 s."""
        for _ in range(steps):
            self._engine.stepSimulation(**self._client)
        for number in self._poses:
            self._poses[number] = self._engine.getBasePositionAndOrientation(number, **self._client)

    def middle(self, number: int) -> Vector:
        """Where the middle of a body is, after settling."""
        return self._poses[number][0]

    def corners(self, number: int, body: PlannedBody) -> Floats:
        """Corners, (8, 3), of the box round a body along the world's axes, metres."""
        points = self._workshop.points(body)
        middle, turn = self._poses[number]
        matrix = np.array(self._engine.getMatrixFromQuaternion(turn)).reshape(3, 3)
        ends = []
        for axis in range(3):
            across = sum(points[:, other] * matrix[axis, other] for other in range(3)) + middle[axis]
            ends.append((across.min(), across.max()))
        return np.array([[x, y, z] for x in ends[0] for y in ends[1] for z in ends[2]])

    @contextlib.contextmanager
    def empty(self) -> Iterator[None]:
        """With all bodies out of sight."""
        self._move(dict.fromkeys(self._poses, (_AWAY, _UPRIGHT)))
        try:
            yield
        finally:
            self._move(self._poses)

    @contextlib.contextmanager
    def only(self, number: int) -> Iterator[None]:
        """Within `empty`: with that body alone in sight."""
        self._move({number: self._poses[number]})
        try:
            yield
        finally:
            self._move({number: (_AWAY, _UPRIGHT)})

    def look(self, camera: Camera, light: Light, ambient: float) -> tuple[Pixels, Numbers]:
        """The bodies as the camera sees them: (height, width, 3), and the number seen at each pixel, -1 for none."""
        _, _, colours, _, numbers = self._engine.getCameraImage(
            *(camera.width, camera.height, camera.view(), camera.projection()),
            lightDirection=light.direction,
            lightColor=light.colour,
            lightDistance=10.0,
            shadow=0,
            lightAmbientCoeff=ambient,
            lightDiffuseCoeff=light.diffuse,
            lightSpecularCoeff=light.specular,
            renderer=self._engine.ER_TINY_RENDERER,
            **self._client,
        )
        size = (camera.height, camera.width)
        picture = np.asarray(colours, dtype=np.uint8).reshape(*size, 4)[:, :, :3]
        return picture, np.asarray(numbers, dtype=np.int32).reshape(size)

    def _lay_floor(self) -> None:
        """A floor without a look of its own would be drawn as a chessboard: it gets a speck out of sight."""
        engine = self._engine
        felt = engine.createCollisionShape(
            engine.GEOM_BOX, halfExtents=[20, 20, 1], collisionFramePosition=[0, 0, -1], **self._client
        )
        seen = engine.createVisualShape(engine.GEOM_SPHERE, radius=1e-6, visualFramePosition=_AWAY, **self._client)
        engine.createMultiBody(0, felt, seen, **self._client)

    def _move(self, poses: dict[int, tuple[Vector, Quaternion]]) -> None:
        for number, (position, turn) in poses.items():
            self._engine.resetBasePositionAndOrientation(number, position, turn, **self._client)

    def _add(self, mass: float, felt: int, seen: int, position: Vector, turn: Quaternion) -> int:
        number: int = self._engine.createMultiBody(mass, felt, seen, position, turn, **self._client)
        self._poses[number] = (position, turn)
        return number
