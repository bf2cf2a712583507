"""Who looks at the scenes: a model card's model, or the simulator in its place."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from typing import Any

    from boxscore.planted.scenes import Scenes
    from boxscore.predict.card import Card

    Row = dict[str, Any]

STAND_IN_INPUT = (320, 256)
"""Width and height of the input that the stand-in is said to have: a picture of 640 x 480 is halved to 320 x 240, and
padded to the next multiple of a stride of 32."""

_DARKER = 0.1
"""What is left of a degraded picture's light."""
_HARDER = 8.0
"""Standard deviations of difficulty by which a degraded scene is harder for the simulator's detector."""


class Detector(ABC):
    """Something that finds objects. `name` for the story, `simulated` whether it stands in for a model."""

    name: str
    simulated: bool

    @abstractmethod
    def detect(self, scenes: Scenes, folder: Path, degraded: frozenset[str] = frozenset()) -> list[Row]:
        """Rows of COCO's list of results, by file name and label name.

        Pictures of the names in `degraded` are worse than they are: darker for a model, harder for the simulator. What
        the detector needs to write goes into `folder`, which exists.
        """

    @abstractmethod
    def input_size(self) -> tuple[int, int]:
        """Width and height of the input into which pictures are letterboxed, pixels."""


class StandIn(Detector):
    """The simulator looks at the ground truth, and finds, misses and confuses objects as a model would.

    It misses more of what is small (far), hidden, or in the dark.
    """

    simulated = True
    name = "the simulator, standing in for a model (no pictures are looked at; --card CARD takes a model)"

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def detect(self, scenes: Scenes, folder: Path, degraded: frozenset[str] = frozenset()) -> list[Row]:
        """Without files."""
        del folder
        from boxscore.scenes import DetectorSpec, as_coco_results, simulate_detections
        from boxscore.scenes.read_back import read_back

        names = {number: row["file_name"] for number, row in enumerate(scenes.content["images"], 1)}
        ids = {row["id"]: row["file_name"] for row in scenes.content["images"]}
        harder = {image: _HARDER for image, name in ids.items() if name in degraded}
        labels = [row["name"] for row in scenes.content["categories"]]
        spec = DetectorSpec(
            recall=0.96,
            size_effect=0.5,
            difficulty_effect=0.5,
            hardness_effect=0.4,
            shift=0.025,
            stretch=0.04,
            pixel_noise=0.3,
            background_rate=3.0,
            separation=2.4,
        )
        found = simulate_detections(read_back(scenes.content, self._seed, harder), spec, self._seed)
        return [
            {
                "image_id": names[row["image_id"]],
                "category_name": labels[row["category_id"] - 1],
                "bbox": row["bbox"],
                "score": row["score"],
            }
            for row in as_coco_results(found)
        ]

    def input_size(self) -> tuple[int, int]:
        """That of a detector with a stride of 32."""
        return STAND_IN_INPUT


class CardDetector(Detector):
    """The model of a card, on the pictures."""

    simulated = False

    def __init__(self, card: Card) -> None:
        self._card = card
        self.name = f"the card {card.name}"

    def detect(self, scenes: Scenes, folder: Path, degraded: frozenset[str] = frozenset()) -> list[Row]:
        """By `predict`, on all pictures, or on the degraded ones alone, the others' detections being as they were."""
        from boxscore.predict.run import predict

        if scenes.pictures is None:
            raise InputError(f"a model card looks at pictures, and there are none: {scenes.without}")
        if not degraded:
            return self._labelled(scenes, predict(self._card, scenes.pictures, folder / "detected.json").out)
        made = folder / "pictures"
        made.mkdir(exist_ok=True)
        for name in sorted(degraded):
            _darken(scenes.pictures / name, made / name)
        return self._labelled(scenes, predict(self._card, made, folder / "detected.json").out)

    def _labelled(self, scenes: Scenes, path: Path) -> list[Row]:
        """Detections of labels that the scenes have: of the others nothing is known."""
        known = {row["name"] for row in scenes.content["categories"]}
        return [row for row in json.loads(path.read_text(encoding="utf-8")) if row["category_name"] in known]

    def input_size(self) -> tuple[int, int]:
        """The card's; where pictures keep their own size, that of the stand-in."""
        width, height = self._card.input.size
        return (width, height) if width and height else STAND_IN_INPUT


def _darken(source: Path, target: Path) -> None:
    from PIL import Image

    with Image.open(source) as picture:
        picture.convert("RGB").point(lambda value: int(value * _DARKER)).save(target)
