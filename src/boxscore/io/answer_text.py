"""One answer of a vision-language model, read: location tokens, else JSON in its text."""

from __future__ import annotations

from boxscore.io import answer_json, answer_tokens
from boxscore.io.answer_parts import CUT_OFF, EMPTY, NO_BOXES, NO_LABEL, WORDS, ReadAnswer, StatedBox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from boxscore.model.labels import Id

_END_OF_THOUGHT = "</think>"


def read(stated: object, only_label: Id | None = None) -> ReadAnswer:
    """What is read from an answer: a text, or JSON that was parsed already. No answer is refused.

    `only_label` is that of boxes without one, where there is but one label (None: such a box can't be read). What a
    model thinks aloud before its answer (`<think>…</think>`) doesn't count.
    """
    if stated is None:
        return ReadAnswer(failure=EMPTY)
    if not isinstance(stated, str):
        return _of_values([stated], only_label, damaged=False)
    text = answer_tokens.without_special(stated.rpartition(_END_OF_THOUGHT)[2])
    if not text.strip():
        return ReadAnswer(failure=EMPTY)
    if answer_tokens.are_in(text):
        boxes, unread = _sorted(answer_tokens.boxes_in(text), only_label)
        return ReadAnswer(boxes, unread, failure=None if boxes else NO_BOXES)
    values, damaged = answer_json.values_in(text)
    return _of_values(values, only_label, damaged=damaged)


def _of_values(values: list[object], only_label: Id | None, *, damaged: bool) -> ReadAnswer:
    boxes, unread = _sorted((box for value in values for box in answer_json.boxes_of(value)), only_label)
    if boxes:
        return ReadAnswer(boxes, [*unread, *([CUT_OFF] if damaged else [])])
    if damaged or unread:
        return ReadAnswer(failure=NO_BOXES)
    if values and all(map(answer_json.is_empty, values)):
        return ReadAnswer()
    return ReadAnswer(failure=NO_BOXES if any(isinstance(value, dict) for value in values) else WORDS)


def _sorted(found: Iterable[StatedBox | str], only_label: Id | None) -> tuple[list[StatedBox], list[str]]:
    """Boxes that can be used, and why others can't."""
    boxes: list[StatedBox] = []
    unread: list[str] = []
    for one in found:
        if isinstance(one, str):
            unread.append(one)
        elif one.label is None and only_label is None:
            unread.append(NO_LABEL)
        else:
            one.label = only_label if one.label is None else one.label
            boxes.append(one)
    return boxes, unread
