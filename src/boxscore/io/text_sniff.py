"""What a sample of the lines tells about their form, where nobody said it."""

from __future__ import annotations

from array import array

from boxscore.io.image_sizes import ImageSizes
from boxscore.io.whole_pixels import aligned, recovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore import _kernel
    from boxscore.io.text_form import TextForm

_FILES = 64
"""Files of a sample; their share of the time is small and their lines are many."""
_SLACK = 0.01
"""How far a box may reach beyond its image, as share of it: rounding and careless clipping do that."""


def are_shares(data: Sequence[bytes], score: str) -> bool:
    """Whether the sample's numbers lie in 0..1 and aren't all whole: shares of the image's size, not pixels."""
    boxes = _boxes(data, score, "xywh", numbered=False)
    numbers = [number for box in boxes for number in box]
    return bool(numbers) and min(numbers) >= 0 and max(numbers) <= 1 and any(number % 1 for number in numbers)


def may_be_whole(data: Sequence[bytes], sizes: ImageSizes, form: TextForm) -> bool:
    """Whether the sample's boxes, shares of pictures of these sizes, all lie on whole pixels."""
    chosen = [i for i, content in enumerate(data) if content][:_FILES]
    few = array("d", [side for i in chosen for side in sizes.values[2 * i : 2 * i + 2]])
    rows = _rows([data[i] for i in chosen], few, form.score, form.numbers, numbered=form.numbered)
    return (
        rows is not None and recovered(rows, ImageSizes([*zip(few[::2], few[1::2], strict=True)], ""), "") is not None
    )


def score_place(data: Sequence[bytes]) -> str:
    """Where relative lines have their score: `last`, which is usual, unless only `second` puts all boxes inside."""
    last, second = (_boxes(data, place, "cxcywh", numbered=True) for place in ("last", "second"))
    return "second" if second and all(map(_inside, second)) and not all(map(_inside, last)) else "last"


def _inside(box: tuple[float, float, float, float]) -> bool:
    x, y, w, h = box
    return x >= -_SLACK and y >= -_SLACK and x + w <= 1 + _SLACK and y + h <= 1 + _SLACK


def _boxes(
    data: Sequence[bytes], score: str, numbers: str, *, numbered: bool
) -> list[tuple[float, float, float, float]]:
    sample = [content for content in data if content][:_FILES]
    rows = _rows(sample, array("d", [1.0] * (2 * len(sample))), score, numbers, numbered=numbered)
    if rows is None:
        return []
    columns = [rows.table.column(name).to_list() for name in "xywh"]
    return [(float(x), float(y), float(w), float(h)) for x, y, w, h in zip(*columns, strict=True)]


def _rows(
    sample: list[bytes], sizes: array[float], score: str, numbers: str, *, numbered: bool
) -> _kernel.TextRows | None:
    """The sample's rows; None where they can't be read: whoever reads all of them tells what is wrong."""
    from boxscore import _kernel

    try:
        return _kernel.read_text(
            sample,
            score=score,
            numbers=numbers,
            relative=True,
            numbered=numbered,
            polygons=numbered,
            sizes=aligned(sizes),
        )
    except _kernel.TextError:
        return None
