"""Sets of rendered scenes in folders: pictures, ground truth, metadata and manifest.

    generate(Asked(count=100, seed=0), "scenes", processes=2)

`docs/scenes.md` tells what is in them. Needs PyBullet (`pip install 'boxscore[scenes]'`).
"""

from boxscore.scenes.generating.asked import Asked, scenes_of
from boxscore.scenes.generating.generate import Generated, generate
from boxscore.scenes.generating.schedule import Schedule
from boxscore.scenes.rendering.seen import BOXES

__all__ = ["BOXES", "Asked", "Generated", "Schedule", "generate", "scenes_of"]
