"""The four numbers of a line in the VOC tools' text folders, and the boxes they mean. Corners are inclusive."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

NUMBERS = ("xywh", "xyrb")
COORDS = ("abs", "rel")
_LEAST_ROWS = 10
"""Fewer boxes could lie like corners by chance."""


class BoxForm:
    """What the numbers are: x, y, width, height (`xywh`) or left, top, right, bottom (`xyrb`), in pixels (`abs`), or
    centre x, centre y, width, height as shares of the image (`rel`). Raises InputError for `rel` with `xyrb`.
    """

    __slots__ = ("coords", "numbers")

    def __init__(self, numbers: str = "xywh", coords: str = "abs") -> None:
        if coords == "rel" and numbers != "xywh":
            raise InputError("rel coordinates with xyrb numbers: relative boxes are centre, width and height; use xywh")
        self.numbers = numbers
        self.coords = coords

    def __str__(self) -> str:
        return f"{self.coords} {self.numbers}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoxForm) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


FORMS = (BoxForm("xywh", "abs"), BoxForm("xyrb", "abs"), BoxForm("xywh", "rel"))


def in_pixels(stated: Array, form: BoxForm, extents: Array | None) -> Array:
    """Boxes (n, 4) x, y, w, h in pixels, a box running from x to x + w; `extents` (n, 2) are the images' sizes."""
    import numpy as np

    if form.coords == "rel" and extents is not None:
        return _rounded(stated, extents)
    return np.concatenate([stated[:, :2], sizes(stated, form)], axis=1)


def sizes(stated: Array, form: BoxForm) -> Array:
    """Width and height as stated, (n, 2)."""
    found: Array = stated[:, 2:] - stated[:, :2] if form.numbers == "xyrb" else stated[:, 2:]
    return found


def negative_row(stated: Array, form: BoxForm) -> int | None:
    """The first row whose width or height is negative, as stated."""
    import numpy as np

    rows = np.flatnonzero((sizes(stated, form) < 0).any(axis=1))
    return int(rows[0]) if len(rows) else None


def lie_like_corners(stated: Array) -> bool:
    """Whether the last two numbers of every row exceed the first two, and grow with them.

    Corners do both; the width of objects rarely exceeds their x throughout, and where it does, it falls with it.
    """
    import numpy as np

    near, far = stated[:, :2], stated[:, 2:]
    if len(stated) < _LEAST_ROWS or (far < near).any():
        return False
    spread = np.ptp(stated, axis=0)
    return bool(spread.all()) and all(float(np.corrcoef(near[:, i], far[:, i])[0, 1]) > 0 for i in (0, 1))


def _rounded(stated: Array, extents: Array) -> Array:
    """Shares of the image as whole pixels, as the legacy tool makes them, so that its figures come out.

    Near edge and size are rounded by themselves, halves to even; the near edge is at least 0, the far edge at most the
    last pixel. A box beyond the image keeps one pixel there, where the legacy tool turns it inside out.
    """
    import numpy as np

    centre, share = stated[:, :2], stated[:, 2:]
    near = np.rint((2 * centre - share) * extents / 2)
    far = near + np.rint(share * extents)
    near = np.maximum(near, 0.0)
    far = np.where(far >= extents, extents - 1, far)
    return np.concatenate([near, np.maximum(far - near, 0.0)], axis=1)
