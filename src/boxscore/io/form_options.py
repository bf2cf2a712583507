"""What a reader assumes where a file doesn't say it, each assumption open to be overruled."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

CHOICES: dict[str, tuple[object, ...]] = {
    "boxes": (None, "xywh", "xyxy", "cxcywh"),
    "coords": (None, "abs", "rel"),
    "score": (None, "last", "second"),
    "class_base": (None, 0, 1),
    "corners": (None, "plain", "pixels"),
    "bare_numbers": (None, "positions"),
    "answer_scale": (None, "pixels", "unit", "thousand"),
    "answer_order": (None, "xyxy", "yxyx", "xywh", "cxcywh"),
}


class FormOptions:
    """Overrides of a reader's assumptions; None leaves it to the reader, which says what it took.

    - `boxes`: what the four numbers are: `xywh` (corner and size), `xyxy` (corners), `cxcywh` (centre and size).
    - `coords`: numbers in pixels (`abs`) or as shares of the picture's size (`rel`).
    - `classes`: names of numbered classes, as a path (a text file with a name a line, `data.yaml`) or a list.
    - `class_base`: the number of the first class, 0 or 1.
    - `images`: the folder of the pictures; `img_size`: width and height of all of them.
    - `corners`: what whole-pixel corners such as VOC's are: read as they stand (`plain`, width xmax - xmin), or the
      first and the last pixel, counted from 1 (`pixels`, width xmax - xmin + 1, from xmin - 1).
    - `score`: where a line of text has its score, `last` or `second` (behind the class).
    - `bare_numbers`: what class numbers of detections are that nothing names (in text folders, and ids in COCO's
      results that the ground truth lacks): `positions` among its labels, a guess that boxes must confirm; refused
      where it isn't given.
    - `answer_scale`, `answer_order`: numbers of a box in an answer of a vision-language model, in `pixels` of the image
      that it saw, in 0..1 (`unit`) or in 0..1000 (`thousand`), and which comes first, such as `yxyx`.

    Raises InputError for a choice there is not.
    """

    __slots__ = (
        "answer_order",
        "answer_scale",
        "bare_numbers",
        "boxes",
        "class_base",
        "classes",
        "coords",
        "corners",
        "images",
        "img_size",
        "score",
    )

    def __init__(
        self,
        *,
        boxes: str | None = None,
        coords: str | None = None,
        classes: str | PathLike[str] | Sequence[str] | None = None,
        class_base: int | None = None,
        images: str | PathLike[str] | None = None,
        img_size: tuple[int, int] | None = None,
        score: str | None = None,
        corners: str | None = None,
        bare_numbers: str | None = None,
        answer_scale: str | None = None,
        answer_order: str | None = None,
    ) -> None:
        self.boxes = boxes
        self.coords = coords
        self.classes = classes
        self.class_base = class_base
        self.images = images
        self.img_size = img_size
        self.score = score
        self.corners = corners
        self.bare_numbers = bare_numbers
        self.answer_scale = answer_scale
        self.answer_order = answer_order
        for field, allowed in CHOICES.items():
            value = getattr(self, field)
            if value not in allowed:
                raise InputError(f"{field} is {value!r}; it must be one of {', '.join(map(str, allowed[1:]))}")

    def to_dict(self) -> dict[str, object]:
        """The options by name."""
        return {field: getattr(self, field) for field in self.__slots__}
