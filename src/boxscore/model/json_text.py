"""JSON text of results: one line a row, so that it reads well and differs well."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def to_json(content: Mapping[str, object]) -> str:
    """JSON of an object, a line for each of its fields and for each item of those that are lists or objects.

    Floats are written so that reading gives the same bits. Raises ValueError for NaN and infinity.
    """
    fields = (f"{_text(name)}: {_field(value)}" for name, value in content.items())
    return "{\n " + ",\n ".join(fields) + "\n}"


def _field(value: object) -> str:
    if isinstance(value, list) and value:
        return "[\n  " + ",\n  ".join(map(_text, value)) + "\n ]"
    if isinstance(value, dict) and value:
        return "{\n  " + ",\n  ".join(f"{_text(key)}: {_text(item)}" for key, item in value.items()) + "\n }"
    return _text(value)


def _text(value: object) -> str:
    return json.dumps(value, allow_nan=False)
