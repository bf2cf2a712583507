"""Whether a path is a YOLO data set or a text folder, by a look at names and at the first lines."""

# ruff: noqa: PTH112, PTH113, PTH118, PTH123  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import stems, yolo_layout
from boxscore.model.notes import counted

_FILES = 200
"""Entries of a folder that are looked at."""
_LINES = 20


def of_yolo(path: str) -> str | None:
    """What was recognised of YOLO's text, in words."""
    lower = path.lower()
    if os.path.isfile(path):
        if lower.endswith((".yaml", ".yml")) and _has(path, b"names"):
            return "YOLO data set (data.yaml)"
        return "YOLO data set (obj.data)" if lower.endswith(".data") and _has(path, b"names") else None
    folder = _text_folder(path)
    if folder is None:
        return None
    for name in (*yolo_layout.YAML_NAMES, "obj.data"):
        if os.path.isfile(os.path.join(path, name)):
            return f"YOLO data set ({name})"
    lines = first_lines(folder)
    if not lines or not all(_is_yolo(line.split()) for line in lines):
        return None
    return f"YOLO text ({counted(len(lines), 'line')} looked at: a class number and shares of the picture)"


def of_text_folder(path: str) -> str | None:
    """What was recognised of a text folder, in words."""
    folder = _text_folder(path)
    lines = [] if folder is None else first_lines(folder)
    if not lines or not all(_is_text(line.split()) for line in lines):
        return None
    scored = all(len(line.split()) > 5 and _number(line.split()[-5]) is not None for line in lines)
    return (
        f"text folder ({counted(len(lines), 'line')} looked at: a label, {'a score, ' if scored else ''}four numbers)"
    )


def first_lines(folder: str) -> list[str]:
    """The first line of each of the first label files that have one."""
    try:
        labels = stems.labels_among(stems.walk(folder))
    except InputError:
        return []
    found: list[str] = []
    for file in list(labels.values())[:_FILES]:
        try:
            with open(os.path.join(folder, file), "rb") as opened:
                head = opened.read(512).decode("utf-8-sig", "replace").strip()
        except OSError:
            continue
        if head:
            found.append(head.split("\n")[0])
        if len(found) == _LINES:
            break
    return found


def _text_folder(path: str) -> str | None:
    """The folder that holds the label files: `labels/` inside, the mirror of pictures, or the path itself."""
    if not os.path.isdir(path):
        return None
    inner = os.path.join(path, "labels")
    if os.path.isdir(inner):
        return inner
    mirror = stems.mirrored(path, "images", "labels")
    return mirror if mirror is not None and os.path.isdir(mirror) else path


def _has(path: str, key: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return any(line.startswith(key) for line in file)
    except OSError:
        return False


def _is_yolo(fields: list[str]) -> bool:
    """A class number, then four numbers or more, shares of the picture (the form is told by most of them)."""
    numbers = [_number(field) for field in fields]
    shares = [number for number in numbers[1:] if number is not None and -0.5 <= number <= 1.5]
    return len(fields) >= 5 and fields[0].isdecimal() and len(shares) == len(fields) - 1


def _is_text(fields: list[str]) -> bool:
    return len(fields) >= 5 and all(_number(field) is not None for field in fields[-4:])


def _number(field: str) -> float | None:
    try:
        return float(field)
    except ValueError:
        return None
