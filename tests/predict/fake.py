"""A detector that needs no model: what it finds depends on the pixels alone."""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from boxscore.predict.decode import Found
from boxscore.predict.read_picture import Picture
from boxscore.predict.run import Predicted, predict_with

CLASSES = ("cat", "dog", "bird")


class PixelDetector:
    """Three boxes a picture, of which the last lies below the least score; waits so many seconds a call."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.calls: list[int] = []

    def detect(self, pictures: list[Picture]) -> list[Found]:
        time.sleep(self.seconds)
        self.calls.append(len(pictures))
        return [self._found(picture) for picture in pictures]

    def _found(self, picture: Picture) -> Found:
        shade = float(picture.rgb.mean()) / 3
        boxes = np.array([[0, 0, shade, shade / 7], [1, 2, 3, 4], [0, 0, 1, 1]], dtype=np.float64)
        return Found(boxes, np.array([shade / 255, 0.01, 0.0099]), np.array([0, int(shade) % 3, 2]))


def pictures(folder: Path, count: int) -> Path:
    """So many pictures of noise, some in a folder below."""
    random = np.random.default_rng(5)
    for number in range(count):
        path = folder / ("below" if number % 3 == 0 else "") / f"{number:03}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(random.integers(0, 256, (9, 12, 3)).astype(np.uint8)).save(path)
    return folder


def run(folder: Path | str | list[str], out: Path, seconds: float = 0.0, **options: Any) -> Predicted:
    """Predict by the detector here."""
    options = {"classes": CLASSES, "identity": {"name": "pixels"}, "batch": 2, **options}
    return predict_with(PixelDetector(seconds), folder, out, **options)


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
