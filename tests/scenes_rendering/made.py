"""Scenes that several tests look at, rendered once, and plans made by hand."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from boxscore.scenes.rendering import Randomisation, RenderedScene, ScenePlan, plan_scene, render_scene
from boxscore.scenes.rendering.catalogue import kind_of
from boxscore.scenes.rendering.planned import PlannedBody, PlanOptions, Vector

NAMES = ("baseline", "crowded", "dark", "far", "occluded", "steep")


@cache
def scene(profile: str, index: int = 0, randomise: str = "none") -> RenderedScene:
    """Scene `index` of seed 11."""
    options = PlanOptions(randomise=Randomisation.parse(randomise))
    return render_scene(plan_scene(11, index, profile, options))


def body(label: str, x: float, y: float, number: int = 0) -> PlannedBody:
    """A body that already stands on the floor, so that it stays where it is."""
    kind = kind_of(label)
    position: Vector = (x, y, kind.half[2])
    return PlannedBody(f"{label}_{number}", label, kind.tier, position, (0.0, 0.0, 0.0, 1.0), 1.0, kind.colour, None)


def by_hand(bodies: Sequence[PlannedBody]) -> ScenePlan:
    """A plan of these objects, seen from 2.5 metres, 30 degrees above the floor, from -y."""
    plan = plan_scene(0, 0, "baseline")
    bare = replace(plan, objects=tuple(bodies), clutter=(), occluders=())
    return replace(bare, distance=2.5, pitch=-30.0, yaw=0.0, ambient=0.7)
