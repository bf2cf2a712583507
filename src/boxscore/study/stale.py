"""Where a results.json differs from what the files give."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_SAME = 1e-9
"""Relative difference that another processor's arithmetic may make in an interval or a p; below it nothing is stale."""
_LONGEST = 40
"""Characters of a value that are shown."""


def differences(text: str, wanted: Mapping[str, Any], most: int) -> list[str]:
    """The first differences by path, in words; none where only layout and the last bits differ."""
    try:
        current = json.loads(text)
    except json.JSONDecodeError as error:
        return [f"it is no valid JSON (line {error.lineno}: {error.msg})"]
    # What is wanted as reading it would give it: tuples are lists then.
    found = list(_differences(current, json.loads(json.dumps(wanted)), ""))
    more = [f"and {len(found) - most} more"] if len(found) > most else []
    return found[:most] + more


def _differences(current: object, wanted: object, path: str) -> Iterator[str]:
    if isinstance(current, dict) and isinstance(wanted, dict):
        for name in wanted:
            where = f"{path}.{name}" if path else name
            if name in current:
                yield from _differences(current[name], wanted[name], where)
            else:
                yield f"{where} is missing"
        yield from (f"{path}.{name} is no part of it any more".lstrip(".") for name in current if name not in wanted)
    elif isinstance(current, list) and isinstance(wanted, list) and len(current) == len(wanted):
        for i, (one, other) in enumerate(zip(current, wanted, strict=True)):
            yield from _differences(one, other, f"{path}[{i}]")
    elif not _same(current, wanted):
        yield f"{path} is {_brief(current)}, the files give {_brief(wanted)}"


def _same(current: object, wanted: object) -> bool:
    if isinstance(current, float) and isinstance(wanted, float):
        return abs(current - wanted) <= _SAME * max(abs(current), abs(wanted), _SAME)
    return type(current) is type(wanted) and bool(current == wanted)


def _brief(value: object) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
