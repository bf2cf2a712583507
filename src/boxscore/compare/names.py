"""Names of models: the shortest parts of their paths that tell them apart."""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.model.labels import id_text
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDINGS = (".gz", ".json", ".jsonl", ".csv", ".tsv", ".txt", ".parquet", ".xml", ".yaml")


def names_of(paths: Sequence[str], given: Sequence[str] | None = None) -> list[str]:
    """A name for each path, all different: those given, else the last part of the paths by which all differ.

    `a/yolox.json.gz` and `a/fcos.json.gz` are `yolox` and `fcos`; `yolox/pred.json` and `fcos/pred.json` too. The same
    path given twice is numbered. Raises InputError where names are given that don't fit, or twice.
    """
    if given:
        return _checked(list(given), len(paths))
    parts = [list(Path(path).absolute().parts) for path in paths]
    for row in parts:
        row[-1] = _stem(row[-1])
    deepest = max(map(len, parts))
    for depth in range(1, deepest + 1):
        level = [row[-depth] if depth <= len(row) else "" for row in parts]
        if all(level) and _differ(level):
            return level
    for depth in range(2, deepest + 1):
        joined = ["/".join(row[-depth:]) for row in parts]
        if _differ(joined):
            return joined
    return _numbered([row[-1] for row in parts])


def _stem(name: str) -> str:
    """`yolox` of `yolox.json.gz`; folders and names that are nothing but an ending stay as they are."""
    while True:
        ending = next((e for e in _ENDINGS if name.lower().endswith(e) and len(name) > len(e)), None)
        if ending is None:
            return name
        name = name[: -len(ending)]


def _differ(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names)


def _numbered(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


def _checked(names: list[str], count: int) -> list[str]:
    if len(names) != count:
        raise InputError(
            f"{counted(len(names), 'name is', 'names are')} given for {count} models; give --name once each, in order"
        )
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(f"--name {id_text(repeated)} is given to {names.count(repeated)} models; names must differ")
    if not all(names):
        raise InputError('--name "" is empty; give each model a name')
    return names
