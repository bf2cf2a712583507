"""Boxes as location tokens, as PaliGemma and Florence-2 write them.

PaliGemma: `<loc0123>` four times, y1 x1 y2 x2 in 1024ths of the image, then the label; ` ; ` between objects.
Florence-2: the label, then `<loc_123>` four times for each of its boxes, x1 y1 x2 y2 in 1000 bins, whose middles count.
"""

from __future__ import annotations

import re

from boxscore.io.answer_parts import BEYOND, FLORENCE, NOT_FOUR, PALIGEMMA, StatedBox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BINS = {PALIGEMMA: 1024, FLORENCE: 1000}
ORDERS = {PALIGEMMA: "yxyx", FLORENCE: "xyxy"}

_SPECIAL = re.compile(r"</?s>|<(?:pad|bos|eos|unk|od)>|<\|[a-z_]+\|>", re.IGNORECASE)
_PALIGEMMA = re.compile(r"((?:<loc\d{4}>\s*)+)(?:<seg\d{3}>\s*)*([^<>;\n]*)")
_FLORENCE = re.compile(r"([^<>]*)((?:<loc_\d{1,4}>)+)")
_DIGITS = re.compile(r"\d+")


def without_special(text: str) -> str:
    """A text without the tokens that say where it begins and ends."""
    return _SPECIAL.sub("", text)


def are_in(text: str) -> bool:
    """Whether a text has location tokens."""
    return "<loc" in text and (_PALIGEMMA.search(text) or _FLORENCE.search(text)) is not None


def boxes_in(text: str) -> Iterator[StatedBox | str]:
    """The boxes in order, each a box, or in words why it can't be read."""
    for match in _PALIGEMMA.finditer(text):
        yield from _boxes(match[1], match[2], PALIGEMMA)
    for match in _FLORENCE.finditer(text):
        yield from _boxes(match[2], match[1], FLORENCE)


def _boxes(tokens: str, words: str, kind: str) -> Iterator[StatedBox | str]:
    places = [int(digits) for digits in _DIGITS.findall(tokens)]
    if len(places) % 4 or (kind == PALIGEMMA and len(places) != 4):
        yield NOT_FOUR
        return
    label = words.strip(" \t\r\n,;:") or None
    for start in range(0, len(places), 4):
        a, b, c, d = places[start : start + 4]
        if max(a, b, c, d) >= BINS[kind]:
            yield BEYOND
        else:
            yield StatedBox(label, (a, b, c, d), kind=kind, order=ORDERS[kind])
