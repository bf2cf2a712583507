"""The scenes of the demonstration: rendered, or where nothing can render them, simulated boxes without pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Row = dict[str, Any]
    Told = Callable[[int, int], None]

FOLDER, TRUTH = "scenes", "ground_truth.json"

DARK = "dark"
"""The profile whose scenes a fault degrades."""

LEAST, MOST = 10, 200
"""Scenes: every tenth picture is lost in one of the faults, one scene must be dark, and each is a slice of the gate."""


@dataclass(frozen=True)
class Scenes:
    """Scenes in files.

    - `ground_truth`: the COCO file, `content` what it holds: images bear `profile` and `ambient_light`.
    - `pictures`: their folder; None where scenes were simulated.
    - `without`: why there are no pictures, in words; None where there are.
    """

    ground_truth: Path
    content: Row
    pictures: Path | None
    without: str | None = None

    @property
    def images(self) -> list[Row]:
        """COCO's rows of the images, in order of their ids."""
        found: list[Row] = sorted(self.content["images"], key=lambda row: row["id"])
        return found

    @property
    def profiles(self) -> dict[str, int]:
        """How many scenes each profile has."""
        found: dict[str, int] = {}
        for row in self.images:
            found[row["profile"]] = found.get(row["profile"], 0) + 1
        return found

    def names_of(self, profile: str) -> list[str]:
        """File names of a profile's pictures."""
        return [row["file_name"] for row in self.images if row["profile"] == profile]

    @property
    def made_by(self) -> str:
        """What made them, in words."""
        return "rendered" if self.without is None else f"simulated, boxes without pictures ({self.without})"


def check_images(count: int) -> None:
    """Raises InputError for fewer scenes than LEAST, or more than MOST."""
    if not LEAST <= count <= MOST:
        raise InputError(
            f"--images {count}: the faults take {LEAST} to {MOST} scenes (one in ten is lost, one must be dark, and "
            "the gate has a check for each)"
        )


def why_not_rendered(*, simulated: bool = False) -> str | None:
    """Why there will be no pictures, in words (`simulated`: none are wanted); None where there will."""
    from boxscore.scenes.rendering import check_available

    if simulated:
        return "as asked"
    try:
        check_available()
    except InputError as error:
        return str(error)
    return None


def make_scenes(
    folder: Path, count: int, seed: int, *, without: str | None = None, processes: int = 2, told: Told | None = None
) -> Scenes:
    """Render scenes into `folder / "scenes"`; where `without` says why not, simulate boxes without pictures.

    Raises InputError as the generator does.
    """
    if without is not None:
        return _simulated(folder / FOLDER, count, seed, without)
    from boxscore.scenes.generating import Asked, generate

    made = generate(Asked(count=count, seed=seed), folder / FOLDER, processes=processes, told=told)
    return Scenes(made.ground_truth, json.loads(made.ground_truth.read_text(encoding="utf-8")), made.images)


def _simulated(folder: Path, count: int, seed: int, without: str) -> Scenes:
    """Scenes of the same profiles, light and labels, whose objects the simulator draws."""
    from boxscore.model.whole_files import write_text
    from boxscore.scenes import SceneSpec, SizeComponent, as_coco_ground_truth, simulate_ground_truth
    from boxscore.scenes.rendering import LABELS, plan_scene, profile_counts, profile_of

    spec = SceneSpec(
        images=count,
        labels=LABELS,
        label_skew=0.0,
        objects_per_image=4.0,
        density_spread=0.3,
        sizes=(SizeComponent(1.0, 40.0, 0.4),),
        image_sizes=((640, 480),),
        crowd_rate=0.0,
        clip_length=1,
    )
    content = as_coco_ground_truth(simulate_ground_truth(spec, seed))
    counts = profile_counts(count)
    for index, row in enumerate(content["images"]):
        plan = plan_scene(seed, index, profile_of(index, counts))
        row |= {"profile": plan.profile, "ambient_light": plan.ambient, "camera_distance": plan.distance}
        del row["clip"]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / TRUTH
    write_text(path, json.dumps(content) + "\n")
    return Scenes(path, content, None, without)
