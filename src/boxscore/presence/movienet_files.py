"""Where MovieNet's files of one film are in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.model.notes import listed

if TYPE_CHECKING:
    from os import PathLike

_ANNOTATIONS = ("", "annotation", "annotations")
_SHOTS = ("", "shot", "shots")


def annotation_file(folder: Path, title: str | None) -> Path:
    """`TITLE.json` in the folder or its `annotation`, or the file itself. Raises InputError that names the films."""
    if folder.is_file():
        return folder
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; --movienet takes the folder of MovieNet's annotation")
    found = [file for name in _ANNOTATIONS for file in sorted((folder / name).glob("*.json"))]
    if title is not None:
        found = [file for file in found if file.stem == title] or _none(folder, title, found)
    if len(found) > 1:
        raise InputError(
            f"{folder} has annotations of several films ({listed([file.stem for file in found])}); say which: --title"
        )
    if not found:
        raise InputError(f"{folder} has no annotation (TITLE.json, such as tt1210166.json); check the folder")
    return found[0]


def _none(folder: Path, title: str, found: list[Path]) -> list[Path]:
    raise InputError(
        f"{folder} has no annotation {title}.json; it has {listed([file.stem for file in found], 12) or 'none'}"
    )


def shot_file(folder: Path, title: str, given: str | PathLike[str] | None) -> Path:
    """The shot file that was given, else `TITLE.txt` in the folder or its `shot`. Raises InputError without one."""
    if given is not None:
        return Path(given)
    folders = (folder,) if folder.is_dir() else (folder.parent, folder.parent.parent)
    places = [one / name / f"{title}.txt" for one in folders for name in _SHOTS]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise InputError(
            f"{folder} has no shot file {title}.txt (nor in {' or '.join(name for name in _SHOTS if name)}); without "
            "it no frame has a time: give it with --shots"
        )
    return found
