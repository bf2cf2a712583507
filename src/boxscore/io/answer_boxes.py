"""From the numbers of answers to boxes in pixels of the original image: in which scale and order they are taken.

What models are trained to write: Qwen2.5-VL `bbox_2d` as x1, y1, x2, y2 in pixels of the image that it saw; Qwen2-VL
and Qwen3-VL the same in thousandths; Gemini `box_2d` as y1, x1, y2, x2 in thousandths.
"""

from __future__ import annotations

from boxscore.io import answer_tokens
from boxscore.io.answer_parts import FLORENCE
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.io.answer_parts import StatedBox
    from boxscore.io.form_options import FormOptions

    Numbers = tuple[float, float, float, float]
    Size = tuple[float, float]

SCALES = ("pixels", "unit", "thousand")
ORDERS = ("xyxy", "yxyx", "xywh", "cxcywh")

_SCALE_WORDS = {"pixels": "in pixels", "unit": "in 0..1", "thousand": "in 0..1000"}
_ORDER_WORDS = {
    "xyxy": "[x1, y1, x2, y2]",
    "yxyx": "[y1, x1, y2, x2]",
    "xywh": "[x, y, width, height]",
    "cxcywh": "[centre x, centre y, width, height]",
}
_THOUSAND = 1000.0
_MARGIN = 0.05
"""A box that reaches beyond its image by no more of its size is within."""


class Place:
    """A box with its image: the row of the answer, and the sizes of the image, the original and as the model saw it."""

    __slots__ = ("box", "image", "seen", "size")

    def __init__(self, box: StatedBox, image: int, size: Size | None, seen: Size | None) -> None:
        self.box = box
        self.image = image
        self.size = size
        self.seen = seen

    def needs_size(self, scale: str) -> bool:
        """Whether the box can't become pixels without the image's size."""
        return self.box.of_tokens or scale != "pixels" or self.seen is not None

    def pixels(self, scale: str, order: str) -> Numbers:
        """x, y, width and height in pixels of the original image."""
        numbers = self.box.numbers
        if self.box.kind == FLORENCE:
            a, b, c, d = numbers
            numbers = (a + 0.5, b + 0.5, c + 0.5, d + 0.5)
        a, b, c, d = numbers
        if order == "yxyx":
            a, b, c, d = b, a, d, c
        (width, whole), (height, tall) = self._shares(scale)
        a, b, c, d = a * width / whole, b * height / tall, c * width / whole, d * height / tall
        if order == "xywh":
            return a, b, c, d
        if order == "cxcywh":
            return a - c / 2, b - d / 2, c, d
        return a, b, c - a, d - b

    def _shares(self, scale: str) -> tuple[Size, Size]:
        """The image's width, and the number that stands for it; likewise the height."""
        width, height = self.size or (1.0, 1.0)
        if self.box.of_tokens:
            bins = float(answer_tokens.BINS[self.box.kind])
            return (width, bins), (height, bins)
        if scale == "pixels":
            whole, tall = self.seen or (1.0, 1.0)
            return ((width, whole), (height, tall)) if self.seen else ((1.0, 1.0), (1.0, 1.0))
        one = 1.0 if scale == "unit" else _THOUSAND
        return (width, one), (height, one)

    def is_within(self, scale: str, order: str) -> bool:
        """Whether the box, so read, has a size and lies in its image, or nearly; True where the size isn't known."""
        x, y, w, h = self.pixels(scale, order)
        if self.size is None:
            return w > 0 and h > 0
        width, height = self.size
        wide, tall = _MARGIN * width, _MARGIN * height
        return w > 0 and h > 0 and x >= -wide and y >= -tall and x + w <= width + wide and y + h <= height + tall


class BoxReading:
    """How the boxes of all answers are taken: as the options say, else by what models are trained to write."""

    __slots__ = ("_order", "_scale", "_unit")

    def __init__(self, options: FormOptions, boxes: Sequence[StatedBox]) -> None:
        self._scale = options.answer_scale or {"abs": "pixels", "rel": "unit"}.get(options.coords or "")
        self._order = options.answer_order or options.boxes
        free = [box for box in boxes if not box.of_tokens]
        self._unit = bool(free) and all(0.0 <= number <= 1.0 for box in free for number in box.numbers)

    def of(self, box: StatedBox) -> tuple[str, str]:
        """Scale and order of a box."""
        gemini = box.kind == "box_2d"
        order = box.order or self._order or ("yxyx" if gemini else "xyxy")
        return self._scale or ("unit" if self._unit else "thousand" if gemini else "pixels"), order

    def told(self, places: Sequence[Place]) -> str:
        """In words: `3 bbox_2d as [x1, y1, x2, y2] in pixels, 1 as PaliGemma's tokens`."""
        counts: dict[str, int] = {}
        for place in places:
            words = in_words(place.box, *self.of(place.box))
            counts[words] = counts.get(words, 0) + 1
        return ", ".join(f"{count} {words}" for words, count in counts.items())


def in_words(box: StatedBox, scale: str, order: str) -> str:
    """How a box is taken."""
    if box.of_tokens:
        return f"as {box.kind}"
    key = {"corners": "by named sides", "list": "without a key"}.get(box.kind, box.kind)
    return f"{key} as {_ORDER_WORDS[order]} {_SCALE_WORDS[scale]}"


def range_told(places: Sequence[Place], reading: BoxReading) -> str:
    """What the size of the numbers says about the scale; empty where it says nothing."""
    free = [place for place in places if not place.box.of_tokens]
    scales = {reading.of(place.box)[0] for place in free}
    if len(scales) != 1 or not free:
        return ""
    most = max(number for place in free for number in place.box.numbers)
    scale = scales.pop()
    outside = sum(not place.is_within(*reading.of(place.box)) for place in free)
    told = []
    if outside:
        told.append(f"{outside} of {counted(len(free), 'box', 'boxes')} beyond the image, or without width or height")
    if scale == "pixels":
        told.append(f"no value is above {most:g}" + (", so 0..1000 is possible, too" if most <= _THOUSAND else ""))
    elif scale == "thousand" and most > _THOUSAND:
        told.append(f"values go up to {most:g}, which 0..1000 doesn't hold")
    elif scale == "thousand" and all(place.is_within("pixels", reading.of(place.box)[1]) for place in free):
        told.append("pixels are possible, too")
    elif scale == "unit" and most > 1.0:
        told.append(f"values go up to {most:g}, which 0..1 doesn't hold")
    return "; ".join(told)
