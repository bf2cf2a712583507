"""Names of numbered classes: `classes.txt` and `obj.names` with a name a line, `data.yaml` with a list or a mapping."""

# ruff: noqa: PTH112, PTH118, PTH119, PTH123, PTH208  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import yaml_files
from boxscore.io.utf8 import decoded
from boxscore.model.given import shown
from boxscore.model.labels import id_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike
    from typing import Any

YAML_SUFFIXES = (".yaml", ".yml")
FILE_NAMES = ("data.yaml", "data.yml", "dataset.yaml", "classes.txt", "obj.names", "classes.names", "_darknet.labels")
"""Where class names are looked for, the first of these that is there; then any other single `*.names`."""


class ClassNames:
    """Names by number as the file numbers them; a plain list starts at 0. `source` is what they were read from."""

    __slots__ = ("by_number", "listed", "source")

    def __init__(self, by_number: dict[int, str], source: str, *, listed: bool) -> None:
        self.by_number = by_number
        self.source = source
        self.listed = listed

    @property
    def name(self) -> str:
        """The source without its folders, for notes."""
        return os.path.basename(self.source)

    def numbered_from(self, base: int | None) -> dict[int, str]:
        """Names by the numbers that label files use: a list begins at `base`, a mapping says its numbers itself."""
        if not base or not self.listed:
            return self.by_number
        return {number + base: name for number, name in self.by_number.items()}


def read(given: str | PathLike[str] | Sequence[str]) -> ClassNames:
    """Class names from a path, or from a list of names.

    Raises InputError that names file, line and value: for a missing or empty file, a blank line among the names, a
    repeated name, or YAML without `names`.
    """
    if not isinstance(given, str | os.PathLike):
        return _of_list(list(given), "the given list")
    path = os.fspath(given)
    if os.path.isdir(path):
        found = find([path])
        if found is None:
            raise InputError(f"{path}: no class names in this folder ({', '.join(FILE_NAMES)}); give the file itself")
        path = found
    if path.lower().endswith(YAML_SUFFIXES):
        return of_yaml(yaml_files.load(path), path)
    return _of_lines(_text(path), path)


def find(folders: Iterable[str]) -> str | None:
    """The file with class names in the first of these folders that has one; None where none has."""
    for folder in dict.fromkeys(folders):
        try:
            present = set(os.listdir(folder or "."))
        except OSError:
            continue
        for name in FILE_NAMES:
            if name in present and _holds_names(os.path.join(folder, name)):
                return os.path.join(folder, name)
        others = [name for name in present if name.endswith(".names")]
        if len(others) == 1:
            return os.path.join(folder, others[0])
    return None


def of_yaml(content: Any, path: str) -> ClassNames:  # noqa: ANN401  whatever the file holds
    """The `names` of a data set's YAML. Raises InputError where there are none, and where `nc` is another number."""
    stated = content.get("names") if isinstance(content, dict) else None
    if isinstance(stated, list):
        names = _of_list(stated, path)
    elif isinstance(stated, dict):
        names = _of_mapping(stated, path)
    else:
        raise InputError(f"{path}: `names` is {shown(stated)}; it must be a list, or a mapping from number to name")
    count = content.get("nc")
    if isinstance(count, int) and count != len(names.by_number):
        raise InputError(f"{path}: `nc` is {count} and `names` has {len(names.by_number)}; correct one of them")
    return names


def _holds_names(path: str) -> bool:
    """Whether YAML has `names`, by a look at its text; other files are taken at their name's word."""
    if not path.lower().endswith(YAML_SUFFIXES):
        return True
    try:
        with open(path, "rb") as file:
            return any(line.startswith(b"names") for line in file)
    except OSError:
        return False


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return decoded(file.read(), path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path of the class names") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}") from None


def _of_lines(text: str, path: str) -> ClassNames:
    lines = [line.strip() for line in text.rstrip().split("\n")]
    if lines == [""]:
        raise InputError(f"{path} is empty; a name a line is expected, the first line names class 0")
    if "" in lines:
        raise InputError(f"{path} line {lines.index('') + 1} is blank; a blank line would shift the numbers: remove it")
    return _checked(dict(enumerate(lines)), path, listed=True)


def _of_list(stated: list[Any], source: str) -> ClassNames:
    if not stated:
        raise InputError(f"{source}: there is no class name; at least one is needed")
    return _checked({i: _name(name, i, source) for i, name in enumerate(stated)}, source, listed=True)


def _of_mapping(stated: dict[Any, Any], source: str) -> ClassNames:
    if not stated:
        raise InputError(f"{source}: `names` is empty; at least one is needed")
    found: dict[int, str] = {}
    for key, name in stated.items():
        whole = key if isinstance(key, int) and not isinstance(key, bool) else _whole(key)
        if whole is None:
            raise InputError(f"{source}: `names` has the key {shown(key)}; keys must be class numbers such as 0")
        found[whole] = _name(name, whole, source)
    return _checked(found, source, listed=False)


def _whole(key: object) -> int | None:
    return int(key) if isinstance(key, str) and key.isdecimal() else None


def _name(name: object, number: int, source: str) -> str:
    """A name; YAML makes numbers, booleans and dates of some unquoted words."""
    if isinstance(name, str):
        return name
    if isinstance(name, int | float) and not isinstance(name, bool):
        return str(name)
    raise InputError(
        f"{source}: the name of class {number} is {shown(name)}, not a text; put it in quotes "
        "(YAML reads no, yes, on, off and dates as other things)"
    )


def _checked(by_number: dict[int, str], source: str, *, listed: bool) -> ClassNames:
    seen: dict[str, int] = {}
    for number, name in by_number.items():
        if name in seen:
            raise InputError(
                f"{source}: classes {seen[name]} and {number} are both named {id_text(name)}; give each its own name"
            )
        seen[name] = number
    return ClassNames(by_number, source, listed=listed)
