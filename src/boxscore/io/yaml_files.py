"""YAML files that people write; the only place that imports yaml."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io.utf8 import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any


def load(path: str | PathLike[str]) -> Any:  # noqa: ANN401  whatever the file holds
    """The content of a YAML file, plain types alone. Raises InputError that names file, line and what stands there."""
    shown = os.fspath(path)
    try:
        with open(shown, "rb") as file:  # noqa: PTH123  pathlib costs a fifth of the start-up
            data = file.read()
    except OSError as error:
        raise InputError(f"{shown} can't be read: {error.strerror or error}") from None
    return parse(decoded(data, shown), shown)


def parse(text: str, shown: str) -> Any:  # noqa: ANN401  likewise
    """The content of YAML text that came from the file `shown`. Raises InputError that names file and line."""
    import yaml

    try:
        # The same safe reader, by the C library where that is there: ten times as fast.
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  it is safe
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f" line {mark.line + 1}, column {mark.column + 1}"
        lines = text.split("\n")
        found = "" if mark is None or mark.line >= len(lines) else f", found {lines[mark.line].strip()[:60]!r}"
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is not valid YAML"
        raise InputError(f"{shown}{where}: {problem}{found}; correct the YAML there") from None
    except (ValueError, RecursionError) as error:
        # Impossible dates (`2024-13-45`) and the like pass the syntax and fail as values.
        raise InputError(f"{shown}: a value can't be read ({error}); put it in quotes") from None


def repeated_keys(path: str | PathLike[str]) -> list[tuple[str, int]]:
    """Keys that a mapping of a YAML file gives twice, as key path (`models.yolo`) and line of the second.

    YAML forbids them and its reader keeps the last without a word. The file is one that `load` has read.
    """
    import yaml

    with open(path, "rb") as file:  # noqa: PTH123  as above
        top = yaml.compose(decoded(file.read(), os.fspath(path)), Loader=yaml.SafeLoader)
    found: list[tuple[str, int]] = []
    waiting: list[tuple[str, Any]] = [("", top)]
    visited: set[int] = set()  # a node that has an alias stands in several places, even in itself
    while waiting:
        where, node = waiting.pop(0)
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += [(f"{where}[{i}]", item) for i, item in enumerate(node.value)]
        elif isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for key, value in node.value:
                name = f"{where}.{key.value}" if where else str(key.value)
                if name in seen:
                    found.append((name, key.start_mark.line + 1))
                seen.add(name)
                waiting.append((name, value))
    return found


def dump(content: object) -> str:
    """The content as YAML text, keys in the given order, letters as they are."""
    import yaml

    text: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    return text
