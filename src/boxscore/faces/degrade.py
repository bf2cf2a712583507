"""What makes a face small and poor: a recipe such as `area+blur:0.8+noise:4+jpeg:40`.

The first word says how the face is shrunk; the further steps are done with the small face, in their order, as lens,
sensor and codec do them. Blur is Gaussian, its number a standard deviation in pixels of the small face; noise is
Gaussian too, in levels, drawn by seed for each pixel and channel; JPEG's number is its quality.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

SHRINKING = ("area", "bicubic")
_RANGES = {"blur": (0.01, 100.0), "noise": (0.01, 255.0), "jpeg": (1.0, 100.0)}
_WHAT = "area or bicubic, and steps blur:S, noise:S, jpeg:Q, joined by +, such as area+blur:0.8+jpeg:40"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How faces are degraded: the filter that shrinks, and (name, number) of each further step."""

    shrinking: str = "area"
    steps: tuple[tuple[str, float], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Recipe:
        """The recipe that a text names; `str` gives it back. Raises InputError that quotes what is wrong."""
        words = [word.strip() for word in text.replace(",", "+").split("+")]
        shrinking = words.pop(0) if words[0] in SHRINKING else "area"
        return cls(shrinking, tuple(_step(word, text) for word in words))

    def __str__(self) -> str:
        return "+".join([self.shrinking, *(f"{name}:{amount:g}" for name, amount in self.steps)])


def _step(word: str, text: str) -> tuple[str, float]:
    name, _, stated = word.partition(":")
    if name in SHRINKING:
        raise InputError(f"--degrade {text!r}: {name} says how faces are shrunk, and comes first; give {_WHAT}")
    if name not in _RANGES:
        raise InputError(f"--degrade {text!r}: there is no step {word!r}; give {_WHAT}")
    least, most = _RANGES[name]
    try:
        amount = float(stated)
    except ValueError:
        amount = float("nan")
    if not least <= amount <= most or (name == "jpeg" and amount != int(amount)):
        kind = "a whole number" if name == "jpeg" else "a number"
        raise InputError(f"--degrade {text!r}: {name} takes {kind} from {least:g} to {most:g}, such as {name}:{most:g}")
    return name, amount


def degraded(picture: Pixels, side: int, recipe: Recipe, key: str) -> Pixels:
    """A square picture, uint8 RGB [c, c, 3], shrunk to `side` pixels and treated by the recipe.

    `key` is what noise is drawn from: the same key, the same noise.
    """
    small = _shrunk(picture, side, recipe.shrinking)
    for place, (name, amount) in enumerate(recipe.steps):
        if name == "blur":
            small = _blurred(small, amount)
        elif name == "noise":
            small = _noisy(small, amount, f"{key}:{place}")
        else:
            small = _compressed(small, int(amount))
    return small


def _shrunk(picture: Pixels, side: int, how: str) -> Pixels:
    if how == "area":
        from boxscore.predict import opencv

        return opencv.resize(picture, (side, side), "area")
    from boxscore.predict import pillow

    return pillow.resize(picture, (side, side), "bicubic")


def _blurred(picture: Pixels, deviation: float) -> Pixels:
    import numpy as np
    from scipy.ndimage import gaussian_filter

    return _levels(gaussian_filter(picture.astype(np.float64), (deviation, deviation, 0), mode="nearest"))


def _noisy(picture: Pixels, deviation: float, key: str) -> Pixels:
    import hashlib

    import numpy as np
    from scipy.special import ndtri

    # Raw numbers of a counter-based generator through the quantile function: the same bytes in every version of NumPy.
    seed = int.from_bytes(hashlib.sha256(key.encode()).digest()[:16], "little")
    raw = np.random.Philox(key=seed).random_raw(picture.size)
    chances = ((raw >> np.uint64(12)).astype(np.float64) + 0.5) / 2.0**52
    return _levels(picture + deviation * ndtri(chances).reshape(picture.shape))


def _compressed(picture: Pixels, quality: int) -> Pixels:
    from io import BytesIO

    import numpy as np
    from PIL import Image

    held = BytesIO()
    Image.fromarray(picture).save(held, "JPEG", quality=quality)
    return np.asarray(Image.open(held).convert("RGB"))


def _levels(values: NDArray[np.float64]) -> Pixels:
    import numpy as np

    return np.clip(np.rint(values), 0, 255).astype(np.uint8)
