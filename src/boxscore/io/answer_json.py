"""JSON in the text of an answer, and the boxes in it."""

from __future__ import annotations

import json
import re

from boxscore.io import answer_fields
from boxscore.io.answer_parts import NO_BOX, NO_NUMBERS, StatedBox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.model.labels import Id

_BOX = ("bbox_2d", "box_2d", "bbox", "box", "bounding_box", "boundingbox", "bndbox", "bboxes", "boxes")
_LABEL = ("label", "category", "name", "class", "category_name", "class_name", "object", "labels")
_SCORE = ("score", "confidence", "probability", "scores")

_FENCE = re.compile(r"```\s*[A-Za-z0-9_+-]*(.*?)(?:```|\Z)", re.DOTALL)
_BRACKET = re.compile(r"[\[{]")
_OPENED = re.compile(r"\{\s*(?:[\"']|\w+\s*:)|\[\s*[\[{\"'\d]")
_MOST_FAILURES = 1000
"""Brackets that open nothing, in one answer; beyond, as beyond the depth of Python's calls, a model repeats itself."""

_FLAT = re.compile(r"\{[^{}]*\}")


def values_in(text: str) -> tuple[list[Any], bool]:
    """The JSON values in a text, words around them passed over, and whether some of it is damaged or cut off.

    Where there are fences (```) with boxes between them, what stands outside doesn't count. Of damaged JSON the whole
    objects remain.
    """
    fenced = [_values(part) for part in _FENCE.findall(text)]
    if any(next(boxes_of(value), None) is not None for values, _ in fenced for value in values):
        return [value for values, _ in fenced for value in values], any(damaged for _, damaged in fenced)
    return _values(text)


def boxes_of(value: object) -> Iterator[StatedBox | str]:
    """The boxes of a JSON value in order, each a box, or in words why it can't be read."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            fields = {answer_fields.folded(key): field for key, field in part.items()}
            key = next((key for key in _BOX if fields.get(key) is not None and not _of_objects(fields[key])), None)
            if key is not None:
                yield from _of_object(fields, key)
            elif answer_fields.named(fields) is not None:
                yield _stated(fields, "corners", fields, _label(fields), _score(fields))
            else:
                inner = [field for field in part.values() if isinstance(field, dict | list)]
                pending += reversed(inner)
                if not inner and _label(fields) is not None:
                    yield NO_BOX
        elif isinstance(part, list):
            if answer_fields.four(part) is not None and not isinstance(part[0], str):
                yield _stated(part, "list", {}, None, None)
            else:
                pending += reversed([inner for inner in part if isinstance(inner, dict | list)])


def is_empty(value: object) -> bool:
    """Whether a JSON value says that there is nothing: `[]`, `{}`, `{"objects": []}`."""
    if isinstance(value, dict) and value:
        lists = [field for field in value.values() if isinstance(field, dict | list)]
        return bool(lists) and not any(lists)
    return isinstance(value, dict | list) and not value


def _values(text: str) -> tuple[list[Any], bool]:
    decoder = json.JSONDecoder()
    # What can't be read as a whole is looked at part by part; in closed JSON a part that fails is told by itself.
    closed = text.count("{") == text.count("}") and text.count("[") == text.count("]")
    found: list[Any] = []
    damaged = False
    failures = 0
    bracket = _BRACKET.search(text)
    while bracket is not None:
        start = bracket.start()
        try:
            value, end = decoder.raw_decode(text, start)
        except RecursionError:
            return found, True
        except ValueError:
            value, end = _nearly(text, start, whole=failures == 0)
            if value is None:
                failures += 1
                damaged |= (not closed or _FLAT.match(text, start) is not None) and _OPENED.match(
                    text, start
                ) is not None
        if value is not None:
            found.append(value)
        if failures > _MOST_FAILURES:
            return found, True
        bracket = _BRACKET.search(text, end)
    return found, damaged


def _nearly(text: str, start: int, *, whole: bool) -> tuple[Any, int]:
    """A value that is nearly JSON, and where it ends: all up to the last bracket, or an object without inner ones."""
    if whole:
        end = max(text.rfind("]"), text.rfind("}")) + 1
        value = _mended(text[start:end])
        if value is not None:
            return value, end
    flat = _FLAT.match(text, start)
    value = None if flat is None else _mended(flat.group())
    return (None, start + 1) if flat is None or value is None else (value, flat.end())


def _mended(text: str) -> Any:  # noqa: ANN401  a JSON value, or None
    """A value that is no JSON but nearly: comments, commas too many, Python's quotes."""
    text = re.sub(r"\s//[^\"\n]*(?=\n|$)", "", text)
    text = re.sub(r",(?=\s*[}\]])", "", text)
    if '"' not in text:
        text = text.replace("'", '"').replace("None", "null")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_object(fields: dict[str, Any], key: str) -> Iterator[StatedBox | str]:
    """The box of an object, or its boxes: one label for all, or a list of labels beside a list of boxes."""
    box = fields[key]
    label, score = answer_fields.first(fields, _LABEL), answer_fields.first(fields, _SCORE)
    if answer_fields.four(box) is not None or not (
        isinstance(box, list) and all(isinstance(one, dict | list) for one in box)
    ):
        yield _stated(box, key, fields, _label(fields), _score(fields))
        return
    for place, one in enumerate(box):
        labels = answer_fields.text_or_number(answer_fields.at(label, place))
        yield _stated(one, key, {}, labels, answer_fields.number_of(answer_fields.at(score, place)))


def _stated(box: object, kind: str, fields: dict[str, Any], label: Id | None, score: float | None) -> StatedBox | str:
    found = answer_fields.named(fields) if kind == "corners" else answer_fields.four(box)
    if found is None:
        return NO_NUMBERS
    numbers, order = found
    return StatedBox(label, numbers, kind=kind, order=order, score=score)


def _of_objects(field: object) -> bool:
    """Whether a field named like a box holds whole objects, or none: `"boxes": [{"label": …, "box": …}]`."""
    one = field[0] if isinstance(field, list) and field else field
    return field == [] or (isinstance(one, dict) and any(answer_fields.folded(key) in (*_BOX, *_LABEL) for key in one))


def _label(fields: dict[str, Any]) -> Id | None:
    return answer_fields.text_or_number(answer_fields.at(answer_fields.first(fields, _LABEL), 0))


def _score(fields: dict[str, Any]) -> float | None:
    return answer_fields.number_of(answer_fields.at(answer_fields.first(fields, _SCORE), 0))
