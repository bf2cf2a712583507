"""Folders that are of no form: the one file inside that is of one, or what is wrong with the folder, in words."""

# ruff: noqa: PTH113, PTH118, PTH119, PTH123, PTH208  paths are kept as text

from __future__ import annotations

import os

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.io.detect import Recognised

_SUFFIXES = (".json", ".json.gz", ".jsonl", ".xml", ".csv", ".parquet", ".arrow", ".feather", ".yaml", ".yml", ".data")
_MOST_FILES = 20
"""Files of a folder that are looked at; more of one kind are a form of their own, or none."""
_POINTER = b"version https://git-lfs"
_SIDES = {"ground truth": ("--gt-format", "predictions"), "predictions": ("--pred-format", "ground truth")}


def readable_files(folder: str, recognised: Recognised, part: str) -> list[str]:
    """Files right inside a folder that a form recognises, which reads such files."""
    names = [name for name in sorted(os.listdir(folder)) if name.lower().endswith(_SUFFIXES) and name[0] != "."]
    if len(names) > _MOST_FILES:
        return []
    paths = [os.path.join(folder, name) for name in names]
    return [path for path in paths if os.path.isfile(path) and next(recognised(path, part), None) is not None]


def refusal(folder: str, role: str, recognised: Recognised) -> InputError:
    """The error for a folder (of `role`, ground truth or predictions) of which no form is known."""
    from boxscore.io.forms import forms_with

    option, other = _SIDES[role]
    part = f"read_{role.replace(' ', '_')}"
    names = sorted(os.listdir(folder))
    if not names:
        return InputError(f"{folder} is an empty folder; check the path of the {role}")
    pointers = [name for name in names[:_MOST_FILES] if _is_pointer(os.path.join(folder, name))]
    if pointers:
        return InputError(
            f"{os.path.join(folder, pointers[0])} is a Git LFS pointer, not the file itself; fetch the content with "
            "`git lfs pull` first"
        )
    several = [os.path.basename(path) for path in readable_files(folder, recognised, part)]
    if several:
        return InputError(
            f"{folder} is a folder with several files that could be meant; give one: {', '.join(several)}"
        )
    found = next(recognised(folder, f"read_{other.replace(' ', '_')}"), None)
    if found is not None:
        return InputError(
            f"{folder} looks like {other} ({found[1]}), not like {role}: were the two swapped? Ground truth comes "
            "first, then predictions"
        )
    return InputError(
        f"{folder} is a folder, and its files are of no form that is known for {role}; forms are "
        f"{', '.join(forms_with(part))}: check the path, or say which it is with {option}"
    )


def _is_pointer(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(_POINTER)) == _POINTER
    except OSError:
        return False
