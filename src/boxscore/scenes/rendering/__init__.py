"""Scenes made to order: planned from a seed, settled by physics, rendered with ground truth from the pixels.

    counts = profile_counts(100)
    plan = plan_scene(seed=1, index=17, profile=profile_of(17, counts))
    scene = render_scene(plan)

Planning needs NumPy alone; rendering needs PyBullet (`pip install 'boxscore[scenes]'`).
"""

from boxscore.scenes.rendering.catalogue import CATALOGUE, LABELS, Kind
from boxscore.scenes.rendering.plan import plan_scene
from boxscore.scenes.rendering.planned import PlanOptions, ScenePlan
from boxscore.scenes.rendering.profiles import PROFILES, Profile, profile_counts, profile_named, profile_of
from boxscore.scenes.rendering.randomisation import Randomisation
from boxscore.scenes.rendering.render import check_available, render_scene, version
from boxscore.scenes.rendering.rendered import RenderedScene, SeenObject

__all__ = [
    "CATALOGUE",
    "LABELS",
    "PROFILES",
    "Kind",
    "PlanOptions",
    "Profile",
    "Randomisation",
    "RenderedScene",
    "ScenePlan",
    "SeenObject",
    "check_available",
    "plan_scene",
    "profile_counts",
    "profile_named",
    "profile_of",
    "render_scene",
    "version",
]
