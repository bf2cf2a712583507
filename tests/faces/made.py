"""People made to order: pictures of patterns that are alike within one actor, and embedders that need no weights."""

import hashlib
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from boxscore.faces import FaceInput

SIDE = 48
_BLOCK = 4


def picture(actor: int, number: int, side: int = SIDE, noise: float = 6.0) -> NDArray[np.uint8]:
    """A pattern of squares of four pixels, an actor's own, with a little noise, each picture's own."""
    pattern = np.random.default_rng(actor).integers(60, 196, (side // _BLOCK, side // _BLOCK, 3))
    large = np.kron(pattern, np.ones((_BLOCK, _BLOCK, 1)))
    own = np.random.default_rng((actor, number)).normal(0, noise, large.shape)
    return np.clip(large + own, 0, 255).astype(np.uint8)


def people(folder: Path, actors: int = 12, each: int = 4, side: int = SIDE) -> Path:
    """A folder an actor, `actor-00` and so on, with so many pictures of each."""
    for actor in range(actors):
        home = folder / f"actor-{actor:02}"
        home.mkdir(parents=True, exist_ok=True)
        for number in range(each):
            Image.fromarray(picture(actor, number, side)).save(home / f"{number}.png")
    return folder


class PatternEmbedder:
    """Means of the squares of an input of 24 pixels; waits so many seconds a batch, and counts faces."""

    def __init__(self, name: str = "pattern", seconds: float = 0.0, squares: int = 12) -> None:
        self.name = name
        self.sha256 = hashlib.sha256(f"{name}:{squares}".encode()).hexdigest()
        self.input = FaceInput(size=24)
        self.seconds = seconds
        self.squares = squares
        self.faces = 0
        self.left: int | None = None

    def embed(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
        time.sleep(self.seconds)
        self.faces += len(faces)
        step = 24 // self.squares
        blocks = faces.reshape(len(faces), self.squares, step, self.squares, step, 3).mean(axis=(2, 4))
        found: NDArray[np.float32] = (blocks.reshape(len(faces), -1) - 127.5).astype(np.float32)
        return found


if __name__ == "__main__":  # one run to be killed: IMAGES CACHE SECONDS
    from boxscore.faces import Options, min_size

    min_size(
        sys.argv[1],
        [PatternEmbedder(seconds=float(sys.argv[3]))],
        Options(sizes=tuple(range(4, 40, 2)), actors=8),
        cache=sys.argv[2],
    )
