"""Where a picture lies in a model's input, and the one way back from there to its own pixels."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    Boxes = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Placement:
    """A picture of `width` × `height` pixels, scaled by `scale_x` and `scale_y` and laid at (`left`, `top`).

    Coordinates are continuous: the picture's first pixel reaches from 0 to 1. Boxes are `[n, 4]`, x1 y1 x2 y2.
    """

    scale_x: float
    scale_y: float
    left: float
    top: float
    width: int
    height: int

    def to_input(self, boxes: object) -> Boxes:
        """Boxes in pixels of the picture, in pixels of the model's input, float64."""
        return _four_columns(boxes) * self._scales() + self._shifts()

    def to_original(self, boxes: object, *, clip: bool = False) -> Boxes:
        """Boxes in pixels of the model's input, in pixels of the picture, float64: the inverse of `to_input`.

        Nothing is clipped unless asked: a detection may reach beyond the picture, and its overlaps depend on it.
        """
        found: Boxes = (_four_columns(boxes) - self._shifts()) / self._scales()
        return self.clipped(found) if clip else found

    def clipped(self, boxes: Boxes) -> Boxes:
        """Boxes in pixels of the picture, cut at its edges."""
        import numpy as np

        return np.clip(boxes, 0.0, np.array([self.width, self.height, self.width, self.height], dtype=np.float64))

    def _scales(self) -> Boxes:
        import numpy as np

        return np.array([self.scale_x, self.scale_y, self.scale_x, self.scale_y], dtype=np.float64)

    def _shifts(self) -> Boxes:
        import numpy as np

        return np.array([self.left, self.top, self.left, self.top], dtype=np.float64)


def _four_columns(boxes: object) -> Boxes:
    import numpy as np

    return np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
