"""What a model card holds, part by part."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RESIZES = ("letterbox", "stretch", "keep-ratio", "none")
ALIGNS = ("top-left", "centre")
INTERPOLATIONS = (
    "opencv-linear",
    "opencv-area",
    "opencv-cubic",
    "opencv-nearest",
    "opencv-linear-float",
    "pillow-bilinear",
    "pillow-bicubic",
    "pillow-nearest",
    "pillow-bilinear-float",
)
ROUNDINGS = ("truncate", "round", "half-up", "up")
INVERSES = ("sides", "ratio", "height")
CHANNELS = ("rgb", "bgr")
SCORES = ("as-is", "sigmoid", "softmax")


@dataclass(frozen=True, slots=True)
class Model:
    """The file of the weights; `stated` is its path as the card writes it.

    `checked` is false where the file was not needed and not there: `sha256` is then the card's word alone.
    """

    path: str
    stated: str
    sha256: str
    checked: bool = True


@dataclass(frozen=True, slots=True)
class Normalise:
    """(level / `divide` − `mean`) / `std`, by channel in the card's order of channels."""

    divide: float = 1.0
    mean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    std: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def is_nothing(self) -> bool:
        """Whether each level stays what it is."""
        return self == Normalise()


@dataclass(frozen=True, slots=True)
class SecondInput:
    """A second input of the graph that asks for the input's size: its name, order (`wh`, `hw`) and number type."""

    name: str
    order: str = "wh"
    type: str = "int64"


@dataclass(frozen=True, slots=True)
class Input:
    """How a picture becomes the model's input. `size` is (width, height), (0, 0) where the picture keeps its own.

    `stride` is what the sides of the input are multiples of, `stride_extra` how many strides are added before rounding
    up. `pad` is in the card's order of channels. `inverse` says what boxes are divided by on their way back: `sides`
    (new side / old side, the exact inverse of the resizing), `ratio` (the one ratio before rounding) or `height` (that
    of the heights, for both axes).
    """

    resize: str
    interpolation: str
    channels: str
    size: tuple[int, int] = (0, 0)
    align: str = "top-left"
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale_up: bool = True
    stride: int = 1
    stride_extra: float = 0.0
    rounding: str = "truncate"
    inverse: str = "sides"
    normalise: Normalise = field(default_factory=Normalise)
    second_input: SecondInput | None = None


@dataclass(frozen=True, slots=True)
class Nms:
    """Greedy suppression at an IoU, within each label or over all, before or after the floors take their part."""

    iou: float
    per_label: bool = True
    before_floor: bool = True


@dataclass(frozen=True, slots=True)
class Output:
    """How the model's outputs become detections; `options` go to the decoder as they are."""

    decoder: str
    score: str = "as-is"
    options: dict[str, Any] = field(default_factory=dict)
    nms: Nms | None = None
    top_k: int | None = None
    clip: bool = False
    least_score: float = 0.01


@dataclass(frozen=True, slots=True)
class Reproduction:
    """How others get weights that may not be passed on: where from, and what to do."""

    source: str
    steps: tuple[str, ...]
