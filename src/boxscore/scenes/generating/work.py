"""Making one scene, by whichever process: each is made by itself, so that who makes it changes nothing."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from boxscore.scenes.generating.folder import save
from boxscore.scenes.generating.records import Record, encoded, file_name, record_of
from boxscore.scenes.rendering import RenderedScene, ScenePlan
from boxscore.scenes.rendering.seen import Boxes


class Renderer(Protocol):
    """What makes a picture of a plan: `render_scene`, or a stand-in. Another process must be able to import it."""

    def __call__(self, plan: ScenePlan, *, min_visibility: float, boxes: Boxes) -> RenderedScene:
        """The scene of a plan."""


@dataclass(frozen=True)
class Work:
    """How to make a scene and where to put it."""

    folder: Path
    count: int
    min_visibility: float
    boxes: Boxes
    renderer: Renderer

    def make(self, plan: ScenePlan) -> Record:
        """Render one scene and save it."""
        scene = self.renderer(plan, min_visibility=self.min_visibility, boxes=self.boxes)
        picture = encoded(scene)
        record = record_of(scene, file_name(plan.index, self.count), picture)
        save(self.folder, record, picture)
        return record
