"""A renderer that needs no PyBullet: pictures of flat rectangles, at once. What it shows depends on the plan alone."""

import os
import signal
import time

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.rendering import RenderedScene, ScenePlan, SeenObject
from boxscore.scenes.rendering.seen import Boxes


def render(plan: ScenePlan, *, min_visibility: float, boxes: Boxes) -> RenderedScene:
    """Each object is a rectangle; nearer ones, which come later, cover it."""
    mask = np.full((plan.height, plan.width), -1, dtype=np.int32)
    whole: list[NDArray[np.bool_]] = []
    for number, body in enumerate(plan.objects):
        shown = np.zeros(mask.shape, dtype=np.bool_)
        side = max(2, int(40 / plan.distance))
        left = int((body.position[0] + 1) / 2 * (plan.width - side))
        top = int((body.position[1] + 1) / 2 * (plan.height - side))
        shown[max(top, 0) : top + side, max(left, 0) : left + side] = True
        mask[shown] = number
        whole.append(shown)
    picture = np.full((*mask.shape, 3), int(255 * plan.ambient), dtype=np.uint8)
    picture[mask >= 0] = [plan.scene_seed % 256, 200, 10]
    seen = [_seen(plan, n, mask == n, shown, min_visibility, boxes) for n, shown in enumerate(whole) if shown.any()]
    return RenderedScene(plan, picture, tuple(seen), mask)


def slow(plan: ScenePlan, *, min_visibility: float, boxes: Boxes) -> RenderedScene:
    """The same, slow enough to be killed while it is at it."""
    time.sleep(0.05)
    return render(plan, min_visibility=min_visibility, boxes=boxes)


def dying(plan: ScenePlan, *, min_visibility: float, boxes: Boxes) -> RenderedScene:
    """The same, but scene 3 takes its process with it."""
    if plan.index == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return render(plan, min_visibility=min_visibility, boxes=boxes)


def _seen(
    plan: ScenePlan,
    number: int,
    visible: NDArray[np.bool_],
    shown: NDArray[np.bool_],
    least: float,
    boxes: Boxes,
) -> SeenObject:
    body = plan.objects[number]
    share = float(visible.sum() / shown.sum())
    full = _around(shown)
    loose = (full[0] - 1, full[1] - 1, full[2] + 2, full[3] + 2)
    return SeenObject(
        object_id=number,
        name=body.name,
        label=body.label,
        tier=body.tier,
        box=loose if boxes == "projected" else _around(visible) if visible.any() else full,
        full_box=full,
        whole_box=full,
        aabb_box=loose,
        pixel_area=int(visible.sum()),
        full_area=int(shown.sum()),
        visible_fraction=round(share, 4),
        distance=plan.distance,
        ignore=share < least,
        truncated=False,
    )


def _around(shown: NDArray[np.bool_]) -> tuple[float, float, float, float]:
    rows, columns = (np.flatnonzero(shown.any(axis=axis)).tolist() for axis in (1, 0))
    return float(columns[0]), float(rows[0]), float(columns[-1] - columns[0] + 1), float(rows[-1] - rows[0] + 1)
