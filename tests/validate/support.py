"""A small YOLO data set with pictures, a card around a file that stands in for a model, and a detector without one."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from boxscore.predict.decode import Found
from boxscore.predict.read_picture import Picture

CLASSES = ("cat", "dog", "bird")
WIDTH, HEIGHT = 64, 48
MODEL = b"not a graph"

CARD = f"""
name: sample
preset: yolox
model: {{path: sample.onnx, sha256: {hashlib.sha256(MODEL).hexdigest()}}}
classes: [cat, dog, bird]
floors: {{default: 0.35, labels: {{dog: 0.5}}}}
licence: Apache-2.0
redistribute: true
"""

Line = tuple[int, float, float, float, float]


def blocks(seed: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A picture of coarse blocks, so that it keeps its perceptual hash when it is compressed or made smaller."""
    random = np.random.default_rng(seed)
    coarse = random.integers(0, 256, (6, 8, 3)).astype(np.uint8)
    return np.asarray(coarse.repeat(HEIGHT // 6, axis=0).repeat(WIDTH // 8, axis=1))


def data_set(folder: Path, count: int = 6, *, prefix: str = "real", seed: int = 0) -> Path:
    """So many pictures `real_s0_0.png`, two a session, each with a cat and (but for the last) a dog; one more is empty.

    The last picture has no object.
    """
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "data.yaml").write_text(data_yaml(CLASSES))
    for number in range(count):
        lines: list[Line] = [(0, 0.25, 0.5, 0.25, 0.5), (1, 0.75, 0.5, 0.25, 0.5)]
        put(folder, f"{prefix}_s{number // 2}_{number}", [] if number == count - 1 else lines, seed=seed + number)
    return folder


def data_yaml(names: Sequence[str]) -> str:
    """The text of a `data.yaml` that names classes."""
    return f"path: .\nval: images\nnames: {json.dumps(list(names))}\n"


def put(folder: Path, stem: str, lines: Sequence[Line], *, seed: int) -> None:
    """One picture with its label file."""
    Image.fromarray(blocks(seed)).save(folder / "images" / f"{stem}.png")
    text = "".join(f"{' '.join(map(str, line))}\n" for line in lines)
    (folder / "labels" / f"{stem}.txt").write_text(text)


def card(folder: Path, text: str = CARD) -> Path:
    """The card's file in a folder, its model beside it."""
    (folder / "sample.onnx").write_bytes(MODEL)
    path = folder / "card.yaml"
    path.write_text(text, encoding="utf-8")
    return path


class BoxDetector:
    """Finds the cat of every picture, the dog of every other one (by its brightness), and something in each corner."""

    def __init__(self) -> None:
        self.asked = 0

    def detect(self, pictures: list[Picture]) -> list[Found]:
        self.asked += len(pictures)
        return [self._found(picture) for picture in pictures]

    def _found(self, picture: Picture) -> Found:
        even = int(picture.rgb[::8, ::8].sum()) % 2 == 0
        boxes = np.array([[8, 12, 24, 36], [40, 12, 56, 36], [0, 0, 6, 6]], dtype=np.float64)
        scores = np.array([0.9, 0.8 if even else 0.45, 0.4])
        return Found(boxes, scores, np.array([0, 1, 2]))


def saved(folder: Path, data: Path, name: str = "predictions.json") -> Path:
    """Detections of a data set, as results by names of files and labels."""
    rows = []
    for picture in sorted((data / "images").iterdir()):
        rows.append(
            {"image_id": picture.name, "category_name": "cat", "bbox": [8, 12, 16, 24], "score": 0.9},
        )
        rows.append({"image_id": picture.name, "category_name": "dog", "bbox": [0, 0, 5, 5], "score": 0.6})
    path = folder / name
    path.write_text(json.dumps(rows))
    return path
