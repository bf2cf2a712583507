"""What a rendered scene is: the picture, the mask, and the objects as the mask shows them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering.planned import Scalar, ScenePlan

Box = tuple[float, float, float, float]
"""x, y, w, h in pixels, top-left origin; the pixel in the top left corner spans 0 to 1."""


@dataclass(frozen=True)
class SeenObject:
    """One object of a scene that lies in the picture, at least in part.

    Attributes:
        object_id: its number among the plan's objects, from 0; also its value in the mask.
        name, label, tier: as planned.
        box: ground truth. From the mask: around the visible pixels; `full_box` where none is visible (then `ignore`).
            With boxes by projection: around the projected corners of the object's 3-D bounding box, clipped.
        full_box: around all pixels that the object would have if nothing stood before it, within the picture.
        whole_box: the same, also beyond the picture's edges: x and y may be negative.
        aabb_box: the older way, for comparison: around the projected corners of the 3-D bounding box, clipped.
        pixel_area: visible pixels.
        full_area: pixels that the object would have if nothing stood before it, also beyond the picture's edges.
        visible_fraction: pixel_area / full_area, 0 to 1: what hides it and what the edges cut off both count.
        distance: camera to the middle of the object's 3-D bounding box, metres.
        ignore: visible_fraction is below the least visibility asked for.
        truncated: the object goes beyond the picture's edges.
        scale: factor to its kind's own size.
        texture: name of the pattern on it, or `own`.
    """

    object_id: int
    name: str
    label: str
    tier: str
    box: Box
    full_box: Box
    whole_box: Box
    aabb_box: Box
    pixel_area: int
    full_area: int
    visible_fraction: float
    distance: float
    ignore: bool
    truncated: bool
    scale: float = 1.0
    texture: str = "own"


@dataclass(frozen=True, eq=False)
class RenderedScene:
    """A scene with its picture.

    Attributes:
        plan: what was rendered.
        picture: uint8, (height, width, 3), RGB.
        objects: those that lie in the picture at least in part, by object_id. Objects wholly outside, which nobody
            could find, are in `plan.objects` alone.
        mask: int32, (height, width): object_id of the object seen at the pixel, -1 for all else.
    """

    plan: ScenePlan
    picture: NDArray[np.uint8]
    objects: tuple[SeenObject, ...]
    mask: NDArray[np.int32]

    def metadata(self) -> dict[str, Scalar]:
        """The plan's columns, and how many of its objects are in view (`num_visible`: those that are not ignored)."""
        visible = sum(not one.ignore for one in self.objects)
        return {**self.plan.metadata(), "num_visible": visible, "num_ignored": len(self.objects) - visible}
