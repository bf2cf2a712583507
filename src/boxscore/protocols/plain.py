"""A reader for TOML as plainly as the shipped protocols are written.

Importing `tomllib` (with `re`, `typing` and `datetime`) takes longer than starting Python does. This reads comments,
tables, texts without escapes, numbers and flat lists, and nothing else: whatever it doesn't know it leaves to tomllib.
A test holds the two to the same answer for every shipped file.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read(text: str) -> dict[str, Any] | None:
    """The file's content, or None where it isn't plain."""
    try:
        return _tables(text)
    except ValueError:
        return None


def _tables(text: str) -> dict[str, Any]:
    content: dict[str, Any] = {}
    table = content
    lines = iter(text.splitlines())
    for line in lines:
        stated = _without_comment(line)
        if not stated:
            continue
        if stated.startswith("["):
            table = content.setdefault(_bare(stated.removeprefix("[").removesuffix("]")), {})
            continue
        key, equals, value = stated.partition(" = ")
        while value.startswith("[") and not value.endswith("]"):
            value += _without_comment(next(lines, '"'))
        if not equals or _bare(key) in table:
            raise ValueError(line)
        table[key] = _list(value) if value.startswith("[") else _scalar(value)
    return content


def _without_comment(line: str) -> str:
    stated = line.strip() if "#" not in line else line.partition("#")[0].strip()
    if stated.count('"') % 2:
        raise ValueError(line)
    return stated


def _bare(key: str) -> str:
    if not key.replace("_", "").isalnum():
        raise ValueError(key)
    return key


def _list(value: str) -> list[Any]:
    return [_scalar(item.strip()) for item in value[1:-1].split(",") if item.strip()]


def _scalar(value: str) -> str | int | float:
    if value.startswith('"'):
        if value.count('"') != 2 or not value.endswith('"') or "\\" in value:
            raise ValueError(value)
        return value[1:-1]
    return int(value) if value.isdecimal() else float(value)
