"""Whether boxes of answers would meet the ground truth better in another scale or order."""

from __future__ import annotations

from boxscore.io import table_rows
from boxscore.io.answer_boxes import ORDERS, SCALES, in_words
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.io.answer_boxes import BoxReading, Numbers, Place
    from boxscore.model.tables import Dataset

_MOST = 1000
"""Boxes that are tried, spread over all of them."""
_OVERLAP = 0.5
_CLEARLY = 0.05
_CLEARLY_TIMES = 1.2
_LEAST = 2
"""How many more boxes must meet an object: a share of all, a ratio, and a number."""


def better(
    name: str, places: Sequence[Place], reading: BoxReading, dataset: Dataset, rows: Sequence[int | None]
) -> list[Note]:
    """A note where another scale and order lets clearly more boxes meet an object of any label at IoU 0.5.

    `rows` are the rows of the data set's images, by the answers' image (None: it isn't there).
    """
    free = [place for place in places if not place.box.of_tokens and place.box.order is None and place.size]
    tried = free[:: -(-len(free) // _MOST) or 1]
    if not tried:
        return []
    objects = _objects(dataset, {row for place in tried if (row := rows[place.image]) is not None})
    near = [objects.get(-1 if (row := rows[place.image]) is None else row, []) for place in tried]
    stated = sum(_meets(place.pixels(*reading.of(place.box)), at) for place, at in zip(tried, near, strict=True))
    hits = {
        (scale, order): sum(_meets(place.pixels(scale, order), at) for place, at in zip(tried, near, strict=True))
        for scale in SCALES
        for order in ORDERS
    }
    scale, order = max(hits, key=hits.__getitem__)
    most = hits[scale, order]
    if most < stated + max(_LEAST, _CLEARLY * len(tried)) or most < stated * _CLEARLY_TIMES:
        return []
    assumed = reading.of(tried[0].box)
    options = [f"--answer-scale {scale}"] if scale != assumed[0] else []
    options += [f"--answer-order {order}"] if order != assumed[1] else []
    words = in_words(tried[0].box, scale, order).partition(" as ")[2]
    message = (
        f"{name}: boxes would fit better as {words}: {most} of {counted(len(tried), 'box', 'boxes')} would meet an "
        f"object at IoU 0.5, as read {stated} do; kept as read; {' '.join(options)} reads them so"
    )
    return [Note("answers-other-reading", message, len(free))]


def _objects(dataset: Dataset, rows: set[int]) -> dict[int, list[Numbers]]:
    found: dict[int, list[Numbers]] = {}
    for row in table_rows.objects_of(dataset):
        if row.image in rows:
            found.setdefault(row.image, []).append(row.box)
    return found


def _meets(box: Numbers, objects: Sequence[Numbers]) -> bool:
    x, y, w, h = box
    for ox, oy, ow, oh in objects:
        wide, tall = min(x + w, ox + ow) - max(x, ox), min(y + h, oy + oh) - max(y, oy)
        if wide > 0 and tall > 0 and wide * tall >= _OVERLAP * (w * h + ow * oh - wide * tall):
            return True
    return False
