"""What PyBullet is told to make of a kind of body: arguments for its visual and its collision shapes.

Meshes made here go through files as well: PyBullet never gives back the memory of those that it is handed as lists.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering import textures
from boxscore.scenes.rendering.meshes import Mesh, triangles, turned, wrapped, written
from boxscore.scenes.rendering.planned import PlannedBody, Quaternion, Texture, Vector
from boxscore.scenes.rendering.shapes import SHAPES, Shape

_UPRIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)
_STOOD: Quaternion = (2.0**-0.5, 0.0, 0.0, 2.0**-0.5)
_TEXTURE_SIDE = 128


class Workshop:
    """Makes shapes from the files of `pybullet_data` in folder `data`, and from those that it writes into `folder`."""

    def __init__(self, data: Path, folder: Path) -> None:
        self._data, self._folder = data, folder

    def seen(self, body: PlannedBody) -> dict[str, Any]:
        """Arguments of `createVisualShape`, but for `shapeType`, which is GEOM_MESH."""
        shape = SHAPES[body.label]
        # Under a pattern white, or the colour would be multiplied into the pattern's.
        colour = body.colour if body.texture is None else (1.0, 1.0, 1.0)
        look = {"rgbaColor": [*colour, 1.0]}
        if shape.brings_texture:
            path, size, offset, turn = self._as_it_lies(shape, body.scale)
            return {
                "fileName": path,
                "meshScale": size,
                "visualFramePosition": offset,
                "visualFrameOrientation": turn,
                **look,
            }
        return {"fileName": self._made(body.label), "meshScale": [body.scale] * 3, **look}

    def felt(self, body: PlannedBody) -> dict[str, Any]:
        """Arguments of `createCollisionShape`; `shapeType` is the name of one of PyBullet's constants."""
        shape = SHAPES[body.label]
        half = [side * body.scale for side in shape.felt_half]
        if shape.felt == "hulls":
            path, size, offset, turn = self._as_it_lies(shape, body.scale)
            return {
                "shapeType": "GEOM_MESH",
                "fileName": path,
                "meshScale": size,
                "collisionFramePosition": offset,
                "collisionFrameOrientation": turn,
            }
        if shape.felt == "hull":
            return {"shapeType": "GEOM_MESH", "fileName": self._made(body.label), "meshScale": [body.scale] * 3}
        if shape.felt == "ball":
            return {"shapeType": "GEOM_SPHERE", "radius": half[0]}
        if shape.felt == "drum":
            middle = [part * body.scale for part in shape.felt_middle]
            size_of = {"radius": half[0], "height": 2 * half[2]}
            return {"shapeType": "GEOM_CYLINDER", "collisionFramePosition": middle, **size_of}
        return {"shapeType": "GEOM_BOX", "halfExtents": half}

    def points(self, body: PlannedBody) -> NDArray[np.float64]:
        """Corners of all triangles that are seen, (n, 3), metres about the body's middle, along its own axes."""
        shape = SHAPES[body.label]
        if shape.turned:
            return turned(shape.turned).vertices * body.scale
        # Not of the wrapped mesh: its normals take long, and nothing is drawn with them here.
        points, faces = triangles(self._data / shape.file, shape.size, shape.middle, stand=shape.stands)
        return points[faces].reshape(-1, 3) * body.scale

    def painted(self, texture: Texture, name: str) -> str:
        """Path of a picture of the pattern."""
        from PIL import Image

        pattern = (textures.pixels(texture, _TEXTURE_SIDE) * 255 + 0.5).astype(np.uint8)
        path = self._folder / f"{name}.png"
        Image.fromarray(pattern).save(path)
        return str(path)

    def _as_it_lies(self, shape: Shape, scale: float) -> tuple[str, list[float], Vector, Quaternion]:
        """A file of `pybullet_data`, its size, and the move and the turn that bring it upright to the origin."""
        size = [side * scale for side in shape.size]
        x, y, z = (-middle * side for middle, side in zip(shape.middle, size, strict=True))
        moved = (x, -z, y) if shape.stands else (x, y, z)
        return str(self._data / shape.file), size, moved, _STOOD if shape.stands else _UPRIGHT

    def _made(self, label: str) -> str:
        path = self._folder / f"{label.replace(' ', '_')}.obj"
        if not path.exists():
            path.write_text(written(self._mesh(SHAPES[label])), "utf-8")
        return str(path)

    def _mesh(self, shape: Shape) -> Mesh:
        if shape.turned:
            return turned(shape.turned)
        return wrapped(self._data / shape.file, shape.size, shape.middle, stand=shape.stands)
