"""Meshes made here: bodies turned on a lathe, and files without texture coordinates, given some.

A mesh is arrays of one vertex a row; three indices make a triangle, counter-clockwise seen from outside.
"""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering.planned import Vector
from boxscore.scenes.rendering.shapes import Profile

_SIDES = 40

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Mesh:
    """vertices (n, 3), metres about the middle of the bounding box; normals (n, 3); uv (n, 2); indices (3 * m,)."""

    vertices: Floats
    normals: Floats
    uv: Floats
    indices: NDArray[np.int64]


@cache
def turned(profile: Profile) -> Mesh:
    """The body whose outline is `profile`; each piece of the outline has normals of its own, so that edges stay sharp.

    The texture goes once round the body, and once up its outline.
    """
    outline = np.array(profile)
    outline[:, 1] -= (outline[:, 1].min() + outline[:, 1].max()) / 2
    steps = np.diff(outline, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    outward = np.stack([steps[:, 1], -steps[:, 0]], axis=1) / lengths[:, None]
    along = np.concatenate([[0.0], np.cumsum(lengths)]) / lengths.sum()
    angles = [2 * math.pi * side / _SIDES for side in range(_SIDES + 1)]
    cosine, sine = np.array([math.cos(a) for a in angles]), np.array([math.sin(a) for a in angles])
    round_ = np.arange(_SIDES + 1) / _SIDES
    vertices, normals, uv, indices = [], [], [], []
    for piece in range(len(steps)):
        for end in (piece, piece + 1):
            radius, height = outline[end]
            vertices.append(np.stack([radius * cosine, radius * sine, np.full_like(cosine, height)], axis=1))
            level = np.full_like(cosine, outward[piece, 1])
            normals.append(np.stack([outward[piece, 0] * cosine, outward[piece, 0] * sine, level], axis=1))
            uv.append(np.stack([round_, np.full_like(cosine, along[end])], axis=1))
        low = 2 * piece * (_SIDES + 1) + np.arange(_SIDES)
        high = low + _SIDES + 1
        indices.append(np.stack([low, low + 1, high, high, low + 1, high + 1], axis=1).ravel())
    return Mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(uv), np.concatenate(indices))


@cache
def triangles(path: Path, size: Vector, middle: Vector, *, stand: bool) -> tuple[Floats, NDArray[np.int64]]:
    """Points (n, 3) of a Wavefront file, and triangles of their numbers (m, 3); `stand` as in `wrapped`."""
    points, faces = _read_wavefront(path)
    points = (points - np.array(middle)) * np.array(size)
    if stand:
        points = np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)
    return points, faces


@cache
def wrapped(path: Path, size: Vector, middle: Vector, *, stand: bool) -> Mesh:
    """The triangles of a Wavefront file, with a texture wrapped once round the vertical.

    `stand`: the file's y is up, and becomes z.
    """
    return _wrapped(*triangles(path, size, middle, stand=stand))


@cache
def written(mesh: Mesh) -> str:
    """The mesh as a Wavefront file."""
    lines = []
    for kind, rows in (("v", mesh.vertices), ("vt", mesh.uv), ("vn", mesh.normals)):
        lines += [" ".join((kind, *(f"{part:.7g}" for part in row))) for row in rows.tolist()]
    for face in (mesh.indices.reshape(-1, 3) + 1).tolist():
        lines.append("f " + " ".join(f"{corner}/{corner}/{corner}" for corner in face))
    return "\n".join([*lines, ""])


def _wrapped(points: Floats, faces: NDArray[np.int64]) -> Mesh:
    """Three vertices a triangle; the texture goes once round the vertical, and once from bottom to top."""
    vertices = points[faces].reshape(-1, 3)
    half = float(np.abs(vertices[:, 2]).max())
    angle = np.array([math.atan2(y, x) for x, y in vertices[:, :2].tolist()])
    uv = np.stack([angle / (2 * math.pi) + 0.5, vertices[:, 2] / (2 * half) + 0.5], axis=1)
    return Mesh(vertices, _normals(points, faces), uv, np.arange(len(vertices)))


def _normals(points: Floats, faces: NDArray[np.int64]) -> Floats:
    """A normal for each corner of each triangle, (3 * m, 3): the mean over those that meet there within 60 degrees."""
    corners = points[faces]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = np.cross(first, second)
    flat = areas / np.maximum(np.sqrt((areas * areas).sum(axis=1, keepdims=True)), 1e-12)
    meeting: dict[int, list[int]] = {}
    for face, numbers in enumerate(faces.tolist()):
        for number in numbers:
            meeting.setdefault(number, []).append(face)
    found = np.empty((len(faces), 3, 3))
    for face, numbers in enumerate(faces.tolist()):
        for corner, number in enumerate(numbers):
            near = meeting[number]
            smooth = (flat[near] * flat[face]).sum(axis=1) > 0.5
            found[face, corner] = areas[near][smooth].sum(axis=0) if smooth.any() else flat[face]
    rows: Floats = found.reshape(-1, 3)
    unit: Floats = rows / np.maximum(np.sqrt((rows * rows).sum(axis=1, keepdims=True)), 1e-12)
    return unit


def _read_wavefront(path: Path) -> tuple[Floats, NDArray[np.int64]]:
    """Points (n, 3), and triangles of their numbers (m, 3); faces of more corners are cut into a fan."""
    points, faces = [], []
    for line in path.read_text("utf-8").splitlines():
        kind, *words = line.split() or [""]
        if kind == "v":
            points.append([float(word) for word in words[:3]])
        elif kind == "f":
            corners = [int(word.partition("/")[0]) - 1 for word in words]
            faces += [[corners[0], *corners[at : at + 2]] for at in range(1, len(corners) - 1)]
    return np.array(points), np.array(faces)
