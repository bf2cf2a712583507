"""Files of a folder, in a fixed order, with the names that images take from them."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError


def files_below(root: Path, suffix: str, what: str) -> list[tuple[Path, str]]:
    """Files with this suffix below a folder, or the one file given, each with its relative path without suffix (`/`
    between folders), by name. Raises InputError where there are none; `what` says what they should be.
    """
    if root.is_file():
        return [(root, root.stem)]
    if not root.is_dir():
        raise InputError(f"{root}: there is no such file or folder; check the path of the {what}")
    found = [
        path
        for folder, _, names in os.walk(root)
        for name in names
        if name.lower().endswith(suffix) and not name.startswith(".") and (path := Path(folder) / name)
    ]
    if not found:
        raise InputError(f"{root}: no {suffix} file lies below this folder; give the folder of the {what}")
    named = [(path, path.relative_to(root).with_suffix("").as_posix()) for path in found]
    return sorted(named, key=lambda item: item[1])


def first_file(root: Path, suffix: str) -> Path | None:
    """One file with this suffix: the one given, or some file right in the folder or in a folder within."""
    if root.is_file():
        return root if root.name.lower().endswith(suffix) else None
    if not root.is_dir():
        return None
    inner = []
    for entry in sorted(root.iterdir()):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            inner.append(entry)
        elif entry.name.lower().endswith(suffix):
            return entry
    for folder in inner:
        for entry in sorted(folder.iterdir()):
            if entry.is_file() and entry.name.lower().endswith(suffix) and not entry.name.startswith("."):
                return entry
    return None
