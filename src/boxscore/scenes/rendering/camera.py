"""The camera: where it stands, what each pixel looks at, and the matrices that PyBullet takes."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering.planned import ScenePlan, Vector

FIELD_OF_VIEW = 60.0
"""Degrees, from the top of the picture to its bottom."""
_NEAR, _FAR = 0.05, 60.0
_TARGET_HEIGHT = 0.1

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A camera without distortion.

    Attributes:
        eye: metres.
        right, down, forward: unit vectors, the picture's axes.
        focal: pixels.
        width, height: pixels.
    """

    eye: Vector
    right: Vector
    down: Vector
    forward: Vector
    focal: float
    width: int
    height: int

    def widened(self, across: int, along: int) -> "Camera":
        """The same view with that many more pixels at each side, and above and below; the old ones stay as they are."""
        width, height = self.width + 2 * across, self.height + 2 * along
        return Camera(self.eye, self.right, self.down, self.forward, self.focal, width, height)

    def view(self) -> list[float]:
        """The matrix from the world to the camera, column by column, as OpenGL has it."""
        rows = [list(self.right), [-part for part in self.down], [-part for part in self.forward]]
        moved = [-sum(a * b for a, b in zip(row, self.eye, strict=True)) for row in rows]
        return [row[column] for column in range(3) for row in (*rows, [0.0] * 3)] + [*moved, 1.0]

    def projection(self) -> list[float]:
        """The matrix from the camera to the picture, column by column, as OpenGL has it.

        PyBullet's software renderer looks through the corner of a pixel; half a pixel aside, that is its middle.
        """
        depth = _FAR - _NEAR
        matrix = [0.0] * 16
        matrix[0], matrix[5] = 2 * self.focal / self.width, 2 * self.focal / self.height
        matrix[8], matrix[9] = 1 / self.width, 1 / self.height
        matrix[10], matrix[11], matrix[14] = -(_FAR + _NEAR) / depth, -1.0, -2 * _FAR * _NEAR / depth
        return matrix

    def project(self, points: Floats) -> Floats:
        """Pixel coordinates and depth, (n, 3), of points of the world, (n, 3); for depths above 0."""
        offset = points - np.array(self.eye)
        across, along, depth = ((offset * np.array(axis)).sum(axis=1) for axis in (self.right, self.down, self.forward))
        x = self.width / 2 + self.focal * across / depth
        y = self.height / 2 + self.focal * along / depth
        return np.stack([x, y, depth], axis=1)

    def rays(self) -> tuple[Floats, Floats, Floats]:
        """x, y and z of the direction of each pixel's middle, (height, width) each; 1 along `forward`."""
        across = ((np.arange(self.width) + 0.5) - self.width / 2) / self.focal
        along = ((np.arange(self.height) + 0.5) - self.height / 2) / self.focal
        x, y, z = (
            self.forward[axis] + self.right[axis] * across[None, :] + self.down[axis] * along[:, None]
            for axis in range(3)
        )
        return x, y, z


def looking(eye: Vector, target: Vector, *, focal: float, width: int, height: int) -> Camera:
    """A camera that looks at `target`, upright; it must not look straight up or down."""
    forward = _unit(_minus(target, eye))
    right = _unit(_cross(forward, (0.0, 0.0, 1.0)))
    return Camera(eye, right, _cross(forward, right), forward, focal, width, height)


def camera_of(plan: ScenePlan) -> Camera:
    """The plan's camera, round the middle of the scene; pitch -90 would look straight down."""
    yaw, pitch = math.radians(plan.yaw), math.radians(plan.pitch)
    out, up = plan.distance * math.cos(pitch), -plan.distance * math.sin(pitch)
    eye = (out * math.sin(yaw), -out * math.cos(yaw), _TARGET_HEIGHT + up)
    focal = plan.height / 2 / math.tan(math.radians(FIELD_OF_VIEW / 2))
    return looking(eye, (0.0, 0.0, _TARGET_HEIGHT), focal=focal, width=plan.width, height=plan.height)


def _minus(one: Vector, other: Vector) -> Vector:
    return (one[0] - other[0], one[1] - other[1], one[2] - other[2])


def _cross(one: Vector, other: Vector) -> Vector:
    return (
        one[1] * other[2] - one[2] * other[1],
        one[2] * other[0] - one[0] * other[2],
        one[0] * other[1] - one[1] * other[0],
    )


def _unit(vector: Vector) -> Vector:
    length = math.hypot(*vector)
    return (vector[0] / length, vector[1] / length, vector[2] / length)
